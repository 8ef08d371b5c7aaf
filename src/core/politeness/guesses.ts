import { isFreeProvider } from '../lists/domain-kinds.ts';
import { fnv1a } from '../../lib/digest.ts';
import { DAY_MS } from '../../lib/time.ts';

// A share that asks about many mailboxes of one domain that do not exist has no list of its people, but guesses names.

// Beyond so many mailboxes of a domain the share is known for what it does.
const COUNTED_MAX = 4_000;

/**
 * From so many unknown mailboxes at one domain in a day, if they are such a part of those asked about, so many recipients
 * a minute. A company's old list has a third of them, a list of guessed names nearly nothing else. From two thousand on
 * the part no longer counts: mailboxes that exist are no licence to guess.
 */
const THRESHOLDS: readonly {
	readonly unknown: number;
	readonly part: number;
	readonly perMinute: number;
}[] = [
	{ unknown: 100, part: 0.9, perMinute: 20 },
	{ unknown: 300, part: 0.75, perMinute: 12 },
	{ unknown: 1_000, part: 0.6, perMinute: 6 },
	{ unknown: 2_000, part: 0, perMinute: 6 },
];

/** Whether mailboxes of the domain can be guessed: at a provider for everybody, a bad list is only a bad list. */
export function canBeGuessedAt(domain: string): boolean {
	return !isFreeProvider(domain);
}

/** Distinct mailboxes of one domain that one share asked about since `since` (epoch ms). In digests, without addresses. */
export class Guesses {
	readonly since: number;
	readonly #known = new Set<number>();
	readonly #unknown = new Set<number>();

	constructor(since: number) {
		this.since = since;
	}

	get unknown(): number {
		return this.#unknown.size;
	}

	get asked(): number {
		return this.#known.size + this.#unknown.size;
	}

	isOver(now: number): boolean {
		return now - this.since >= DAY_MS;
	}

	/** Counts a mailbox that a host decided on: once, whatever its tag. */
	add(localPart: string, exists: boolean): void {
		const digest = fnv1a(mailboxOf(localPart));
		const of = exists ? this.#known : this.#unknown;
		if (of.size < COUNTED_MAX) of.add(digest);
	}

	/** How many recipients a minute the share is allowed at the domain; null: as many as all others. */
	paceAt(now: number): number | null {
		if (this.isOver(now)) return null;
		const met = THRESHOLDS.filter(
			({ unknown, part }) => this.unknown >= unknown && this.unknown >= part * this.asked,
		);
		return met.length === 0 ? null : Math.min(...met.map(({ perMinute }) => perMinute));
	}
}

/** The mailbox without its tag: `ada+7` is `ada`. */
function mailboxOf(localPart: string): string {
	const [mailbox = ''] = localPart.toLowerCase().split('+');
	return mailbox === '' ? localPart : mailbox;
}
