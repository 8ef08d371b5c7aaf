import type { Examined } from '../../engine/examined.ts';
import type { Address } from '../../core/address/parse-address.ts';
import type { Asker } from '../../core/politeness/mail-host.ts';
import type { Admissions, ReservationRef, Settled } from './port.ts';
import type { ExamineOptions } from '../../engine/examine-address.ts';
import type { LookedUpMail } from '../../engine/look-up-mail.ts';
import type { Clock } from '../../engine/ports.ts';

export interface VerifyServices {
	readonly clock: Clock;
	readonly examine: (address: Address, asker: Asker, options?: ExamineOptions) => Promise<Examined>;
	/** What DNS says of the mail of the address's domain. */
	readonly lookUpMail: (address: Address) => Promise<LookedUpMail>;
}

/**
 * Verifies one address against a reservation. A definite answer is charged, an `unknown` refunded, and
 * a failure of ours sets the credit free. A crash anywhere leaves a reservation that the account releases by itself.
 */
export async function verifyAddress(
	services: VerifyServices,
	account: Admissions,
	request: {
		readonly accountId: string;
		readonly reservation: ReservationRef;
		readonly address: Address;
		/** What was looked up while the account was asked; null: nothing. */
		readonly mail: Promise<LookedUpMail> | null;
	},
): Promise<Examined & { settled: Settled }> {
	const { accountId, reservation, address, mail } = request;
	let examined: Examined;
	try {
		examined = await services.examine(address, accountId, { mail });
	} catch (error) {
		await account.settle({ reservation, outcome: 'failed', now: services.clock.now() });
		throw error;
	}
	const settled = await account.settle({
		reservation,
		outcome: examined.result.status,
		now: services.clock.now(),
	});
	return { ...examined, settled };
}
