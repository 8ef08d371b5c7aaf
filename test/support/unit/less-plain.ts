import { classifyReply } from '../../../src/core/smtp/classify-reply.ts';
import type { Witness } from '../../../src/core/smtp/classify-reply.ts';
import { makeReply } from './session-report.ts';

// Denials that stop short of plain words. Which of them lie between the two likelihoods changes with each training.
const CANDIDATES = ['no', 'not a', 'never a', 'we see no'].flatMap((denial) =>
	['current', 'matching', 'fitting', 'right', 'other'].flatMap((kind) =>
		['mailbox', 'recipient', 'user', 'address'].flatMap((noun) =>
			['', ' we know of', ' here', ' for it', ' to give it to'].map(
				(tail) => `550 ${denial} ${kind} ${noun}${tail}`,
			),
		),
	),
);

/** A refusal that reads as a missing mailbox only where a witness confirms it. */
export function lessPlainRefusal(): string {
	const meaning = (written: string, witness: Witness) =>
		classifyReply({
			stage: 'rcpt',
			reply: makeReply(written),
			recipient: 'ada@x.test',
			operator: null,
			witness,
		}).meaning;
	const found = CANDIDATES.find(
		(written) => meaning(written, null) === 'undetermined' && meaning(written, 'for') === 'no_such_mailbox',
	);
	if (found === undefined) throw new Error('No candidate lies between the two likelihoods: add some.');
	return found;
}
