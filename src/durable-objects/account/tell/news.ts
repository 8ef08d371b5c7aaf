import { viewOfBalance } from '../../../core/credits/balance.ts';
import { JOB_KINDS } from '../../../core/jobs/kinds.ts';
import { isFailingTooLong } from '../../../core/webhooks/delivery.ts';
import type { DeliveryReply } from '../../../core/webhooks/delivery.ts';
import { crossed } from '../../../core/webhooks/events.ts';
import { newId } from '../../../lib/encodings.ts';
import { assert } from '../../../lib/assert.ts';
import { within } from '../../../lib/time.ts';
import { describeError, log } from '../../../lib/log.ts';
import type { JobRecord, ListedJob, WebhookEvent } from '../../../operations/jobs/port.ts';
import type { AccountContext, Outside } from '../context.ts';
import { findJob, findStored } from '../jobs/record.ts';
import { changeEndpoint, disable, findEndpoint, secretsOf } from './endpoints.ts';
import { callbackSecretsOf } from './callbacks.ts';
import { CALLBACKS, LISTING, OWNER } from './outbox.ts';
import type { Outgoing } from './outbox.ts';

type Context = Pick<AccountContext, 'sql' | 'credits' | 'outbox' | 'render'>;

/** Has the end of a job or a task told, in the transaction that ends it. */
export function jobEnded(account: Context, job: JobRecord, now: number): void {
	assert(job.status !== 'processing', 'a job that ended does not run');
	const type = JOB_KINDS[job.kind].events[job.status];
	const event = { type, at: now, data: job } as const;
	publish(account, event);
	if (job.callbackUrl !== null) {
		const body = account.render(event);
		account.outbox.add({ target: CALLBACKS, id: job.jobId, kind: type, at: now, body });
	}
	if (job.mailWhenDone)
		account.outbox.add({ target: OWNER, id: job.jobId, kind: 'mail.done', at: now, body: '' });
}

/** Has it told that the balance has just fallen below the threshold: once for each fall, until it has risen again. */
export function noticeCredits(account: Context, now: number): void {
	const { sql, credits, outbox } = account;
	const found = sql.first<{ below: number | null }>("SELECT creditsLow ->> '$.below' AS below FROM account");
	const below = found?.below ?? null;
	if (below === null) return;
	const state = credits.require();
	const balance = viewOfBalance(state);
	const next = crossed(state.creditsLow, balance.balance);
	if (next === null) return;
	sql.update('account', { id: 1 }, { creditsLow: next });
	outbox.drop(OWNER, 'low');
	if (!next.isLow) return;
	if (next.mails) outbox.add({ target: OWNER, id: 'low', kind: 'mail.low', at: now, body: '' });
	publish(account, { type: 'credits.low', at: now, data: { ...balance, creditsLowBelow: below } });
}

/** Writes an event for each endpoint that asked for it, with its body. */
function publish({ sql, outbox, render }: Context, event: WebhookEvent): void {
	const { type: kind, at } = event;
	// The words are looked for as text: an endpoint whose row is damaged keeps nothing from ending.
	const query = 'SELECT webhookId FROM endpoints WHERE disabledAt IS NULL AND instr(events, ?) > 0';
	const asking = sql.all<{ webhookId: string }>(query, JSON.stringify(kind));
	if (asking.length === 0) return;
	const written = { id: newId('evt'), kind, at, body: render(event) };
	for (const { webhookId } of asking) outbox.add({ target: webhookId, ...written });
}

/** All that the outbox sends to. */
export function targetsOf({ sql }: Pick<AccountContext, 'sql'>): readonly string[] {
	// By name alone: an endpoint whose row is damaged stops no alarm.
	const endpoints = sql.all<{ webhookId: string }>('SELECT webhookId FROM endpoints');
	return [OWNER, LISTING, CALLBACKS, ...endpoints.map(({ webhookId }) => webhookId)];
}

// Much longer than a mail takes to be handed over, or a row to be written.
const TELL_MS = 20_000;
const SENT: DeliveryReply = { kind: 'answered', code: 200 };

/** Sends a row of the outbox. News that are not taken are tried again; for an event the sender knows the reply. */
export async function send(
	account: Pick<AccountContext, 'sql' | 'credits'>,
	outside: Outside,
	accountId: string,
	attempt: Outgoing,
): Promise<DeliveryReply> {
	const { target, id, kind, body, lastAt } = attempt;
	if (target === OWNER || target === LISTING) {
		try {
			// A mailer that hangs must not hold up the alarm, which waits for the owner's mails.
			const sent = await within(
				tell(account, outside, accountId, attempt).then(() => SENT),
				TELL_MS,
			);
			return sent ?? { kind: 'fault', fault: 'timed_out' };
		} catch (error) {
			const about = { account: accountId, kind, id, ...describeError(error) };
			if (target === OWNER) log('owner_not_told', about, 'warn');
			else log('jobs_not_listed', about, 'warn');
			return { kind: 'fault', fault: 'not_connected' };
		}
	}
	const now = lastAt ?? 0;
	const [url, secrets] =
		target === CALLBACKS
			? [findStored(account, id)?.callbackUrl, callbackSecretsOf(account, now)]
			: [findEndpoint(account.sql, target)?.url, secretsOf(account.sql, target, now)];
	return url === undefined || url === null
		? SENT
		: outside.deliver({ webhookId: target, url, secrets, eventId: id, body, now });
}

async function tell(
	account: Pick<AccountContext, 'sql' | 'credits'>,
	outside: Outside,
	accountId: string,
	{ id, kind }: Outgoing,
): Promise<void> {
	const { sql, credits } = account;
	if (kind === 'job') {
		const job = sql.first<ListedJob>('SELECT jobId, createdAt FROM jobs WHERE jobId = ?', id);
		if (job !== null) await outside.listJob(accountId, job);
	} else if (kind === 'mail.done') {
		const job = findJob(account, id);
		if (job !== null) await outside.tellDone({ accountId, job });
	} else if (kind === 'mail.low') {
		const state = credits.require();
		const { balance } = viewOfBalance(state);
		await outside.tellCreditsLow({ accountId, balance, below: state.creditsLow.below ?? 0 });
	} else {
		const endpoint = findEndpoint(sql, id);
		const because = endpoint?.disabledBecause ?? null;
		if (endpoint !== null && because !== null && because !== 'owner')
			await outside.tellDisabled({ accountId, webhookId: id, url: endpoint.url, because });
	}
}

/** Records how an attempt ended, and disables an endpoint that wants no more, or has failed for too long. */
export function endAttempt(
	account: AccountContext,
	attempt: Outgoing,
	reply: DeliveryReply,
	now: number,
): void {
	const { sql, outbox } = account;
	const after = outbox.end(attempt, reply, now);
	const endpoint = findEndpoint(sql, attempt.target);
	if (after === null || after.kind === 'put_off' || endpoint === null) return;
	const failingSince = after.kind === 'delivered' ? null : (endpoint.failingSince ?? now);
	if (failingSince !== endpoint.failingSince) changeEndpoint(sql, attempt.target, { failingSince });
	if (after.kind !== 'given_up') return;
	if (after.gone) disable(account, endpoint, 'gone', now);
	else if (isFailingTooLong(failingSince ?? now, now)) disable(account, endpoint, 'failing', now);
}
