import { DELIVERY_FAR_MS, DELIVERY_LATE_MS } from '../../../core/audit/check-deliveries.ts';
import type { DeliveryFacts, WaitingDelivery } from '../../../core/audit/facts.ts';
import { DELIVERIES_KEPT_MS } from '../../../core/webhooks/delivery.ts';
import { numberOf, numberOrNull, textOf } from '../../sql.ts';
import type { Row, Sql } from '../../sql.ts';

const SHOWN_MAX = 20;

/** The odd ones among the account's deliveries. */
export function deliveryFacts(sql: Sql, now: number): DeliveryFacts {
	const waiting = (query: string, at: number): readonly WaitingDelivery[] =>
		sql
			.rows(
				`SELECT event_id, webhook_id, due_at, attempts FROM webhook_deliveries INDEXED BY due_deliveries
					WHERE due_at IS NOT NULL AND due_at ${query} ORDER BY due_at LIMIT ?`,
				at,
				SHOWN_MAX,
			)
			.map(waitingOf);
	return {
		late: waiting('< ?', now - DELIVERY_LATE_MS),
		far: waiting('> ?', now + DELIVERY_FAR_MS),
		orphaned: orphaned(sql),
	};
}

function waitingOf(row: Row): WaitingDelivery {
	return {
		eventId: textOf(row, 'event_id'),
		webhookId: textOf(row, 'webhook_id'),
		dueAt: numberOf(row, 'due_at'),
		attempts: numberOf(row, 'attempts'),
	};
}

function orphaned(sql: Sql): DeliveryFacts['orphaned'] {
	const counted = (query: string, isGone: boolean): DeliveryFacts['orphaned'] =>
		sql
			.rows(
				`SELECT webhook_id, COUNT(*) AS deliveries FROM webhook_deliveries ${query} GROUP BY webhook_id LIMIT ?`,
				SHOWN_MAX,
			)
			.map((row) => ({
				webhookId: textOf(row, 'webhook_id'),
				deliveries: numberOf(row, 'deliveries'),
				isGone,
			}));
	return [
		// By the indexes: the rows themselves have the bodies of the events.
		...counted(
			'INDEXED BY deliveries_by_time WHERE webhook_id NOT IN (SELECT webhook_id FROM webhooks)',
			true,
		),
		...counted(
			`INDEXED BY due_deliveries WHERE due_at IS NOT NULL
				AND webhook_id IN (SELECT webhook_id FROM webhooks WHERE disabled_at IS NOT NULL)`,
			false,
		),
	];
}

/** The alarm's next task for webhooks and mails, and its time. */
export function toldDue(
	sql: Sql,
	now: number,
): readonly { readonly what: string; readonly at: number | null }[] {
	const first = (query: string): number | null => numberOrNull(sql.rows(query)[0]?.['at']);
	const deliveryAt = first(
		'SELECT MIN(due_at) AS at FROM webhook_deliveries INDEXED BY due_deliveries WHERE due_at IS NOT NULL',
	);
	const endedAt = sql
		.rows('SELECT webhook_id FROM webhooks')
		.map((row) => oldestEnded(sql, textOf(row, 'webhook_id')))
		.filter((at) => at !== null);
	const mailAt = first('SELECT MIN(mail_at) AS at FROM jobs INDEXED BY due_mails WHERE mail_at IS NOT NULL');
	// Many deliveries, a slow endpoint or many lists keep others waiting for longer than an hour: the alarm looks again soon.
	return [
		{ what: 'A delivery', at: deliveryAt === null ? null : Math.max(deliveryAt, now) },
		{
			what: 'A delivery that ended',
			at: endedAt.length === 0 ? null : Math.min(...endedAt) + DELIVERIES_KEPT_MS,
		},
		{ what: 'A mail about an endpoint', at: first('SELECT MIN(tell_at) AS at FROM webhooks') },
		{ what: 'A mail about low credits', at: first('SELECT MIN(tell_at) AS at FROM credits_low') },
		{ what: 'A mail about a list', at: mailAt === null ? null : Math.max(mailAt, now) },
	];
}

function oldestEnded(sql: Sql, webhookId: string): number | null {
	const [row] = sql.rows(
		`SELECT at FROM webhook_deliveries INDEXED BY deliveries_by_time WHERE webhook_id = ? AND due_at IS NULL
			ORDER BY at LIMIT 1`,
		webhookId,
	);
	return row === undefined ? null : numberOf(row, 'at');
}
