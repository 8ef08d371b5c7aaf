import { ExpiringMap } from '../../lib/expiring-map.ts';
import { DAY_MS } from '../../lib/time.ts';
import { localPartOf } from '../address/parse-address.ts';
import { isFreeProvider } from '../lists/domain-kinds.ts';
import type { Budget } from '../mail-operators/operator-row.ts';
import { Gate } from './gate.ts';
import { isPaying, memberOf, shareOf } from './who.ts';
import type { Party } from './who.ts';

// A member that asks about many mailboxes of one domain that do not exist has no list of its people, but guesses names.

const UNLIMITED = 1_000_000;
const PER_MINUTE = 6;
const GUESSED_BUDGET: Budget = {
	connections: UNLIMITED,
	connectionsPerMinute: UNLIMITED,
	recipientsPerMinute: PER_MINUTE,
	recipientsPerDay: UNLIMITED,
	recipientsPerConnection: UNLIMITED,
};
const GUESSERS_MAX = 20_000;

/** Mailboxes of one domain that one member asked about since `since` (epoch ms). */
interface Guesses {
	/** The account, or the share; the first of several accounts of one owner. */
	readonly asker: string;
	readonly domain: string;
	readonly since: number;
	asked: number;
	unknown: number;
	/** The gate that it has to pass when it guesses. */
	readonly gate: Gate;
}

type Asking = Party & { readonly domain: string };

/** Members that guess mailboxes of a domain: all accounts of one owner count together. */
export class Guessers {
	readonly #all = new ExpiringMap<Guesses>(GUESSERS_MAX);

	/** The gate of its own that the asker has to pass; null: it does not guess. */
	gateFor(asking: Asking, now: number): Gate | null {
		const guesses = this.#all.get(nameOf(asking), now);
		return guesses !== undefined && isGuessing(guesses) ? guesses.gate : null;
	}

	/**
	 * Counts mailboxes that a host decided on. At a provider for everybody a bad list is only a bad list. A name with a tag is
	 * another name of a mailbox that may be known already.
	 *
	 * @param decided the mailboxes, and whether they exist
	 */
	count(
		asking: Asking,
		decided: readonly (readonly [mailbox: string, exists: boolean])[],
		now: number,
	): void {
		const { domain } = asking;
		if (isFreeProvider(domain)) return;
		const name = nameOf(asking);
		const known = this.#all.get(name, now);
		// Until a mailbox is unknown there is nothing to remember.
		if (known === undefined && decided.every(([, exists]) => exists)) return;
		const guesses = known ?? {
			asker: shareOf(memberOf(asking)),
			domain,
			since: now,
			asked: 0,
			unknown: 0,
			gate: new Gate(() => GUESSED_BUDGET),
		};
		this.#all.set(name, guesses, guesses.since + DAY_MS);
		for (const [mailbox, exists] of decided) {
			if (exists && localPartOf(mailbox).includes('+')) continue;
			guesses.asked += 1;
			if (!exists) guesses.unknown += 1;
		}
	}

	/** The members that are slowed, for admins; the worst come first. */
	slowed(now: number) {
		return [...this.#all.entries(now)]
			.map(([, guesses]) => guesses)
			.filter(isGuessing)
			.toSorted((a, b) => b.unknown - a.unknown)
			.map(({ asker, domain, since, asked, unknown }) => {
				return { asker, domain, since, asked, unknown, perMinute: PER_MINUTE };
			});
	}
}

/** From so many unknown mailboxes at one domain in a day, if they are more than such a part of those decided. */
function isGuessing({ asked, unknown }: Guesses): boolean {
	if (unknown >= 100 && unknown > asked * 0.9) return true;
	// Mailboxes that exist are no licence to guess thousands.
	return unknown >= 2_000 || (unknown >= 300 && unknown > asked * 0.5);
}

/** All accounts of one owner count together. */
function nameOf(asking: Asking): string {
	const { owner, domain } = asking;
	const member = memberOf(asking);
	return `${isPaying(member) && owner !== undefined ? `of ${owner}` : member} ${domain}`;
}
