import type { IdentityServices, User } from '../port.ts';
import { askPassword } from './ask-password.ts';
import { checkCode, signedInName } from './check-code.ts';
import type { CheckCodeServices } from './check-code.ts';
import type { Throttled } from './throttle.ts';

/** The proof of a signed-in person before a grave change. */
export interface AskAgainRequest {
	readonly password: string;
	/** As typed; empty where there is no second factor. */
	readonly code: string;
	readonly client: string;
	readonly device: string;
	/** Our public URL. */
	readonly base: string;
}

export type AskedAgain =
	| { readonly kind: 'right' }
	| { readonly kind: 'wrong_password' }
	| { readonly kind: 'wrong_code' }
	| Throttled;

/** Checks the password again, then a code where the person has a second factor. */
export async function askAgain(
	services: CheckCodeServices & Pick<IdentityServices, 'passwords'>,
	user: User,
	{ password, code, client, device, base }: AskAgainRequest,
): Promise<AskedAgain> {
	const proof = await askPassword(services, user, password, client);
	if (proof.kind !== 'right') return proof;
	const factor = await services.secondFactors.find(user.id);
	if (factor === null) return proof;
	const attempt = { client, account: signedInName(user) };
	return checkCode(services, user, factor, { code, attempt, device, base });
}
