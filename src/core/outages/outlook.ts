// Whether one of our ways out (an egress, the resolver) is out. One dead mail server, or one broken name server, is its
// owner's; many unrelated ones that fail one after the other, with hardly a success between them, are ours. Who is blamed
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
	readonly from: number;
	readonly to: number;
	/** How many of those who were not reached are giants. */
	readonly giants: number;
}

/** Failures that no success outweighs yet. */
interface Run extends Outage {
	readonly parties: ReadonlySet<string>;
	readonly weight: number;
	/** It has weighed enough once. */
	readonly isOutage: boolean;
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

const NO_FAILURE: Run = { from: 0, to: 0, giants: 0, parties: new Set(), weight: 0, isOutage: false };
export const NOTHING_SEEN: Outlook = { run: null, outages: [], workedAt: null };

/** So many unrelated failures, one after the other, are an outage. */
export const UNRELATED_MIN = 6;
/** So many giants among them leave no doubt: nobody can make a giant fail to have us believe in an outage. */
export const GIANTS_MIN = 3;
// No more are weighed, so that a few successes end an outage however long it was.
const WEIGHT_MAX = UNRELATED_MIN + 3;
// While a run goes on, at least three of four attempts fail.
const SUCCESS_WEIGHT = 3;
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
	const all = run?.isOutage === true ? [...outages, run] : outages;
	const meanwhile = all.filter(({ from, to }) => from <= at && begun <= to);
	if (meanwhile.length === 0) return 'theirs';
	return meanwhile.some(({ giants }) => giants >= GIANTS_MIN) ? 'ours' : 'perhaps_ours';
}

function succeeded(before: Outlook, { at }: Sighting): Outlook {
	const workedAt = Math.max(before.workedAt ?? at, at);
	if (before.run === null) return { ...before, workedAt };
	const weight = before.run.weight - SUCCESS_WEIGHT;
	if (weight <= 0) return { ...withoutRun(before), workedAt };
	return { ...before, run: { ...before.run, weight }, workedAt };
}

function failed(before: Outlook, { parties, isGiant, begun, at }: Sighting): Outlook {
	const { workedAt } = before;
	// Others were reached while this one was waited for: the last ones of a list are its slow and its dead.
	if (workedAt !== null && begun < workedAt) return before;
	// Since the last success: who was waited for then, and in vain, is among those who were not reached.
	const run = before.run ?? { ...NO_FAILURE, from: Math.max(workedAt ?? begun, at - QUIET_MS) };
	const to = Math.max(run.to, at);
	if (parties.some((party) => run.parties.has(party))) return { ...before, run: { ...run, to } };
	const weight = Math.min(WEIGHT_MAX, run.weight + 1);
	const giants = run.giants + (isGiant ? 1 : 0);
	const isOutage = run.isOutage || weight >= UNRELATED_MIN;
	const known = run.parties.size < PARTIES_KEPT ? run.parties : [];
	return {
		...before,
		run: { from: run.from, to, giants, parties: new Set([...known, ...parties]), weight, isOutage },
	};
}

function withoutRun({ run, outages, workedAt }: Outlook): Outlook {
	if (run?.isOutage !== true) return { run: null, outages, workedAt };
	const { from, to, giants } = run;
	return { run: null, outages: [...outages, { from, to, giants }].slice(-OUTAGES_KEPT), workedAt };
}
