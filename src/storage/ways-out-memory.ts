import { NOTHING_SEEN, blame, sighted } from '../core/outages/outlook.ts';
import type { Blame, Outlook, Sighting } from '../core/outages/outlook.ts';
import type { Failure, WaysOut } from '../engine/ports.ts';

/** What the isolate has seen of our ways out. As many as are configured, so it needs no bound. */
export class IsolateWaysOut implements WaysOut {
	readonly #outlooks = new Map<string, Outlook>();

	tried(way: string, sighting: Sighting): void {
		this.#outlooks.set(way, sighted(this.#outlookOf(way), sighting));
	}

	blame({ way, ...failure }: Failure): Blame {
		return blame(this.#outlookOf(way), failure);
	}

	workedSince(way: string, at: number): boolean {
		const { workedAt } = this.#outlookOf(way);
		return workedAt !== null && workedAt >= at;
	}

	#outlookOf(way: string): Outlook {
		return this.#outlooks.get(way) ?? NOTHING_SEEN;
	}
}
