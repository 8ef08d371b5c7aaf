import { localPartOf } from '../core/address/parse-address.ts';
import { canBeGuessedAt, Guesses } from '../core/politeness/guesses.ts';
import { isPaying, shareNameOf } from '../core/politeness/shares.ts';
import type { Asked, Question } from '../engine/question.ts';
import { DAY_MS } from '../lib/time.ts';
import { ExpiringMap } from '../lib/expiring-map.ts';
import type { WireGuesser } from '../wire/prober-state.ts';
import { GUESSERS_MAX } from '../wire/prober-state.ts';

/** One share's guesses at one domain. */
interface Entry {
	/** The first of several accounts of one owner. */
	readonly asker: string;
	readonly domain: string;
	guesses: Guesses;
	/** When it may ask about the domain again, epoch ms. */
	nextAt: number;
}

// A share can fill no table but its own; in it, the domain with the fewest unknown mailboxes gives way.
const DOMAINS_OF_ONE_MAX = 200;
const SHARES_MAX = 2_000;
const MINUTE_MS = 60_000;
// So that a slow list is asked in conversations of a few, not of one.
const TURNS_A_MINUTE = 3;

/** How many targets may be asked about, and when. */
interface Turn {
	readonly most: number;
	/** Epoch ms. */
	readonly at: number;
	/** When the others may come, epoch ms. */
	readonly next: number;
}

type Asking = Pick<Question, 'asker' | 'isTrial' | 'owner' | 'domain'>;

/**
 * Shares that guess mailboxes of a domain, which are slowed there: visitors together, accounts that never paid together,
 * the accounts of one owner together, other accounts alone. In memory: after a
 * restart, as many guesses are needed again.
 */
export class Guessers {
	readonly #shares = new ExpiringMap<Map<string, Entry>>(SHARES_MAX);

	/** Takes a turn if there is one by `latest` (epoch ms). Null: then the others may come. */
	turn(
		question: Asking & Pick<Question, 'targets'>,
		now: number,
		latest: number,
	): Turn | { readonly most: 0; readonly next: number } {
		const { targets } = question;
		const entry = this.#entryOf(question, now);
		const pace = entry?.guesses.paceAt(now) ?? null;
		if (entry === undefined || pace === null) return { most: targets.length, at: now, next: now };
		const at = Math.max(now, entry.nextAt);
		if (at > latest) return { most: 0, next: at };
		const most = Math.min(targets.length, Math.ceil(pace / TURNS_A_MINUTE));
		entry.nextAt = at + Math.ceil((most * MINUTE_MS) / pace);
		return { most, at, next: entry.nextAt };
	}

	learn(
		question: Asking & Pick<Question, 'targets'>,
		{ answers }: Pick<Asked, 'answers'>,
		now: number,
	): void {
		const { domain, targets } = question;
		if (!canBeGuessedAt(domain)) return;
		const decided = answers.flatMap((answer, at) => {
			const target = answer?.kind === 'heard' ? answer.interpretation.target : null;
			if (target === null || target.kind === 'unknown') return [];
			const exists = target.kind !== 'rejected' || target.why !== 'rejected_email';
			return [{ name: localPartOf(targets[at] ?? ''), exists }];
		});
		let entry = this.#entryOf(question, now);
		// Until a mailbox is unknown there is nothing to remember.
		if (decided.length === 0 || (entry === undefined && decided.every(({ exists }) => exists))) return;
		const domains = this.#domainsOf(countedOf(question), now);
		if (entry === undefined || entry.guesses.isOver(now)) {
			const asker = shareNameOf(question);
			entry = { asker, domain, guesses: new Guesses(now), nextAt: entry?.nextAt ?? 0 };
			domains.set(domain, entry);
		}
		for (const { name, exists } of decided) entry.guesses.add(name, exists);
		if (domains.size > DOMAINS_OF_ONE_MAX) forgetLeast(domains);
	}

	/** The shares that are slowed, for admins; the worst come first. */
	slowed(now: number): WireGuesser[] {
		const all = [...this.#shares.entries(now)].flatMap(([, domains]) =>
			[...domains.values()].flatMap(({ asker, domain, guesses }) => {
				const perMinute = guesses.paceAt(now);
				const { since, asked, unknown } = guesses;
				return perMinute === null ? [] : [{ asker, domain, perMinute, since, asked, unknown }];
			}),
		);
		return all.toSorted((a, b) => b.unknown - a.unknown).slice(0, GUESSERS_MAX);
	}

	#entryOf(question: Asking, now: number): Entry | undefined {
		return this.#shares.get(countedOf(question), now)?.get(question.domain);
	}

	#domainsOf(share: string, now: number): Map<string, Entry> {
		const domains = this.#shares.get(share, now) ?? new Map<string, Entry>();
		this.#shares.set(share, domains, now + 2 * DAY_MS);
		return domains;
	}
}

function countedOf(question: Asking): string {
	const share = shareNameOf(question);
	return isPaying(share) && question.owner !== undefined ? `of ${question.owner}` : share;
}

function forgetLeast(domains: Map<string, Entry>): void {
	const [least] = [...domains.values()].toSorted((a, b) => a.guesses.unknown - b.guesses.unknown);
	if (least !== undefined) domains.delete(least.domain);
}
