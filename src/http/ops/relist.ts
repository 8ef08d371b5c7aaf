import { z } from 'zod';
import type { Services } from '../../services.ts';
import { relistAccount } from '../../operations/accounts/accounts.ts';

/** An address as an operator types it. */
export const email = z.string({ error: 'email must be a string' }).trim().min(3).max(254);

/** One that we may write to, so it must not contain a line break. Internal host names are allowed. */
export const customer = email.regex(/^[^\s\p{Cc}]+@[^\s\p{Cc}@]+$/u, 'email is not an address');

/** The account to list again; `after` is the `next` of the answer before. */
export const relisting = z.object({
	email: customer.optional(),
	after: z.object({ accountId: z.string(), jobId: z.string() }).nullish(),
});

/** The account as it is listed now, and how many jobs this request wrote. */
export async function answerRelisting(
	services: Services,
	accountId: string,
	request: z.output<typeof relisting>,
): Promise<object> {
	const place = { email: request.email ?? null, after: request.after ?? null };
	const relisted = await relistAccount(services, { accountId }, place);
	const { suspendedAt, closedAt } = relisted;
	return { accountId, ...relisted, suspendedAt: timestamp(suspendedAt), closedAt: timestamp(closedAt) };
}

function timestamp(at: number | null): string | null {
	return at === null ? null : new Date(at).toISOString();
}
