import { digestOfRecoveryCode, makeRecoveryCodes } from '../../core/identity/recovery-codes.ts';
import { askAgain } from './steps/ask-again.ts';
import type { AskAgainRequest, AskedAgain } from './steps/ask-again.ts';
import type { IdentityServices, SignedIn } from './port.ts';
import { note } from './steps/note.ts';

export interface RemakeCodesRequest extends AskAgainRequest {
	readonly formId: string;
	/** The token of the session. */
	readonly sessionToken: string;
}

/** Replaces all recovery codes of a person. The new ones are shown only now. */
export async function remakeRecoveryCodes(
	services: IdentityServices,
	person: SignedIn,
	request: RemakeCodesRequest,
): Promise<
	| { kind: 'made'; recoveryCodes: readonly string[] }
	| { kind: 'off' }
	| Exclude<AskedAgain, { kind: 'right' }>
> {
	const { user } = person;
	if ((await services.secondFactors.find(user.id)) === null) return { kind: 'off' };
	const recoveryCodes = makeRecoveryCodes(request.sessionToken, request.formId);
	const digests = recoveryCodes.map(digestOfRecoveryCode);
	// The same form sent twice: its code is used up, and its recovery codes are there.
	if (await services.secondFactors.hasCode(user.id, digests[0] ?? '')) return { kind: 'made', recoveryCodes };
	const asked = await askAgain(services, user, request);
	if (asked.kind !== 'right') return asked;
	await services.secondFactors.replaceCodes(user.id, digests);
	note(services, user.accountId, { kind: 'recovery_codes_made', device: request.device });
	return { kind: 'made', recoveryCodes };
}
