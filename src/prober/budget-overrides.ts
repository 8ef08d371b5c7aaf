import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { OperatorKind } from '../core/mail-operators/operator-row.ts';
import { OPERATORS } from '../core/mail-operators/operators.ts';
import type { OperatorName } from '../core/mail-operators/operators.ts';
import { RECIPIENTS_PER_MINUTE_MIN } from '../core/turns/budget.ts';
import type { BudgetOverrides } from '../core/turns/budget.ts';

const count = (min: number) => z.int().min(min).max(1_000_000_000);

const budget = z
	.strictObject({
		connections: count(1),
		connectionsPerMinute: count(1),
		recipientsPerMinute: count(RECIPIENTS_PER_MINUTE_MIN),
		recipientsPerDay: count(RECIPIENTS_PER_MINUTE_MIN),
		recipientsPerConnection: count(RECIPIENTS_PER_MINUTE_MIN),
	})
	.partial();

const KINDS: readonly OperatorKind[] = ['mailbox', 'gateway', 'forwarder', 'hosting'];
const OPERATOR_NAMES = Object.keys(OPERATORS) as OperatorName[];

// A word that is not known is a mistake, which must not look as if it had been heard.
const overrides = z.partialRecord(z.enum([...OPERATOR_NAMES, ...KINDS, 'other', 'all']), budget);

/** JSON, or the name of a file that holds it: what is given of the budgets, by operator, by kind, for `other` or `all`. */
export const budgetOverrides = z.string().transform((text, context): BudgetOverrides => {
	const parsed = overrides.safeParse(read(text));
	// Without what was left out: a budget is put together from several of these.
	if (parsed.success) return JSON.parse(JSON.stringify(parsed.data)) as BudgetOverrides;
	const [issue] = parsed.error.issues;
	const message = `is no budgets: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`;
	context.addIssue({ code: 'custom', message });
	return z.NEVER;
});

/** Null: there is no such file, or no JSON. */
function read(text: string): unknown {
	try {
		return JSON.parse(text.trimStart().startsWith('{') ? text : readFileSync(text, 'utf8'));
	} catch {
		return null;
	}
}
