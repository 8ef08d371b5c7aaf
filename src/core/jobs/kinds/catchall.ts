import { PRICE } from '../../credits/price.ts';
import { ScoreCounter, VerdictRecorder } from '../task-verdicts.ts';
import type { Kind, Summary } from './kind.ts';

/** A catch-all task: the deeper check of the catch-all addresses of a job. */
export const catchall = {
	noun: 'task',
	onPages: { noun: 'check', title: 'Catch-all check' },
	idPrefix: 'cat',
	price: PRICE.catchall,
	queue: 'CATCHALL_QUEUE',
	events: { completed: 'catchall.completed', failed: 'catchall.failed' },
	keyPrefix: 'catchall ',
	mayBeEmpty: true,
	isDeep: true,
	// A row with its breakdown is some 2,300 characters long, which take two octets each if one is beyond Latin-1.
	rowsPerPass: 4_000,
	summarise: summariseTask,
} as const satisfies Kind;

function summariseTask(): Summary {
	const scores = new ScoreCounter();
	const verdicts = new VerdictRecorder();
	return {
		see: (row) => {
			scores.count(row);
			verdicts.see(row);
		},
		texts: () => [
			{ name: 'scores', text: scores.encode() },
			{ name: 'verdicts', text: verdicts.encode() },
		],
	};
}
