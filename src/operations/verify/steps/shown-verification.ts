import { parseAddress } from '../../../core/address/parse-address.ts';
import type { Address } from '../../../core/address/parse-address.ts';
import { withMailbox, withoutMailbox } from '../../../core/catchall/without-mailbox.ts';
import { withAddress, withoutAddress } from '../../../core/verification/without-address.ts';
import type { Examined } from '../../../engine/examination.ts';
import type { KeptAnswer, KeptVerification, ShownVerification } from '../history-port.ts';

/** What the account keeps of an answer: nothing of it leads to the mailbox. */
export function keptAnswer(
	{ result, breakdown, answeredBy }: Examined,
	{ localPart }: Address,
): Omit<KeptAnswer, 'charged'> {
	return {
		result: withoutAddress(result),
		breakdown: breakdown === null ? null : withoutMailbox(breakdown, localPart),
		answeredBy,
	};
}

/** The verification of this address as it was. Null: the address is gone, and so nothing can be shown. */
export function shownVerification(
	kept: KeptVerification,
	email: string | undefined,
): ShownVerification | null {
	const parsed = email === undefined ? null : parseAddress(email);
	if (parsed?.ok !== true) return null;
	const { address } = parsed;
	const { state } = kept;
	if (state.kind !== 'answered') return { ...kept, email: address.email };
	const { result, breakdown } = state.answer;
	const answer = {
		...state.answer,
		result: withAddress(result, address),
		breakdown: breakdown === null ? null : withMailbox(breakdown, address.localPart),
	};
	return { ...kept, email: address.email, state: { ...state, answer } };
}
