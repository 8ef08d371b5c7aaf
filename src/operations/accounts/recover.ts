import { isLiveAccount, testAccountOf } from '../../core/keys/api-key.ts';
import { ServiceError } from '../../errors.ts';
import { describeError, log } from '../../lib/log.ts';
import { DAY_MS } from '../../lib/time.ts';
import type { Services } from '../../services.ts';
import { bookPurchase } from '../payments/purchases.ts';
import { closed } from './accounts.ts';
import { audit, requireAccount } from './steps/manage.ts';
import type { ManageServices } from './steps/manage.ts';

// Recovery of an account: its object at another time, its row in a database that lost it.

// How far back the platform keeps the storage of an object.
const RESTORABLE_MS = 30 * DAY_MS;
// The newest. Older ones than a month stand in the account at any time that it can go back to.
const PURCHASES_MAX = 1_000;

/**
 * Takes an account's object back to a time (epoch ms) or to a bookmark of the platform: keys, credits, ledger, jobs,
 * webhooks. R2 and D1 stay as they are, but for the suspension that D1 lists, and what was paid since is booked again.
 * Wherever it breaks off it can be repeated. Unless confirmed, nothing changes. `undo`: the bookmark that leads back.
 */
export async function restoreAccount(
	services: ManageServices & Pick<Services, 'hasRecovery' | 'purchases'>,
	accountId: string,
	{ to, confirmed }: { to: { readonly at: number } | { readonly bookmark: string }; confirmed: boolean },
) {
	const { createdAt, closedAt } = await requireAccount(services, accountId);
	const account = services.accounts(accountId);
	const before = await account.show();
	// Jobs that their owner had deleted stay deleted. Either store may have gone back to before that.
	if ((closedAt ?? before.closedAt) !== null) throw closed();
	// A bookmark does not tell.
	const backMs = 'at' in to ? reach(services.clock.now(), createdAt, to.at) : null;
	if (!confirmed) return { before, backMs, restored: null };
	if (!services.hasRecovery)
		throw new ServiceError('upstream_unavailable', 'A local service has no point-in-time recovery');
	// The time of this entry leads back, in case we die before the answer with the bookmark.
	await audit(services, 'account.restore', accountId, to);
	const { undo } = await account.prepareRestore(to);
	await account.restart().catch((error: unknown) => {
		log('account_restarted', { account: accountId, ...describeError(error) }, 'info');
		return account.restart();
	});
	// Each booking has its id, so what stands in the account counts once.
	for (const purchase of await services.purchases.listOf(accountId, PURCHASES_MAX)) {
		const { state } = purchase;
		if (state === 'paid' || state === 'refunded') await bookPurchase(services, purchase, state);
	}
	const after = await account.show();
	await services.accounts(testAccountOf(accountId)).suspend({ at: after.suspendedAt });
	await services.directory.setSuspended(accountId, after.suspendedAt);
	return { before, backMs, restored: { ...after, undo } };
}

/** How far back a time is. Throws where the account can't go back to it. */
function reach(now: number, createdAt: number, at: number): number {
	if (at > now) throw new ServiceError('invalid_parameter', 'The time is in the future');
	if (now - at > RESTORABLE_MS)
		throw new ServiceError('invalid_parameter', 'The time is more than 30 days ago');
	if (at <= createdAt) throw new ServiceError('invalid_parameter', 'The account did not exist then');
	return now - at;
}

/**
 * Lists an account, whose row the database has lost, under the address of its owner. If the owner has deleted the account,
 * this removes the owner's rows in a restored database. A repetition changes nothing.
 */
export async function attachAccount(
	services: ManageServices & Pick<Services, 'people'>,
	accountId: string,
	email: string,
): Promise<{ suspendedAt: number | null; closedAt: number | null }> {
	const account = services.accounts(accountId);
	// The object itself is asked, since nothing else may know of it. One that was never opened has no books.
	if (!isLiveAccount(accountId) || (await account.check()) === null)
		throw new ServiceError('account_not_found', 'There is no such account');
	await audit(services, 'account.attach', accountId, {});
	const { suspendedAt, closedAt } = await account.show();
	const createdAt = services.clock.now();
	const known = closedAt === null ? email : '';
	await services.directory.attachAccount({ id: accountId, email: known, createdAt, suspendedAt, closedAt });
	const owner = closedAt === null ? null : await services.people.findByAccount(accountId);
	if (owner !== null) await services.people.remove(owner, closedAt ?? createdAt);
	return { suspendedAt, closedAt };
}
