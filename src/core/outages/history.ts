// Whether one of our ways out (an egress, the resolver) is out. One dead mail server, or one broken name server, is its
// owner's; many unrelated ones that fail one after the other, with no success between them, are ours. Who is blamed
// wrongly is never asked again; who is put off wrongly is asked a few times in vain.

/** What came of one attempt to lead somewhere by a way out. Epoch milliseconds. */
export interface Sighting {
	/** Who was at the other end. Two that have no name in common are unrelated. */
	readonly parties: readonly string[];
	/** Somebody so large that he is not dead. */
	readonly isGiant: boolean;
	readonly begun: number;
	readonly at: number;
	readonly worked: boolean;
	/** The way out failed without telling that it was the other end: perhaps it never came so far. */
	readonly unexplained?: boolean;
}

/** A time in which a way out led nowhere. */
interface Outage {
	/** When it had last led somewhere; a while ago, where that is longer ago. */
	readonly from: number;
	readonly to: number;
	/** How many of those who were not reached are giants. */
	readonly giants: number;
}

/** Failures since the last success. */
interface Run extends Outage {
	readonly parties: ReadonlySet<string>;
	/** The first name of each giant. There are few, and none is forgotten: each counts once. */
	readonly giantNames: ReadonlySet<string>;
	/** How many have nothing to do with each other. */
	readonly unrelated: number;
}

/** What is remembered of a way out. */
export interface Outlook {
	readonly run: Run | null;
	/** The last runs that were an outage, oldest first. */
	readonly outages: readonly Outage[];
	/** When it last led somewhere. */
	readonly workedAt: number | null;
}

/** `perhaps_ours`: too few giants are among those who failed, so it may as well be a list of the dead. */
export type Blame = 'theirs' | 'perhaps_ours' | 'ours';

const NO_FAILURE = { giants: 0, parties: new Set<string>(), giantNames: new Set<string>(), unrelated: 0 };
export const NOTHING_SEEN: Outlook = { run: null, outages: [], workedAt: null };

/** So many unrelated failures, with no success between them, are an outage. */
export const UNRELATED_MIN = 6;
/** So many giants among them leave no doubt: nobody can make a giant fail to have us believe in an outage. */
export const GIANTS_MIN = 3;
// Somebody's many dead servers, tried all at once, come between two successes of anybody else's within less than this.
const LASTING_MIN_MS = 500;
// What was on its way when an outage began may still have succeeded.
const EDGE_MS = 1_000;
// What nobody confirmed for so long says nothing of now.
const QUIET_MS = 60_000;
const PARTIES_KEPT = 64;
const OUTAGES_KEPT = 16;

/** What is known of a way out after one more attempt. Attempts are told in the order in which they end. */
export function sighted(before: Outlook, sighting: Sighting): Outlook {
	const isStale = before.run !== null && sighting.at - before.run.to > QUIET_MS;
	const current = isStale ? withoutRun(before) : before;
	return sighting.worked ? succeeded(current, sighting) : failed(current, sighting);
}

/** Whose fault it is that somebody was not reached between two moments. */
export function blame(
	{ run, outages }: Outlook,
	{ begun, at }: { readonly begun: number; readonly at: number },
): Blame {
	const all = run !== null && isOutage(run) ? [...outages, run] : outages;
	const meanwhile = all.filter(({ from, to }) => from - EDGE_MS <= at && begun <= to);
	if (meanwhile.length === 0) return 'theirs';
	return meanwhile.some(({ giants }) => giants >= GIANTS_MIN) ? 'ours' : 'perhaps_ours';
}

function isOutage({ from, to, unrelated }: Run): boolean {
	return unrelated >= UNRELATED_MIN && to - from >= LASTING_MIN_MS;
}

function succeeded(before: Outlook, { at }: Sighting): Outlook {
	return { ...withoutRun(before), workedAt: Math.max(before.workedAt ?? at, at) };
}

function failed(before: Outlook, { parties, isGiant, begun, at }: Sighting): Outlook {
	const { workedAt } = before;
	// Others were reached while this one was waited for: the last ones of a list are its slow and its dead.
	if (workedAt !== null && begun < workedAt) return before;
	const from = Math.max(workedAt ?? -Infinity, at - QUIET_MS);
	const run = before.run ?? { ...NO_FAILURE, from, to: at };
	const to = Math.max(run.to, at);
	if (parties.some((party) => run.parties.has(party))) return { ...before, run: { ...run, to } };
	const known = run.parties.size < PARTIES_KEPT ? run.parties : [];
	const giantNames = isGiant ? new Set([...run.giantNames, ...parties.slice(0, 1)]) : run.giantNames;
	return {
		...before,
		run: {
			from: run.from,
			to,
			giants: giantNames.size,
			giantNames,
			parties: new Set([...known, ...parties]),
			unrelated: run.unrelated + 1,
		},
	};
}

function withoutRun({ run, outages, workedAt }: Outlook): Outlook {
	if (run === null || !isOutage(run)) return { run: null, outages, workedAt };
	const { from, to, giants } = run;
	return { run: null, outages: [...outages, { from, to, giants }].slice(-OUTAGES_KEPT), workedAt };
}
