/** How a domain's servers have answered for different mailboxes lately. */
export interface DomainRun {
	/** When they last accepted somebody, epoch ms; null: not seen. */
	readonly acceptedAt: number | null;
	/** Refused mailboxes since then. */
	readonly rejections: number;
	/** When that row of refusals began. */
	readonly since: number;
}

// A directory that breaks refuses everybody at once. Ten in a row, at a domain that took mail before, is such a run.
const REJECTIONS_OF_A_RUN = 10;
// An acceptance just before the run is a list with good and bad addresses, not a directory that broke.
const QUIET_BEFORE_RUN_MS = 600_000;
// The confirmation: what is still refused a quarter of an hour later is believed.
const CONFIRMED_AFTER_MS = 900_000;

/** The run after one more answer. */
export function continueRun(run: DomainRun | null, answer: 'accepted' | 'rejected', now: number): DomainRun {
	if (answer === 'accepted') return { acceptedAt: now, rejections: 0, since: now };
	if (run === null) return { acceptedAt: null, rejections: 1, since: now };
	return { ...run, rejections: run.rejections + 1, since: run.rejections === 0 ? now : run.since };
}

/**
 * True while a new domain-wide run of "no such user" is not to be believed: directories break (iCloud did in April
 * 2021, Exchange edges do before they have synchronised) and say 550 5.1.1 for everybody.
 */
export function isDoubtfulRun(run: DomainRun, now: number): boolean {
	if (run.acceptedAt === null || run.rejections < REJECTIONS_OF_A_RUN) return false;
	const beganLongAfterAcceptance = run.since - run.acceptedAt >= QUIET_BEFORE_RUN_MS;
	return beganLongAfterAcceptance && now - run.since < CONFIRMED_AFTER_MS;
}
