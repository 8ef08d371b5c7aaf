/** How a domain's servers have answered for different mailboxes lately. */
export interface DomainRun {
	/** When they last accepted somebody, epoch ms; null: not seen. */
	readonly acceptedAt: number | null;
	/** Mailboxes refused since then: as many different ones as make a run. */
	readonly refused: readonly string[];
	/** When that row of refusals began. */
	readonly since: number;
}

// A directory that breaks refuses everybody at once. Ten in a row, at a domain that took mail before, is such a run.
const REJECTIONS_OF_A_RUN = 10;
// An acceptance just before the run is a list with good and bad addresses, not a directory that broke.
const QUIET_BEFORE_RUN_MS = 600_000;
// The confirmation: what is still refused a quarter of an hour later is believed.
const CONFIRMED_AFTER_MS = 900_000;

/** The run after one more answer about a mailbox (its local part). */
export function continueRun(
	run: DomainRun | null,
	answer: { readonly kind: 'accepted' | 'rejected'; readonly mailbox: string },
	now: number,
): DomainRun {
	if (answer.kind === 'accepted') return { acceptedAt: now, refused: [], since: now };
	const before = run ?? { acceptedAt: null, refused: [], since: now };
	const since = before.refused.length === 0 ? now : before.since;
	if (before.refused.length >= REJECTIONS_OF_A_RUN) return before;
	return { ...before, refused: [...new Set([...before.refused, answer.mailbox])], since };
}

/**
 * True while a new domain-wide run of "no such user" is not to be believed: directories break (iCloud did in April
 * 2021, Exchange edges do before they have synchronised) and say 550 5.1.1 for everybody.
 */
export function isDoubtfulRun(run: DomainRun, now: number): boolean {
	if (run.acceptedAt === null || run.refused.length < REJECTIONS_OF_A_RUN) return false;
	const beganLongAfterAcceptance = run.since - run.acceptedAt >= QUIET_BEFORE_RUN_MS;
	return beganLongAfterAcceptance && now - run.since < CONFIRMED_AFTER_MS;
}
