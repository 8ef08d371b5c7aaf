import type { DeliveryView, SigningSecret } from '../../../operations/webhooks/port.ts';
import type { Sql } from '../../sql.ts';
import type { AccountContext } from '../context.ts';
import { renewed, signing } from './endpoints.ts';
import { CALLBACKS, DELIVERY } from './outbox.ts';

// The callbacks of jobs: each tells one URL of the end of one job. They are sent one after the other, and all are signed with
// one secret of the account.

type Books = Pick<AccountContext, 'sql' | 'credits'>;

/** Keeps a sealed secret, unless the account has one. */
export function keepCallbackSecret(sql: Sql, secret: string): void {
	const first = JSON.stringify(renewed(null, secret, 0));
	sql.rows('UPDATE account SET callback = ? WHERE callback IS NULL', first);
}

/** Null: no job had a callback so far, and the owner asked for no secret. */
export function callbackSecret({ credits }: Pick<Books, 'credits'>): SigningSecret | null {
	return credits.read()?.callback ?? null;
}

/** Replaces the secret by a sealed one. One that is current already changes nothing. */
export function renewCallbackSecret(
	{ sql, credits }: Books,
	{ secret, now }: { readonly secret: string; readonly now: number },
): SigningSecret {
	const { callback: current } = credits.require();
	if (current?.secret === secret) return current;
	const callback = renewed(current?.secret ?? null, secret, now);
	sql.update('account', { id: 1 }, { callback });
	return callback;
}

/** The sealed secrets that sign callbacks now, the current one first. */
export function callbackSecretsOf(account: Pick<Books, 'credits'>, now: number): readonly string[] {
	const { callback } = account.credits.require();
	return callback === null ? [] : signing(callback, now);
}

/** The delivery of a job that ended then; null: it has none, or its time is over. */
export function findCallback(sql: Sql, jobId: string, endedAt: number): DeliveryView | null {
	const query = `SELECT ${DELIVERY} FROM outbox WHERE target = ? AND at = ? AND id = ?`;
	return sql.first<DeliveryView>(query, CALLBACKS, endedAt, jobId);
}
