import type { AccountPort } from './object-port.ts';
import type { BalanceView } from '../../core/credits/balance.ts';
import { testAccountOf } from '../../core/keys/api-key.ts';
import { ServiceError } from '../../errors.ts';
import { describeError, log } from '../../lib/log.ts';
import { grantAgain } from '../payments/settle-purchases.ts';
import type { AccountRef } from './port.ts';
import { audit, requireAccount } from './steps/manage.ts';
import type { ManageServices } from './steps/manage.ts';
import type { Services } from '../../services.ts';

// How far back the platform keeps the storage of an object.
const RESTORABLE_MS = 30 * 86_400_000;

export type RestoreServices = ManageServices & Pick<Services, 'auditedListing' | 'purchases' | 'hasRecovery'>;

/** Where to go back to: a time (epoch ms), or a bookmark of the platform. */
export type RestoreTarget = { readonly at: number } | { readonly bookmark: string };

export interface RestoreAccountRequest {
	readonly to: RestoreTarget;
	/** False: the restore changes nothing, and the answer says what it would change. */
	readonly confirmed: boolean;
}

/** The account before a restoration. */
export interface RestorePlan {
	readonly balance: BalanceView;
	/** Epoch milliseconds. */
	readonly suspendedAt: number | null;
	/** How far back it goes; null for a bookmark, which does not tell. */
	readonly backMs: number | null;
}

/** The account afterwards. */
export interface Restored {
	readonly balance: BalanceView;
	readonly suspendedAt: number | null;
	/** The bookmark that undoes it. */
	readonly undo: string;
	/** Purchases that were paid since and are granted again, and those that a person has to look at. */
	readonly purchases: { readonly granted: readonly string[]; readonly toReview: readonly string[] };
}

/**
 * Takes an account's object back in time: keys, credits, ledger, jobs, webhooks. R2 and D1 stay as they are, but for the
 * suspension that D1 lists. Wherever it breaks off it can be repeated: the way back stands in the audit trail before
 * anything is prepared. Throws `ServiceError` `account_not_found`, `account_closed`, `invalid_parameter`,
 * `upstream_unavailable`.
 */
export async function restoreAccount(
	services: RestoreServices,
	account: AccountRef,
	request: RestoreAccountRequest,
): Promise<{ readonly plan: RestorePlan; readonly restored: Restored | null }> {
	const { accountId } = account;
	const { to, confirmed } = request;
	const { createdAt } = await requireAccount(services, account);
	// Jobs that their owner had deleted stay deleted.
	const listed = await services.auditedListing.findStanding(accountId);
	const store = services.accounts(accountId);
	// Either may have gone back to before that.
	const books = await store.auditBooks({ now: services.clock.now() });
	if ((listed?.closedAt ?? books?.closedAt ?? null) !== null)
		throw new ServiceError('account_closed', 'The account is closed: its owner deleted it');
	const backMs = 'at' in to ? reach(services.clock.now(), createdAt, to.at) : null;
	const { balance, suspendedAt } = await store.show();
	const plan = { balance, suspendedAt, backMs };
	if (!confirmed) return { plan, restored: null };
	if (!services.hasRecovery)
		throw new ServiceError('upstream_unavailable', 'A local service has no point-in-time recovery');
	const undo = await goBack(services, account, to);
	await store.ring();
	const purchases = await grantAgain(services, account);
	const now = await store.show();
	await services.accounts(testAccountOf(accountId)).suspend({ at: now.suspendedAt });
	await services.directory.setSuspended(accountId, now.suspendedAt);
	return { plan, restored: { balance: now.balance, suspendedAt: now.suspendedAt, undo, purchases } };
}

/** How far back a time is. Throws where the account can't go back to it. */
function reach(now: number, createdAt: number, at: number): number {
	if (at > now) throw new ServiceError('invalid_parameter', 'The time is in the future');
	if (now - at > RESTORABLE_MS)
		throw new ServiceError('invalid_parameter', 'The time is more than 30 days ago');
	if (at <= createdAt) throw new ServiceError('invalid_parameter', 'The account did not exist then');
	return now - at;
}

/** Goes back and starts again. Returns the bookmark that undoes it. */
async function goBack(
	services: RestoreServices,
	{ accountId }: AccountRef,
	to: RestoreTarget,
): Promise<string> {
	const store = services.accounts(accountId);
	const found = await store.findBookmarks({ at: 'at' in to ? to.at : null });
	const bookmark = 'at' in to ? found.bookmark : to.bookmark;
	if (bookmark === null) throw new ServiceError('upstream_unavailable', 'There is no bookmark of that time');
	const target = 'at' in to ? { at: new Date(to.at).toISOString(), bookmark } : { bookmark };
	// With the way back, in case we die before the exact one is noted.
	await audit(services, 'account.restore', accountId, { ...target, current: found.current });
	const { undo, session } = await store.prepareRestore({ bookmark });
	await audit(services, 'account.restore_prepared', accountId, { bookmark, undo });
	await restart(store, accountId, session);
	return undo;
}

/** Ends the session. The call that does so breaks; a repeated one returns once another session runs. */
async function restart(store: AccountPort, accountId: string, session: string): Promise<void> {
	try {
		await store.restart({ session });
	} catch (error) {
		log('account_restarted', { account: accountId, ...describeError(error) }, 'info');
		await store.restart({ session });
	}
}
