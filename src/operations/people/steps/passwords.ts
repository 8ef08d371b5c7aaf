import { hashPassword, isPassword, SALT_OCTETS } from '../../../core/identity/passwords.ts';
import { ServiceError } from '../../../errors.ts';
import type { ScryptCost } from '../../../lib/scrypt.ts';
import type { WaitingLine } from '../../../lib/waiting-line.ts';
import type { Passwords } from '../port.ts';

/** The line for passwords is full. Nothing was done or counted. */
export class CrowdedError extends ServiceError {
	constructor() {
		super('upstream_unavailable', 'Too many passwords are being checked at this moment');
	}
}

/** Hashes passwords in turn, since hashing blocks the isolate. */
export function passwordsIn(
	line: WaitingLine,
	secureRandom: (octets: number) => Uint8Array,
	cost?: ScryptCost,
): Passwords {
	return {
		isCrowded: () => line.isCrowded(),
		inLine: async (who, work) => {
			const place = line.enter(who);
			if (place === null) throw new CrowdedError();
			try {
				return await work({
					hash: (password) => line.run(place, () => hashPassword(password, secureRandom(SALT_OCTETS), cost)),
					isRight: (password, stored) => line.run(place, () => isPassword(password, stored, cost)),
				});
			} finally {
				line.leave(place);
			}
		},
	};
}
