import {
	ATTEMPTS_MAX,
	DELIVERIES_KEPT_MS,
	ENDED_MAX,
	WAITING_MAX,
	dueAfterDeath,
	judgeAttempt,
	pauseAfter,
} from '../../../core/webhooks/delivery.ts';
import type { AfterAttempt, DeliveryFault, DeliveryReply } from '../../../core/webhooks/delivery.ts';
import type { SentEventType } from '../../../core/webhooks/events.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../lib/time.ts';
import type { DeliveryView } from '../../../operations/webhooks/port.ts';
import type { Sql } from '../../sql.ts';

/**
 * The targets of mails to the owner, of jobs for the operators' listing, and of the callbacks of jobs. All others are
 * endpoints.
 */
export const OWNER = 'owner';
export const LISTING = 'listing';
export const CALLBACKS = 'callbacks';

/** The columns of a `DeliveryView`. */
export const DELIVERY = 'id, kind, status, at, attempts, dueAt, lastAt, lastCode, fault';

/** News that are no events: a list has ended, an endpoint is disabled, credits are low; a job. `id` names what they are about. */
type NewsKind = 'mail.done' | 'mail.disabled' | 'mail.low' | 'job';

/** Something to tell, or an event that an endpoint got. `dueAt`: while an attempt is under way, when it is due if we die. */
export interface Outgoing extends Omit<DeliveryView, 'kind'> {
	readonly target: string;
	readonly kind: SentEventType | NewsKind;
	readonly body: string;
}

interface Course {
	/** The pause after an attempt that failed (from 1); undefined: it was the last. */
	readonly pauseAfter: typeof pauseAfter;
	/** How long it is news: older things are not told any more. */
	readonly newsMs: number;
}

const EVENTS: Course = { pauseAfter, newsMs: Infinity };
// A mail is tried for a day. The pages say what it says in any case.
const COURSES: Readonly<Record<NewsKind, Course>> = {
	'mail.done': { pauseAfter: () => 5 * MINUTE_MS, newsMs: DAY_MS },
	'mail.disabled': { pauseAfter: () => HOUR_MS, newsMs: DAY_MS + HOUR_MS },
	'mail.low': { pauseAfter: () => HOUR_MS, newsMs: DAY_MS + HOUR_MS },
	job: { pauseAfter: () => 5 * MINUTE_MS, newsMs: Infinity },
};
// Longer than an attempt: one that is under way plans its own.
const LOOK_AGAIN_MS = MINUTE_MS;
const DUE = 'outbox INDEXED BY outboxDue WHERE dueAt IS NOT NULL AND target = ?';

function isNews(kind: Outgoing['kind']): kind is NewsKind {
	return Object.hasOwn(COURSES, kind);
}

function courseOf(kind: Outgoing['kind']): Course {
	return isNews(kind) ? COURSES[kind] : EVENTS;
}

/**
 * All that the account still has to tell, and the events that it told. A row is written in the transaction in which the
 * thing happens; the alarm sends it from there. An attempt is counted and planned again before it is made, so it is made
 * twice rather than never. An event keeps its row after its end, other news do not.
 */
export class Outbox {
	readonly #sql: Sql;
	readonly #wakeBy: (at: number) => void;

	/** @param wakeBy has the alarm ring by then */
	constructor(sql: Sql, wakeBy: (at: number) => void) {
		this.#sql = sql;
		this.#wakeBy = wakeBy;
	}

	/** Has something told, at once or later. The oldest of too many events that wait for an endpoint end. */
	add(news: Pick<Outgoing, 'target' | 'id' | 'kind' | 'at' | 'body'>, dueAt = news.at): void {
		const { target, at } = news;
		if (!isNews(news.kind)) {
			const waiting = this.#count('dueAt IS NOT NULL AND target = ?', target);
			if (waiting >= WAITING_MAX) this.endWaiting(target, 'too_many', waiting + 1 - WAITING_MAX);
			this.#prune(target, at);
		}
		const unsent = { status: 'waiting', attempts: 0, dueAt, lastAt: null, lastCode: null, fault: null };
		this.#sql.insert('outbox', { ...news, ...unsent });
		this.#wakeBy(dueAt);
	}

	/** An event for an endpoint. */
	find(target: string, id: string): (Outgoing & DeliveryView) | null {
		return this.#sql.first<Outgoing & DeliveryView>(
			'SELECT * FROM outbox WHERE target = ? AND id = ?',
			target,
			id,
		);
	}

	/** The events of an endpoint, the newest first. */
	list(target: string, limit: number, offset: number): readonly DeliveryView[] {
		const query = `SELECT ${DELIVERY} FROM outbox
			WHERE target = ? ORDER BY at DESC, id DESC LIMIT ? OFFSET ?`;
		return this.#sql.all<DeliveryView>(query, target, limit, offset);
	}

	count(target: string): number {
		return this.#count('target = ?', target);
	}

	/** Forgets all for a target, or what is about one thing. */
	drop(target: string, id: string | null = null): void {
		this.#sql.rows('DELETE FROM outbox WHERE target = ?1 AND (?2 IS NULL OR id = ?2)', target, id);
	}

	/** Has an event told again, at once and with all its attempts. */
	replay(sent: Outgoing, now: number): void {
		this.#change(sent, { status: 'waiting', attempts: 0, dueAt: now, fault: null });
		this.#wakeBy(now);
	}

	/** Ends events that wait: all, or the oldest so many. */
	endWaiting(target: string, fault: DeliveryFault, most = -1): void {
		this.#sql.rows(
			`UPDATE outbox SET status = 'failed', dueAt = NULL, fault = ?1 WHERE target = ?2 AND (at, id) IN
				(SELECT at, id FROM outbox WHERE target = ?2 AND dueAt IS NOT NULL ORDER BY at, id LIMIT ?3)`,
			fault,
			target,
			most,
		);
	}

	/** The targets for which something is due. Sets the alarm for the rest, and deletes events whose time is over. */
	wake(targets: readonly string[], now: number): readonly string[] {
		return targets.filter((target) => {
			const ended = 'SELECT at FROM outbox WHERE target = ? AND dueAt IS NULL ORDER BY at LIMIT 1';
			if ((this.#time(ended, target) ?? now) < now - DELIVERIES_KEPT_MS) this.#prune(target, now);
			const oldest = this.#time(ended, target);
			if (oldest !== null) this.#wakeBy(oldest + DELIVERIES_KEPT_MS + 1);
			const later = this.#time(`SELECT MIN(dueAt) AS at FROM ${DUE} AND dueAt > ?`, target, now);
			if (later !== null) this.#wakeBy(later);
			const isDue = this.#time(`SELECT MIN(dueAt) AS at FROM ${DUE} AND dueAt <= ?`, target, now) !== null;
			if (isDue) this.#wakeBy(now + LOOK_AGAIN_MS);
			return isDue;
		});
	}

	/** Begins the attempt that has been due for longest at a target; null: none is. */
	begin(target: string, now: number): Outgoing | null {
		for (;;) {
			const query = `SELECT * FROM ${DUE} AND dueAt <= ? ORDER BY dueAt LIMIT 1`;
			const due = this.#sql.first<Outgoing>(query, target, now);
			if (due === null) return null;
			const { newsMs, ...course } = courseOf(due.kind);
			if (now >= due.at + newsMs) this.drop(target, due.id);
			// We died amid the last one.
			else if (!isNews(due.kind) && due.attempts >= ATTEMPTS_MAX)
				this.#change(due, { status: 'failed', dueAt: null, fault: 'unfinished' });
			else {
				const attempts = due.attempts + 1;
				const dueAt = dueAfterDeath(attempts, now, course.pauseAfter);
				this.#wakeBy(dueAt);
				return this.#change(due, { attempts, dueAt, lastAt: now });
			}
		}
	}

	/** Records how an attempt ended. Null: it was overtaken (replayed, ended or removed meanwhile), which changes nothing. */
	end(attempt: Outgoing, reply: DeliveryReply, now: number): AfterAttempt | null {
		const { target, at, id, kind, attempts } = attempt;
		const query = 'SELECT * FROM outbox WHERE target = ? AND at = ? AND id = ?';
		const stored = this.#sql.first<Outgoing>(query, target, at, id);
		if (stored?.attempts !== attempts || stored.dueAt !== attempt.dueAt) return null;
		const after = judgeAttempt(attempts, reply, now, courseOf(kind).pauseAfter);
		const lastCode = reply.kind === 'answered' ? reply.code : null;
		const fault = reply.kind === 'fault' ? reply.fault : null;
		if (after.kind === 'put_off') this.#change(stored, { attempts: attempts - 1, dueAt: after.at });
		else if (after.kind === 'retry') this.#change(stored, { lastCode, fault, dueAt: after.at });
		else if (isNews(kind)) this.drop(target, id);
		else {
			const status = after.kind === 'delivered' ? 'delivered' : 'failed';
			this.#change(stored, { lastCode, fault, status, dueAt: null });
		}
		if ('at' in after) this.#wakeBy(after.at);
		return after;
	}

	/** Deletes ended events that are too old, and all but the newest so many. */
	#prune(target: string, now: number): void {
		const oldest = this.#sql.first<{ at: number }>(
			'SELECT at FROM outbox WHERE target = ? AND dueAt IS NULL ORDER BY at DESC LIMIT 1 OFFSET ?',
			target,
			ENDED_MAX,
		);
		const before = Math.max(now - DELIVERIES_KEPT_MS, (oldest?.at ?? -1) + 1);
		this.#sql.rows('DELETE FROM outbox WHERE target = ? AND at < ? AND dueAt IS NULL', target, before);
	}

	#change(row: Outgoing, changes: Partial<Outgoing>): Outgoing {
		this.#sql.update('outbox', { target: row.target, at: row.at, id: row.id }, changes);
		return { ...row, ...changes };
	}

	#count(which: string, target: string): number {
		return this.#time(`SELECT COUNT(*) AS at FROM outbox WHERE ${which}`, target) ?? 0;
	}

	#time(query: string, ...bindings: (string | number)[]): number | null {
		return this.#sql.first<{ at: number | null }>(query, ...bindings)?.at ?? null;
	}
}
