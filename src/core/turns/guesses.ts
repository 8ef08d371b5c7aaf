import { ExpiringMap } from '../../lib/expiring-map.ts';
import { DAY_MS } from '../../lib/time.ts';
import { localPartOf } from '../address/parse-address.ts';
import { isFreeProvider } from '../lists/domain-kinds.ts';
import { budgetOf } from './budget.ts';
import { Gate } from './gate.ts';
import { isPaying, memberOf, shareOf } from './who.ts';
import type { Party } from './who.ts';

// A member that asks about many mailboxes of one domain that do not exist has no list of its people, but guesses names.

const PER_MINUTE = 6;
const GUESSED_BUDGET = { ...budgetOf(null), recipientsPerMinute: PER_MINUTE, recipientsPerDay: 1_000_000 };
const GUESSERS_MAX = 20_000;

type Asking = Party & { readonly domain: string };
/** Mailboxes that a host decided on, and whether they exist. */
export type Decided = readonly (readonly [mailbox: string, exists: boolean])[];

/** Members that guess mailboxes of a domain: all accounts of one owner count together. */
export class Guessers {
	readonly #all = new ExpiringMap<ReturnType<typeof begunBy>>(GUESSERS_MAX);

	/** The gate of its own that the asker has to pass; null: it does not guess. */
	gateFor(asking: Asking, now: number): Gate | null {
		const known = this.#all.get(nameOf(asking), now);
		return known !== undefined && isGuessing(known.guesses) ? known.gate : null;
	}

	/**
	 * Counts mailboxes for a day. At a provider for everybody a bad list is only a bad list. A name with a tag is another name
	 * of a mailbox that may be known already.
	 */
	count(asking: Asking, decided: Decided, now: number): void {
		const known = this.#all.get(nameOf(asking), now);
		// Until a mailbox is unknown there is nothing to remember.
		const isNothing = known === undefined && decided.every(([, exists]) => exists);
		if (isNothing || isFreeProvider(asking.domain)) return;
		const one = known ?? begunBy(asking, now);
		this.#all.set(nameOf(asking), one, one.guesses.since + DAY_MS);
		for (const [mailbox, exists] of decided) {
			if (exists && localPartOf(mailbox).includes('+')) continue;
			one.guesses.asked += 1;
			if (!exists) one.guesses.unknown += 1;
		}
	}

	/** The members that are slowed, for admins; the worst come first. */
	slowed(now: number) {
		const all = [...this.#all.entries(now)].map(([, { guesses }]) => guesses);
		return all.filter(isGuessing).toSorted((a, b) => b.unknown - a.unknown);
	}
}

/** The mailboxes of one domain that one member asked about, and the gate that it has to pass when it guesses. */
function begunBy(asking: Asking, since: number) {
	const asker = shareOf(memberOf(asking));
	const guesses = { asker, domain: asking.domain, since, perMinute: PER_MINUTE, asked: 0, unknown: 0 };
	return { guesses, gate: new Gate(() => GUESSED_BUDGET) };
}

/** From so many unknown mailboxes at one domain in a day, if they are more than such a part of those decided. */
function isGuessing({ asked, unknown }: { readonly asked: number; readonly unknown: number }): boolean {
	if (unknown >= 100 && unknown > asked * 0.9) return true;
	// Mailboxes that exist are no licence to guess thousands.
	return unknown >= 2_000 || (unknown >= 300 && unknown > asked * 0.5);
}

function nameOf(asking: Asking): string {
	const member = memberOf(asking);
	return `${isPaying(member) ? `of ${asking.owner ?? member}` : member} ${asking.domain}`;
}
