import { localPartOf } from '../address/parse-address.ts';
import { isFreeProvider } from '../lists/domain-kinds.ts';
import { ExpiringMap } from '../../lib/expiring-map.ts';
import { DAY_MS } from '../../lib/time.ts';
import type { Budget } from '../mail-operators/operator-row.ts';
import { Gate } from './gate.ts';
import { isPaying, whoOf } from './who.ts';
import type { Party } from './who.ts';

// A member that asks about many mailboxes of one domain that do not exist has no list of its people, but guesses names.

/** From so many unknown mailboxes at one domain in a day, if they are more than such a part of those decided. */
const THRESHOLDS: readonly { readonly unknown: number; readonly part: number }[] = [
	{ unknown: 100, part: 0.9 },
	{ unknown: 300, part: 0.5 },
	// Mailboxes that exist are no licence to guess.
	{ unknown: 2_000, part: 0 },
];
const UNLIMITED = 1_000_000;
/** Then it is asked so little there. */
const GUESSED_BUDGET: Budget = {
	connections: UNLIMITED,
	connectionsPerMinute: UNLIMITED,
	recipientsPerMinute: 6,
	recipientsPerDay: UNLIMITED,
	recipientsPerConnection: UNLIMITED,
};

/** Whether mailboxes of the domain can be guessed: at a provider for everybody, a bad list is only a bad list. */
function canBeGuessedAt(domain: string): boolean {
	return !isFreeProvider(domain);
}

/** Mailboxes of one domain that one owner asked about since `since` (epoch ms), and the gate before it if it guesses. */
export class Guesses {
	readonly since: number;
	readonly gate = new Gate(() => GUESSED_BUDGET);
	asked = 0;
	unknown = 0;

	constructor(since: number) {
		this.since = since;
	}

	isOver(now: number): boolean {
		return now - this.since >= DAY_MS;
	}

	get isGuessing(): boolean {
		return THRESHOLDS.some(
			({ unknown, part }) => this.unknown >= unknown && this.unknown > part * this.asked,
		);
	}

	/** Counts a mailbox that a host decided on. A name with a tag is another name of a mailbox that may be known already. */
	add(localPart: string, exists: boolean): void {
		if (exists && localPart.includes('+')) return;
		this.asked += 1;
		if (!exists) this.unknown += 1;
	}
}

/** An owner's guesses at a domain, for admins. */
interface Guesser {
	/** The first of several accounts of one owner. */
	readonly asker: string;
	readonly domain: string;
	readonly since: number;
	readonly asked: number;
	readonly unknown: number;
	readonly perMinute: number;
}

type Asking = Party & { readonly domain: string };

const GUESSERS_MAX = 20_000;

/** Members that guess mailboxes of a domain: all accounts of one owner count together. */
export class Guessers {
	readonly #all = new ExpiringMap<Pick<Guesser, 'asker' | 'domain'> & { readonly guesses: Guesses }>(
		GUESSERS_MAX,
	);

	/** The gate of its own that the asker has to pass; null: it does not guess. */
	gateFor(asking: Asking, now: number): Gate | null {
		const guesses = this.#all.get(nameOf(asking), now)?.guesses;
		return guesses?.isGuessing === true ? guesses.gate : null;
	}

	/** @param decided mailboxes that a host decided on, and whether they exist */
	count(
		asking: Asking,
		decided: readonly (readonly [mailbox: string, exists: boolean])[],
		now: number,
	): void {
		const { domain } = asking;
		if (!canBeGuessedAt(domain)) return;
		const name = nameOf(asking);
		let known = this.#all.get(name, now);
		// Until a mailbox is unknown there is nothing to remember.
		if (known === undefined && decided.every(([, exists]) => exists)) return;
		if (known === undefined || known.guesses.isOver(now))
			known = { asker: whoOf(asking).share, domain, guesses: new Guesses(now) };
		this.#all.set(name, known, now + DAY_MS);
		for (const [mailbox, exists] of decided) known.guesses.add(localPartOf(mailbox), exists);
	}

	/** The members that are slowed; the worst come first. */
	slowed(now: number): Guesser[] {
		const all = [...this.#all.entries(now)].flatMap(([, { asker, domain, guesses }]) => {
			const { since, asked, unknown } = guesses;
			const { recipientsPerMinute: perMinute } = GUESSED_BUDGET;
			return guesses.isGuessing ? [{ asker, domain, perMinute, since, asked, unknown }] : [];
		});
		return all.toSorted((a, b) => b.unknown - a.unknown);
	}
}

function nameOf(asking: Asking): string {
	const { share, member } = whoOf(asking);
	const { owner, domain } = asking;
	return `${isPaying(share) && owner !== undefined ? `of ${owner}` : member} ${domain}`;
}
