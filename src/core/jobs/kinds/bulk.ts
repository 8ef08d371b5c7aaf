import { PRICE } from '../../credits/price.ts';
import type { Kind } from './kind.ts';

/** The verification of a list. */
export const bulk = {
	noun: 'job',
	onPages: { noun: 'list', title: 'List' },
	idPrefix: 'job',
	price: PRICE.verification,
	queue: 'VERIFY_QUEUE',
	events: { completed: 'job.completed', failed: 'job.failed' },
	keyPrefix: '',
	mayBeEmpty: false,
	isDeep: false,
	// A row is some 120 characters long, so a pass takes 6 MB.
	rowsPerPass: 50_000,
} as const satisfies Kind;
