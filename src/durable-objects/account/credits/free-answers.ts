import { asksForNothing, freeAnswersLeft } from '../../../core/credits/free-answers.ts';
import { dayOf } from '../../../core/credits/usage.ts';
import { DAY_MS } from '../../../lib/time.ts';
import type { Payer } from '../../../core/turns/who.ts';
import { requireState, usageAt } from './books.ts';
import type { AccountState } from './row.ts';
import type { CreditStorage } from './storage.ts';
import { numberOf, textOf } from '../../sql.ts';
import type { Sql } from '../../sql.ts';

/** Counts free answers of the day. A clock that went back counts on the day that runs. */
export function countFreeAnswers(sql: Sql, answers: number, now: number): void {
	if (answers <= 0) return;
	sql.rows(
		`INSERT INTO free_answers (id, day, answers) VALUES (1, ?, ?)
			ON CONFLICT (id) DO UPDATE SET
				answers = IIF(day >= excluded.day, answers + excluded.answers, excluded.answers),
				day = MAX(day, excluded.day)`,
		dayOf(now),
		answers,
	);
}

/** The free answers so far on the day of `now`. */
export function freeAnswersToday(sql: Sql, now: number): number {
	const [row] = sql.rows('SELECT day, answers FROM free_answers WHERE id = 1');
	if (row === undefined || textOf(row, 'day') < dayOf(now)) return 0;
	return numberOf(row, 'answers');
}

interface Books {
	readonly sql: Sql;
	readonly credits: CreditStorage;
}

/** How many more questions may end without a charge today. */
export function freeAnswersLeftOf({ sql, credits }: Books, now: number): number {
	const state = credits.exists ? credits.read() : null;
	return state === null ? 0 : freeAnswersLeft(state.balance.granted, answersToday(sql, state, now));
}

/**
 * Until when the account pays for the answer to a call. Left out: for as long as it takes. While most of today's answers
 * were free it has a time, which is longer than any answer takes: a prober doubts whether such a question ends with a charge.
 */
export function patienceOf({ sql, credits }: Books, now: number): Pick<Payer, 'paysUntil'> {
	return asksForNothing(answersToday(sql, requireState(credits), now)) ? { paysUntil: now + DAY_MS } : {};
}

function answersToday(sql: Sql, { today }: Pick<AccountState, 'today'>, now: number) {
	const { keys } = usageAt(today, now);
	const charged = Object.values(keys).reduce((sum, usage) => sum + usage.credits, 0);
	return { free: freeAnswersToday(sql, now), charged };
}

/**
 * Counts the free answers of a part, of which `answers` is the sum over all its stored attempts. Final rows stay final,
 * so that sum only grows, and an attempt that is recorded again, or late, adds nothing.
 */
export function countFreeAnswersOfPart(
	sql: Sql,
	{ jobId, part, answers, now }: { jobId: string; part: number; answers: number; now: number },
): void {
	const [row] = sql.rows('SELECT answers FROM free_answers_of_parts WHERE job_id = ? AND n = ?', jobId, part);
	const known = row === undefined ? 0 : numberOf(row, 'answers');
	if (answers <= known) return;
	sql.rows(
		'INSERT OR REPLACE INTO free_answers_of_parts (job_id, n, answers) VALUES (?, ?, ?)',
		jobId,
		part,
		answers,
	);
	countFreeAnswers(sql, answers - known, now);
}

/** Nothing of an ended job is counted any more. */
export function forgetFreeAnswersOf(sql: Sql, jobId: string): void {
	sql.rows('DELETE FROM free_answers_of_parts WHERE job_id = ?', jobId);
}
