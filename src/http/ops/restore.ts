import { z } from 'zod';
import type { Services } from '../../services.ts';
import { restoreAccount } from '../../operations/accounts/restore-account.ts';
import { renderBalance } from '../render.ts';

const time = z.iso
	.datetime({ offset: true, error: 'at must be a time with its zone, like 2026-11-21T10:00:00Z' })
	.transform((text) => Date.parse(text));
// Some numbers in hex, whose form is the platform's matter.
const bookmark = z
	.string({ error: 'bookmark must be a string' })
	.regex(/^[0-9A-Za-z-]{1,200}$/, 'bookmark is none of the platform');

/** The point in time or the bookmark to restore an account to, and the operator's confirmation. */
export const restoration = z
	.object({
		at: time.optional(),
		bookmark: bookmark.optional(),
		confirm: z.boolean({ error: 'confirm must be true or false' }).default(false),
	})
	.refine(({ at, bookmark: to }) => (at === undefined) !== (to === undefined), 'name either at or bookmark');

/** The planned restore, or the one that was done. */
export async function answerRestoration(
	services: Services,
	accountId: string,
	{ at, bookmark: named, confirm }: z.output<typeof restoration>,
): Promise<object> {
	const to = at === undefined ? { bookmark: named ?? '' } : { at };
	const { plan, restored } = await restoreAccount(services, { accountId }, { to, confirmed: confirm });
	const target = at === undefined ? to : { at: timestamp(at) };
	return {
		accountId,
		to: target,
		secondsBack: plan.backMs === null ? null : Math.round(plan.backMs / 1000),
		before: { credits: renderBalance(plan.balance), suspendedAt: timestamp(plan.suspendedAt) },
		restored:
			restored === null
				? null
				: {
						credits: renderBalance(restored.balance),
						suspendedAt: timestamp(restored.suspendedAt),
						undoBookmark: restored.undo,
						purchasesGrantedAgain: restored.purchases.granted,
						purchasesToReview: restored.purchases.toReview,
					},
	};
}

function timestamp(at: number | null): string | null {
	return at === null ? null : new Date(at).toISOString();
}
