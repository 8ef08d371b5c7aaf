/** One account's refusals within a run. */
interface Refusals {
	/** Distinct mailboxes, up to `REJECTIONS_OF_A_RUN`. */
	readonly mailboxes: readonly string[];
	/** When the first of these was refused, epoch ms. */
	readonly since: number;
}

/** How a domain's servers answered about different mailboxes lately. */
export interface DomainRun {
	/** When they last accepted a mailbox, epoch ms; null: not seen. */
	readonly acceptedAt: number | null;
	/** The refusals since then, by the account that asked. At most `ACCOUNTS_OF_A_RUN`. */
	readonly refused: ReadonlyMap<string, Refusals>;
}

// This many refusals in a row, at a domain that accepted mail before, suggest a broken directory.
const REJECTIONS_OF_A_RUN = 10;
// An account can invent names, so few of its refusals make another account doubt: four accounts are needed for a run.
const REJECTIONS_FOR_OTHERS = 3;
const ACCOUNTS_OF_A_RUN = 20;
// Refusals soon after an acceptance suggest a list with bad addresses, not a broken directory.
const QUIET_BEFORE_RUN_MS = 600_000;
// We believe refusals that last for a quarter of an hour.
const CONFIRMED_AFTER_MS = 900_000;

/** The run after one more answer about a mailbox (given by its local part). */
export function continueRun(
	run: DomainRun | null,
	answer: { readonly kind: 'accepted' | 'rejected'; readonly mailbox: string },
	account: string,
	now: number,
): DomainRun {
	if (answer.kind === 'accepted') return { acceptedAt: now, refused: new Map() };
	const { acceptedAt, refused } = run ?? { acceptedAt: null, refused: new Map<string, Refusals>() };
	const known = refused.get(account);
	if (known === undefined && refused.size >= ACCOUNTS_OF_A_RUN) return { acceptedAt, refused };
	const mailboxes = new Set(known?.mailboxes);
	if (mailboxes.size < REJECTIONS_OF_A_RUN) mailboxes.add(answer.mailbox);
	const heard = { mailboxes: [...mailboxes], since: known?.since ?? now };
	return { acceptedAt, refused: new Map([...refused, [account, heard]]) };
}

/**
 * True while the account must not believe a new domain-wide run of "no such user". Broken directories (iCloud in April
 * 2021, Exchange edges before they have synchronised) answer 550 5.1.1 for every mailbox.
 */
export function isDoubtfulRun({ acceptedAt, refused }: DomainRun, account: string, now: number): boolean {
	const known = refused.get(account);
	if (acceptedAt === null || known === undefined) return false;
	const lasts = (since: number): boolean =>
		since - acceptedAt >= QUIET_BEFORE_RUN_MS && now - since < CONFIRMED_AFTER_MS;
	if (known.mailboxes.length >= REJECTIONS_OF_A_RUN) return lasts(known.since);
	const all = [...refused.values()];
	const counted = all.map(({ mailboxes }) => Math.min(mailboxes.length, REJECTIONS_FOR_OTHERS));
	if (counted.reduce((sum, count) => sum + count, 0) < REJECTIONS_OF_A_RUN) return false;
	return lasts(Math.min(...all.map(({ since }) => since)));
}
