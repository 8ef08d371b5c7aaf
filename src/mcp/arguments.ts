import { z } from 'zod';
import { JOB_KINDS } from '../core/jobs/kinds.ts';

// Arguments that several tools share. A tool refuses every argument that it does not know (`z.strictObject`): an
// assistant that misspells `idempotencyKey` would pay twice.

/** As `newId` makes it, so that an id never leaves its place in a path. */
const idOf = (prefix: string) => z.string().regex(new RegExp(`^${prefix}_[0-9a-f]{24}$`));

export const jobId = idOf(JOB_KINDS.verification.idPrefix).describe(
	'The id of the list, as start_list gave it',
);
export const taskId = idOf(JOB_KINDS.catchall.idPrefix).describe(
	'The id of the task, as start_catchall gave it',
);
export const page = z.int().min(1).default(1).describe('The page, from 1');
export const limit = z.int().min(1).max(500).default(100).describe('Rows on a page, 1-500');
export const rows = z
	.enum(['compact', 'full'])
	.default('compact')
	.describe('How much each row says; full rows take about ten times the room');
export const dryRun = z
	.boolean()
	.default(false)
	.describe('Only say what it would cost at most: nothing is started or spent');
export const maxCredits = z
	.int()
	.min(0)
	.optional()
	.describe('Required unless dryRun: the most that this may cost, in credits; else nothing is started');
export const idempotencyKey = z
	.string()
	.regex(/^[ -~]{1,255}$/)
	.optional()
	.describe('Repeat a call with the same key to get its first answer instead of paying twice');
