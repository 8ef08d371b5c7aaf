import { dayOf } from '../../../core/credits/usage.ts';
import { endOf, replaces } from '../../../core/outcomes/outcome.ts';
import type { ToldOutcome } from '../../../core/outcomes/outcome.ts';
import { DAY_MS } from '../../../lib/time.ts';
import type { Digests, KeptOutcome, RecordResult, Recorded } from '../../../operations/outcomes/port.ts';
import type { Sql } from '../../sql.ts';
import type { AccountContext } from '../context.ts';
import { isAccountShut } from '../suspension.ts';
import {
	count,
	deleteEnded,
	endOfScore,
	findOutcome,
	readCounts,
	setWrittenOn,
	takeScore,
	writeOutcome,
	writeScore,
	writtenOn,
} from './storage.ts';
import type { OutcomeRow, Placed } from './storage.ts';

/** How many outcomes an account may have written in a day (UTC), which is two lists of the largest size. */
export const WRITTEN_PER_DAY_MAX = 100_000;

// A caller that only has the day of a message names its beginning.
const SLACK_MS = DAY_MS;
// A later report within this time corrects that of the same message. A bounce months later is another message's.
const SAME_MESSAGE_MS = 7 * DAY_MS;

/** The kept outcome of each address, in their order; null: none. */
export function findOutcomes(
	{ sql }: AccountContext,
	{
		now,
		addresses,
	}: {
		now: number;
		addresses: readonly Digests[];
	},
) {
	return addresses.map((digests) => keptOutcome(sql, digests, now));
}

/** How many outcomes each band has had. */
export function countOutcomes({ sql, credits }: AccountContext) {
	return credits.exists ? readCounts(sql) : [];
}

/** The stored outcome of the account's own message to an address. */
export function keptOutcome(sql: Sql, digests: Digests, now: number): KeptOutcome | null {
	const found = findOutcome(sql, digests, now);
	return found === null ? null : { kind: found.kind, at: found.at };
}

/** Deletes what has ended, and has the alarm ring for the rest. */
export function forgetEnded({ sql, wakeBy }: Pick<AccountContext, 'sql' | 'wakeBy'>, now: number): void {
	const next = deleteEnded(sql, now);
	if (next !== null) wakeBy(ringFor(next));
}

/** Once a day is often enough, since nothing that has ended is read. */
function ringFor(endsAt: number): number {
	return Math.ceil(endsAt / DAY_MS) * DAY_MS;
}

/** Repeating a call changes nothing. */
export function recordOutcomes(
	{ sql, wakeBy }: AccountContext,
	{
		now,
		outcomes,
	}: {
		now: number;
		outcomes: readonly (ToldOutcome & { readonly digests: Digests })[];
	},
): RecordResult {
	const day = dayOf(now);
	const before = writtenOn(sql, day);
	const news = newsAmong(sql, outcomes, now);
	if (before + news.rows.length > WRITTEN_PER_DAY_MAX) {
		const resetSeconds = Math.ceil((Math.floor(now / DAY_MS) + 1) * (DAY_MS / 1000) - now / 1000);
		const window = { limit: WRITTEN_PER_DAY_MAX, remaining: WRITTEN_PER_DAY_MAX - before, resetSeconds };
		return { kind: 'too_many_today', window };
	}
	for (const { report, known } of news.rows) {
		const [digest = '', ...others] = report.digests;
		const placed = placeOf(sql, report, known, now);
		writeOutcome(sql, { digest, kind: report.kind, at: report.at, placed }, others);
		wakeBy(ringFor(endOf(report)));
	}
	if (news.rows.length > 0) setWrittenOn(sql, day, before + news.rows.length);
	return { kind: 'recorded', ...news.tally };
}

interface News {
	readonly report: {
		now: number;
		outcomes: readonly (ToldOutcome & { readonly digests: Digests })[];
	}['outcomes'][number];
	readonly known: OutcomeRow | null;
}

/** The outcomes that change something, one for each address, and how many do not. Writes nothing. */
function newsAmong(
	sql: Sql,
	outcomes: {
		now: number;
		outcomes: readonly (ToldOutcome & { readonly digests: Digests })[];
	}['outcomes'],
	now: number,
): { readonly rows: readonly News[]; readonly tally: Recorded } {
	const byAddress = new Map<string, News>();
	let expired = 0;
	for (const report of outcomes) {
		if (endOf(report) <= now) {
			expired += 1;
			continue;
		}
		const [digest = ''] = report.digests;
		const earlier = byAddress.get(digest);
		const known = earlier === undefined ? findOutcome(sql, report.digests, now) : earlier.known;
		if (replaces(report, earlier?.report ?? known)) byAddress.set(digest, { report, known });
	}
	const rows = [...byAddress.values()];
	const unchanged = outcomes.length - expired - rows.length;
	return { rows, tally: { recorded: rows.length, unchanged, expired } };
}

/** Counts the outcome in the band of its address, once for each message, and returns the band. */
function placeOf(
	sql: Sql,
	report: ToldOutcome & { readonly digests: Digests },
	known: OutcomeRow | null,
	now: number,
): Placed | null {
	const placed = takeScore(sql, report.digests, { now, until: report.at + SLACK_MS });
	if (placed !== null) {
		count(sql, placed, report.kind, 1);
		return placed;
	}
	if (known === null || known.placed === null || report.at - known.at > SAME_MESSAGE_MS) return null;
	// Delivered at first, and then it bounced: the same message, counted before.
	if (known.kind !== report.kind) {
		count(sql, known.placed, known.kind, -1);
		count(sql, known.placed, report.kind, 1);
	}
	return known.placed;
}

/** Remembers for some weeks which band the signals put an address in, so that its outcome can be counted there. */
export function noteScores(
	account: AccountContext,
	{
		now,
		scorecard,
		scores,
	}: {
		now: number;
		scorecard: string;
		scores: readonly { readonly digests: Digests; readonly band: number }[];
	},
): void {
	const { sql, wakeBy } = account;
	// A list of a deleted account may still be on its way.
	if (isAccountShut(sql) || scores.length === 0) return;
	for (const { digests, band } of scores) {
		const [digest] = digests;
		if (digest !== undefined) writeScore(sql, digest, { scorecard, band }, now);
	}
	wakeBy(ringFor(endOfScore(now)));
}
