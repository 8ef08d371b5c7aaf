import { PRICE } from '../../credits/price.ts';
import type { Kind } from './kind.ts';

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
} as const satisfies Kind;
