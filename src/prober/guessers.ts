import { canBeGuessedAt, paceFor, withAnswers } from '../core/politeness/dictionary.ts';
import type { Guesses } from '../core/politeness/dictionary.ts';
import type { Asked, Question } from '../engine/question.ts';
import type { WireGuesser } from '../wire/prober-state.ts';
import { GUESSERS_MAX } from '../wire/prober-state.ts';

/** What is known of one account at one domain. */
interface Entry {
	guesses: Guesses;
	/** When it may be asked about again, epoch ms. */
	nextAt: number;
}

// An account can fill no table but its own; in it, the domain with the fewest unknown mailboxes gives way.
const DOMAINS_OF_ONE_MAX = 200;
// The account that asked least lately gives way.
const ASKERS_MAX = 2_000;
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

/**
 * Accounts that guess mailboxes of a domain, which are slowed there. In memory: who goes on after a restart is known again
 * after as many guesses.
 */
export class Guessers {
	readonly #askers = new Map<string, Map<string, Entry>>();

	/** Takes a turn if there is one by `latest` (epoch ms). Null: then the others may come. */
	turn(
		{ asker, domain, targets }: Pick<Question, 'asker' | 'domain' | 'targets'>,
		now: number,
		latest: number,
	): Turn | { readonly most: 0; readonly next: number } {
		const entry = asker === null ? undefined : this.#askers.get(asker)?.get(domain);
		const pace = entry === undefined ? null : paceFor(entry.guesses, now);
		if (entry === undefined || pace === null) return { most: targets.length, at: now, next: now };
		const at = Math.max(now, entry.nextAt);
		if (at > latest) return { most: 0, next: at };
		const most = Math.min(targets.length, Math.ceil(pace / TURNS_A_MINUTE));
		entry.nextAt = at + Math.ceil((most * MINUTE_MS) / pace);
		return { most, at, next: entry.nextAt };
	}

	learn({ asker, domain }: Pick<Question, 'asker' | 'domain'>, { answers }: Asked, now: number): void {
		if (asker === null || !canBeGuessedAt(domain)) return;
		const found = answers.flatMap((answer) =>
			answer?.kind === 'heard' ? [answer.interpretation.target] : [],
		);
		const asked = found.filter(({ kind }) => kind !== 'unknown').length;
		const unknown = found.filter((one) => one.kind === 'rejected' && one.why === 'rejected_email').length;
		if (asked === 0) return;
		const domains = this.#domainsOf(asker);
		const known = domains.get(domain);
		const guesses = withAnswers(known?.guesses ?? null, { asked, unknown }, now);
		// Until somebody is unknown there is nothing to remember.
		if (known === undefined && unknown === 0) return;
		domains.set(domain, { guesses, nextAt: known?.nextAt ?? 0 });
		if (domains.size > DOMAINS_OF_ONE_MAX) forgetLeast(domains);
	}

	/** Those who are slowed, for whoever looks after the service; the worst come first. */
	slowed(now: number): WireGuesser[] {
		const all = [...this.#askers].flatMap(([asker, domains]) =>
			[...domains].flatMap(([domain, { guesses }]) => {
				const perMinute = paceFor(guesses, now);
				return perMinute === null ? [] : [{ asker, domain, perMinute, ...guesses }];
			}),
		);
		return all.toSorted((a, b) => b.unknown - a.unknown).slice(0, GUESSERS_MAX);
	}

	#domainsOf(asker: string): Map<string, Entry> {
		const domains = this.#askers.get(asker) ?? new Map<string, Entry>();
		this.#askers.delete(asker);
		this.#askers.set(asker, domains);
		const [oldest] = this.#askers.keys();
		if (this.#askers.size > ASKERS_MAX && oldest !== undefined) this.#askers.delete(oldest);
		return domains;
	}
}

function forgetLeast(domains: Map<string, Entry>): void {
	let least: string | null = null;
	let unknown = Infinity;
	for (const [domain, { guesses }] of domains) {
		if (guesses.unknown >= unknown) continue;
		least = domain;
		({ unknown } = guesses);
	}
	if (least !== null) domains.delete(least);
}
