// Decides whether one of our ways out (an egress, the resolver) is out. A single dead mail server or broken name
// server is its owner's fault. Many unrelated failures in a row, with no success between them, are ours. If we blame
// a party wrongly, we never ask it again; if we put it off wrongly, we ask it a few times in vain.

/** One attempt to reach a party by a way out, and its outcome. Epoch milliseconds. */
export interface Contact {
	/** The names of the party at the other end. Two contacts without a common name are unrelated. */
	readonly parties: readonly string[];
	/** The party is a giant: an operator so large that it is hardly ever out. */
	readonly isGiant: boolean;
	readonly begun: number;
	readonly at: number;
	readonly worked: boolean;
	/** The way out failed, and perhaps never reached the other end. */
	readonly unexplained?: boolean;
}

/** A period in which a way out reached no party. */
interface Outage {
	/** When the way out last worked before, but at most `QUIET_MS` before the first failure. */
	readonly from: number;
	readonly to: number;
	/** The number of giants among the parties that were not reached. */
	readonly giants: number;
}

/** Failures since the last success. */
interface Run extends Outage {
	readonly parties: ReadonlySet<string>;
	/** The first name of each giant. There are few giants, so all are kept, and each counts once. */
	readonly giantNames: ReadonlySet<string>;
	/** Number of failures of parties that are unrelated to each other. */
	readonly unrelated: number;
}

/** The remembered contacts of a way out. */
export interface WayOutHistory {
	readonly run: Run | null;
	/** The last runs that were an outage, oldest first. */
	readonly outages: readonly Outage[];
	/** When it last reached a party. */
	readonly workedAt: number | null;
}

/** `perhaps_ours`: too few giants are among the failures, so it may also be a list of dead domains. */
export type Blame = 'theirs' | 'perhaps_ours' | 'ours';

const NO_FAILURE = { giants: 0, parties: new Set<string>(), giantNames: new Set<string>(), unrelated: 0 };
export const NO_HISTORY: WayOutHistory = { run: null, outages: [], workedAt: null };

/** This many unrelated failures, with no success between them, are an outage. */
export const UNRELATED_MIN = 6;
/** This many giants among them prove our fault: no customer can make a giant fail to feign an outage. */
export const GIANTS_MIN = 3;
// An outage lasts at least this long. Many dead servers of one list, tried all at once, fail in less time, between two
// successes of other lists.
const LASTING_MIN_MS = 500;
// A contact that began before the outage did may still fail because of it.
const EDGE_MS = 1_000;
// A run without new failures for this long says nothing about the present.
const QUIET_MS = 60_000;
const PARTIES_KEPT = 64;
const OUTAGES_KEPT = 16;

/** The history after one more contact. Contacts are added in the order in which they end. */
export function addContact(before: WayOutHistory, contact: Contact): WayOutHistory {
	const isStale = before.run !== null && contact.at - before.run.to > QUIET_MS;
	const current = isStale ? withoutRun(before) : before;
	return contact.worked ? succeeded(current, contact) : failed(current, contact);
}

/** Decides whose fault it is that a party was not reached between two moments. */
export function blame(
	{ run, outages }: WayOutHistory,
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

function succeeded(before: WayOutHistory, { at }: Contact): WayOutHistory {
	return { ...withoutRun(before), workedAt: Math.max(before.workedAt ?? at, at) };
}

function failed(before: WayOutHistory, { parties, isGiant, begun, at }: Contact): WayOutHistory {
	const { workedAt } = before;
	// Other parties were reached while we waited for this one: it is slow or dead.
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

function withoutRun({ run, outages, workedAt }: WayOutHistory): WayOutHistory {
	if (run === null || !isOutage(run)) return { run: null, outages, workedAt };
	const { from, to, giants } = run;
	return { run: null, outages: [...outages, { from, to, giants }].slice(-OUTAGES_KEPT), workedAt };
}
