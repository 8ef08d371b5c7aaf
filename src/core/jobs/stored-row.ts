import { assert } from '../../lib/assert.ts';
import { escapeOf } from '../../lib/text.ts';
import { parseAddress } from '../address/parse-address.ts';
import type { Address } from '../address/parse-address.ts';
import { isFreeAnswer } from '../credits/free-answers.ts';
import type { Breakdown } from '../catchall/breakdown.ts';
import { listEffectOf } from '../catchall/breakdown.ts';
import type { Evidence } from '../verification/evidence.ts';
import { decidedBy, renderResult } from '../verification/render.ts';
import type { ListFacts, Outcome, ValidationMethod, VerificationResult } from '../verification/render.ts';
import { SUB_STATUSES, isUnknown, retryAfterOf, statusOf } from '../verification/sub-status.ts';
import type { Status, SubStatus } from '../verification/sub-status.ts';
import { OPEN_LENGTH } from './open-row.ts';
import type { OpenRow } from './open-row.ts';

/** A final result, as compact as JSON allows: 50,000 of them are 7 MB. `renderRow` makes the full result from it. */
export type StoredRow = readonly [
	/** Position in the cleaned list. */
	index: number,
	email: string,
	subStatus: SubStatus,
	method: ValidationMethod,
	catchAll: boolean | null,
	/** The lists' facts about the address, as bits, in the order of `FLAGS`. */
	flags: number,
	suggestedDomain: string | null,
	mxRecord: string | null,
	implicitMx: string | null,
	smtpProvider: string | null,
	gateway: string | null,
	replyCode: string | null,
	note: string | null,
	/** Epoch milliseconds. */
	verifiedAt: number,
];

/**
 * A row of a job that resolves catch-all addresses itself: the final result, the score of the deep check and, if the
 * list's other addresses changed it, by how many points.
 */
export type ScoredRow = readonly [...StoredRow, score: number, listEffect?: number];

/** A row of a catch-all task: the final result, its score, and the score's breakdown. */
export type JudgedRow = readonly [...StoredRow, score: number, breakdown: Breakdown];

/** The judgement of a catch-all task on an address. */
export interface Judged {
	/** 0-100, whole. */
	readonly score: number;
	readonly breakdown: Breakdown;
}

export type FinalRow = StoredRow | ScoredRow | JudgedRow;
export type PartRow = FinalRow | OpenRow;

/** Final rows by outcome; `catchAll` counts those of catch-all domains, whatever their status. */
export type RowCounts = Readonly<Record<Status | 'catchAll', number>>;

export const NO_COUNTS: RowCounts = { deliverable: 0, undeliverable: 0, risky: 0, unknown: 0, catchAll: 0 };

/** Counts of rows. They are totals, not differences, so that recording them twice changes nothing. */
export interface PartTally extends RowCounts {
	/** Addresses without a final row. */
	readonly deferred: number;
	/** Unknown rows that cost a question. */
	readonly free: number;
	/** Unknown rows that another question may change. */
	readonly retry: number;
}

const FLAGS = ['freeEmail', 'roleAccount', 'disposable', 'noReply'] as const;
type Flag = (typeof FLAGS)[number];
const STORED_LENGTH = 14;
const JUDGED_LENGTH = 16;

/** The row of a finished address, without the score of a deeper check. */
export function toStoredRow(
	index: number,
	{ email }: Pick<Address, 'email'>,
	lists: ListFacts,
	outcome: Outcome,
	now: number,
): StoredRow {
	return [
		index,
		email,
		outcome.subStatus,
		outcome.method,
		outcome.catchAll,
		flagsOf(lists),
		lists.suggestedDomain,
		outcome.mxRecord,
		outcome.implicitMx,
		outcome.smtpProvider,
		outcome.gateway,
		outcome.replyCode,
		outcome.note ?? null,
		now,
	];
}

/** The row of an address that a job has scored itself. `listEffect`: what its list added to the score, in points. */
export function toScoredRow(row: StoredRow, score: number, listEffect = 0): ScoredRow {
	return listEffect === 0 ? [...row, score] : [...row, score, listEffect];
}

/** The row of an address that a catch-all task has judged. */
export function toJudgedRow(row: StoredRow, { score, breakdown }: Judged): JudgedRow {
	return [...row, score, breakdown];
}

/** The judgement of a task's row; null: the row has none. */
export function judgementOf(row: FinalRow): Judged | null {
	const [score, breakdown] = [row[14], row[15]];
	return score === undefined || typeof breakdown !== 'object' ? null : { score, breakdown };
}

/** By how many points the other addresses of its list changed the score of the row's address; 0: they did not. */
export function listEffectIn(row: FinalRow): number {
	const last = row[15];
	if (last === undefined) return 0;
	return typeof last === 'number' ? last : listEffectOf(last);
}

// Each row has a due time of its own. If a part ran once for each, it would be stored as often.
const GATHER_MS = 60_000;

/**
 * When the part's next attempt begins: when its first deferred row is due, or, of a list, a little later if others are
 * due by then. Null: none is deferred.
 */
export function nextDueAt(rows: readonly PartRow[], isSmall: boolean): number | null {
	const due = rows.flatMap((row) => (isDeferred(row) ? [row[5]] : []));
	if (due.length === 0) return null;
	const soonest = due.reduce((least, at) => Math.min(least, at));
	const gathered = soonest + (isSmall ? 0 : GATHER_MS);
	return due.reduce((latest, at) => (at <= gathered ? Math.max(latest, at) : latest), soonest);
}

/** Makes the final row of an address that is not asked again, from its deferred row. */
export function giveUp([index, email, , subStatus]: OpenRow, lists: ListFacts, now: number): StoredRow {
	const method = subStatus === 'dns_error' ? 'dns' : 'smtp';
	return toStoredRow(index, { email }, lists, decidedBy(method, subStatus), now);
}

/** The evidence that a row keeps: code and status of the reply, and the rule that decided. */
export function evidenceIn([, , subStatus, , , , , , , , , replyCode]: FinalRow): readonly Evidence[] {
	const decided = { step: 'rule', at_ms: 0, rule: subStatus } as const;
	if (replyCode === null) return [decided];
	const [code, enhanced] = replyCode.split(' ');
	const status = enhanced === undefined ? {} : { enhanced };
	return [{ step: 'rcpt', at_ms: 0, code: Number(code), ...status }, decided];
}

/** Whether the row has no final answer yet. */
export function isDeferred(row: PartRow): row is OpenRow {
	return row[2] === null;
}

/**
 * The result as the API returns it, made by the same code as that of a single call.
 *
 * @param beside the score by a later catch-all task, shown beside the job's own result
 */
export function renderRow(row: FinalRow, beside: number | null = null): VerificationResult {
	const [, email, subStatus, method, catchAll, flags, suggestedDomain, ...rest] = row;
	const [mxRecord, implicitMx, smtpProvider, gateway, replyCode, note, verifiedAt] = rest;
	const parsed = parseAddress(email);
	assert(parsed.ok, 'a stored address was parsed before');
	const server = { mxRecord, implicitMx, smtpProvider, gateway, replyCode };
	// A row that its job scored keeps that score: its status follows from it.
	const catchAllScore = row[14] ?? beside;
	const outcome = { subStatus, method, catchAll, catchAllScore, ...server };
	return renderResult(
		parsed.address,
		{ ...listsOf(flags), suggestedDomain },
		note === null ? outcome : { ...outcome, note },
		verifiedAt,
	);
}

const BEYOND_ASCII = /[\u0080-\uffff]/g;

/**
 * One JSON array a line, without a line break at the end; no rows make an empty text. It is ASCII: one character beyond
 * Latin-1 would make a whole text take two octets for each of its characters in memory.
 */
export function encodeRows(rows: Iterable<PartRow>): string {
	return Array.from(rows, (row) => JSON.stringify(row).replace(BEYOND_ASCII, escapeOf)).join('\n');
}

/** The rows of a text that `encodeRows` made. */
export function decodeRows(text: string): PartRow[] {
	return text === '' ? [] : text.split('\n').map(decodeRow);
}

/** One line of such a text. */
export function decodeRow(line: string): PartRow {
	const row: unknown = JSON.parse(line);
	assert(isRow(row), 'a line of a stored text is a row');
	return row;
}

/** The tally of no rows. */
export const NOTHING: PartTally = { ...NO_COUNTS, deferred: 0, free: 0, retry: 0 };

/** Counts rows. */
export function tallyRows(rows: Iterable<PartRow>): PartTally {
	const tally = { ...NOTHING };
	for (const row of rows) {
		if (isDeferred(row)) {
			tally.deferred += 1;
			continue;
		}
		tally[statusOf(row[2])] += 1;
		if (isFreeAnswer(row[2])) tally.free += 1;
		if (retryAfterOf(row[2], row[11], row[13]) !== null) tally.retry += 1;
		if (row[4] === true) tally.catchAll += 1;
	}
	return tally;
}

function flagsOf(lists: ListFacts): number {
	return FLAGS.reduce((bits, name, at) => (lists[name] ? bits | (1 << at) : bits), 0);
}

function listsOf(flags: number): Pick<ListFacts, Flag> {
	const lists = FLAGS.map((name, at) => [name, (flags & (1 << at)) !== 0] as const);
	return Object.fromEntries(lists) as Record<Flag, boolean>;
}

/** Checks only the fields that tell the kinds of rows apart, since the row is ours. */
function isRow(value: unknown): value is PartRow {
	if (!Array.isArray(value)) return false;
	const [index, email, subStatus, last]: readonly unknown[] = value;
	if (!Number.isSafeInteger(index) || typeof email !== 'string') return false;
	return subStatus === null
		? value.length === OPEN_LENGTH && isSubStatus(last) && isUnknown(last)
		: value.length >= STORED_LENGTH && value.length <= JUDGED_LENGTH && isSubStatus(subStatus);
}

function isSubStatus(value: unknown): value is SubStatus {
	return typeof value === 'string' && Object.hasOwn(SUB_STATUSES, value);
}
