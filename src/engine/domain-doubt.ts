import type { Asker } from '../core/turns/who.ts';
import { ExpiringMap } from '../lib/expiring-map.ts';
import { DAY_MS } from '../lib/time.ts';
import type { Clock } from '../lib/time.ts';

// Broken directories (iCloud in April 2021, Exchange edges before they have synchronised) answer 550 5.1.1 for every
// mailbox. So a domain that took mail and suddenly refuses everybody is believed only if it still does so later.

/** How a domain's servers answered one asker: names that others invent make no asker doubt, nor believe. */
interface Run {
	/** When they last accepted a mailbox, epoch ms. */
	readonly acceptedAt: number;
	/** The mailboxes refused since then, at most ten, and when the first was. */
	readonly refused: ReadonlySet<string>;
	readonly since: number;
}

const DOMAINS_MAX = 10_000;
// This many refusals in a row, at a domain that accepted mail before, suggest a broken directory.
const REFUSALS_OF_A_RUN = 10;
// Refusals soon after an acceptance suggest a list with bad addresses.
const QUIET_BEFORE_RUN_MS = 600_000;
const CONFIRMED_AFTER_MS = 900_000;

/** The isolate's memory of such runs. Another isolate may know more; none claims more. */
export class DomainDoubt {
	readonly #clock: Clock;
	readonly #runs = new ExpiringMap<Run>(DOMAINS_MAX);

	constructor(clock: Clock) {
		this.#clock = clock;
	}

	/** Records an answer about a mailbox (its local part). True: a refusal that is not believed yet. */
	answered(domain: string, kind: 'accepted' | 'rejected', mailbox: string, asker: Asker): boolean {
		const now = this.#clock.now();
		const key = `${asker ?? 'visitors'} ${domain}`;
		const known = this.#runs.get(key, now);
		if (kind === 'accepted') {
			this.#runs.set(key, { acceptedAt: now, refused: new Set(), since: now }, now + DAY_MS);
			return false;
		}
		if (known === undefined) return false;
		const since = known.refused.size === 0 ? now : known.since;
		const refused =
			known.refused.size < REFUSALS_OF_A_RUN ? new Set([...known.refused, mailbox]) : known.refused;
		this.#runs.set(key, { ...known, refused, since }, now + DAY_MS);
		if (refused.size < REFUSALS_OF_A_RUN || since - known.acceptedAt < QUIET_BEFORE_RUN_MS) return false;
		return now - since < CONFIRMED_AFTER_MS;
	}
}
