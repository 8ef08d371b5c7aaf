import { NOTHING_SEEN, blame, sighted } from '../core/outages/history.ts';
import type { Blame, Outlook, Sighting } from '../core/outages/history.ts';
import { ExpiringMap } from '../lib/expiring-map.ts';
import type { Failure, WaysOut } from '../engine/ports.ts';

const PARTIES_MAX = 5_000;
// As long as a server that answered is hardly dead.
const LATELY_MS = 10 * 60_000;
// A way out that led others somewhere this shortly before is not out of order.
const WORKED_LATELY_MS = 10_000;

/** What the isolate has seen of our ways out, which are as many as are configured. */
export class IsolateWaysOut implements WaysOut {
	readonly #outlooks = new Map<string, Outlook>();
	readonly #reached = new ExpiringMap<true>(PARTIES_MAX);
	readonly #unexplained = new ExpiringMap<true>(PARTIES_MAX);

	tried(way: string, sighting: Sighting): void {
		this.#outlooks.set(way, sighted(this.#outlookOf(way), sighting));
		const { parties, at, worked, unexplained } = sighting;
		const remember = worked ? this.#reached : this.#unexplained;
		if (!worked && unexplained !== true) return;
		for (const party of parties) remember.set(`${party} by ${way}`, true, at + LATELY_MS);
	}

	blame({ way, ...failure }: Failure): Blame {
		return blame(this.#outlookOf(way), failure);
	}

	workedAround({ way, begun }: Failure): boolean {
		const { workedAt } = this.#outlookOf(way);
		return workedAt !== null && workedAt >= begun - WORKED_LATELY_MS;
	}

	mayRecover(failure: Failure, party: string): boolean {
		const name = `${party} by ${failure.way}`;
		if (this.#reached.get(name, failure.at) !== undefined) return true;
		return this.#unexplained.get(name, failure.at) !== undefined && !this.workedAround(failure);
	}

	#outlookOf(way: string): Outlook {
		return this.#outlooks.get(way) ?? NOTHING_SEEN;
	}
}
