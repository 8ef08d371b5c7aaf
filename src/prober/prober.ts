import type { Clock } from '../lib/time.ts';
import { ServiceError } from '../errors.ts';
import { fnv1a, hmacSha256 } from '../lib/digest.ts';
import { remembered } from '../lib/expiring-map.ts';
import { log } from '../lib/log.ts';
import { sleep, steadyTime } from '../lib/time.ts';
import { questionAt, VERSION } from '../wire/prober.ts';
import type { Asked, SentAnswer, SentQuestion } from '../wire/prober.ts';
import { GUESSERS_MAX } from '../wire/prober-state.ts';
import type { AskingAccount, WireState } from '../wire/prober-state.ts';
import { REPLY_RULES } from '../core/smtp/reply-rules.ts';
import { WEIGHTS } from '../core/smtp/reply-words/data/weights.ts';
import { memberOf, Places, shareOf } from '../core/turns/who.ts';
import { ask } from './ask.ts';
import type { ProberConfig } from './config.ts';
import { EgressDialer } from './dial/egress-dialer.ts';
import { lateAnswers } from './late-answers.ts';
import { pausedParties, ProberMetrics, stateOfOperators } from './report.ts';
import { ProberMemory } from './memory.ts';
import { Turns } from './turns/turns.ts';

// More at once than this is more than its connections can serve in the time that callers have.
const QUESTIONS_MAX = 2_000;
// Anybody may ask how we are.
const HEALTH = { freshMs: 5_000, patienceMs: 10_000 };
// An asker with too many questions under way asks again when some are answered.
const COME_BACK_MS = 5_000;
// A prober that ends looks so often whether all is answered.
const ENDS_AFTER_MS = 50;

const rules = JSON.stringify([REPLY_RULES, WEIGHTS], (_, value: unknown) =>
	value instanceof RegExp ? value.source : value,
);
/** The version of the rules that read replies, made from the rules themselves. */
const RULES_VERSION = fnv1a(rules).toString(16).padStart(8, '0');

// A clock that is set back must not keep anybody waiting for what has passed already.
const clock: Clock = {
	now: steadyTime(
		() => Date.now(),
		() => performance.now(),
	),
	sleep,
};

/** A prober at work, without the socket that it listens on. The only place that knows all its parts. */
export class Prober {
	readonly metrics = new ProberMetrics();
	/** Each is good. */
	readonly tokens: readonly string[];
	/** The reason why no mail host can be reached, in words without secrets. */
	readonly problems: () => Promise<readonly string[]>;
	/** It ends its work: it begins nothing new. */
	isDraining = false;
	readonly #config: ProberConfig;
	readonly #memory: ProberMemory;
	readonly #turns: Turns;
	readonly #places = new Places(QUESTIONS_MAX);
	readonly #orLate = lateAnswers(() => clock.now());
	#running = 0;

	/** Throws where its state can't be opened. */
	constructor(config: ProberConfig) {
		this.#config = config;
		this.tokens = config.PROBER_TOKEN;
		const memory = new ProberMemory(config.PROBER_STATE, clock);
		const dialer = new EgressDialer(config, clock);
		// Known by their names in the list of ways out, or by their source addresses.
		const named = config.SMTP_EGRESS.filter(({ label }) => config.PROBER_WARM.includes(label));
		const turns = new Turns({
			clock,
			random: Math.random,
			dialer,
			memory,
			overrides: config.PROBER_BUDGETS,
			warm: [...config.PROBER_WARM, ...named.map(({ source }) => source)],
			held: (egress, end) => this.metrics.conversations.inc({ egress, end }),
			refused: (operator, egress, why) => this.metrics.refusals.inc({ operator, egress, why }),
		});
		this.#memory = memory;
		this.#turns = turns;
		this.problems = remembered(clock, HEALTH, () => dialer.check());
	}

	/**
	 * Answers a question. Throws a `ServiceError` when no way out serves.
	 *
	 * @param foundCatchAll called as soon as a host shows itself as one
	 */
	async answer(sent: SentQuestion, foundCatchAll?: () => void): Promise<SentAnswer> {
		const question = questionAt(clock.now(), sent);
		const { class: urgency, domain, asker, targets } = question;
		// Lists leave the places of their account's callers.
		const leave = this.#places.enter(
			`${shareOf(memberOf(question))} ${urgency === 'single' ? 'calls' : 'lists'}`,
		);
		const sealed = (answer: Asked): SentAnswer => {
			return { version: VERSION, rules: RULES_VERSION, sentAt: clock.now(), ...answer };
		};
		if (leave === null) {
			// The account has as much of this prober as it may: that is our capacity, and no fault of ours.
			const later = { kind: 'postponed', until: clock.now() + COME_BACK_MS } as const;
			return sealed({ answers: targets.map(() => later), evidence: [], recipients: 0 });
		}
		if (asker !== null) this.#memory.noteAsked(digestOf(this.tokens[0] ?? '', domain), asker, targets.length);
		const { questions, questionSeconds, postponed } = this.metrics;
		const askedAt = performance.now();
		this.#running += 1;
		let outcome = 'failed';
		try {
			const ports = { clock, conversations: this.#turns, addressPolicy: this.#config.ALLOW_PRIVATE_MX };
			const reply = await this.#orLate(question, () => ask(ports, question, foundCatchAll));
			const later = reply.answers.filter((answer) => answer?.kind === 'postponed').length;
			if (later > 0) postponed.inc({ class: urgency }, later);
			outcome = 'answered';
			return sealed(reply);
		} catch (error) {
			if (error instanceof ServiceError) outcome = error.code;
			throw error;
		} finally {
			leave();
			this.#running -= 1;
			questions.inc({ class: urgency, outcome });
			questionSeconds.observe({ class: urgency }, (performance.now() - askedAt) / 1000);
		}
	}

	/** For people and for `ops`: plain JSON. */
	state(): WireState {
		const now = clock.now();
		const { connections, waiting, gates } = this.#turns.overview();
		return {
			draining: this.isDraining,
			running: this.#running,
			rules: RULES_VERSION,
			connections,
			waiting,
			stateFails: this.#memory.isFailing,
			stateSetAsideAt: this.#memory.setAsideAt,
			egresses: this.#config.SMTP_EGRESS.map(({ source }) => source),
			paused: pausedParties(this.#memory.standings(), now),
			operators: stateOfOperators(gates, this.#memory, now),
			guessers: this.#turns.guessers.slowed(now).slice(0, GUESSERS_MAX),
		};
	}

	/** The accounts that asked about a domain on a day (UTC). */
	askersOf(domain: string, day: string): readonly AskingAccount[] {
		// Each token that is valid, so that a new token finds what the one before it noted.
		return this.tokens.flatMap((token) => this.#memory.askersOf(digestOf(token, domain), day));
	}

	/** Begins nothing new: an asker is sent to the next prober. */
	drain(): void {
		if (!this.isDraining) log('prober_drains', {}, 'info');
		this.isDraining = true;
	}

	/** Answers what was begun, then says goodbye to all mail hosts and closes the state. */
	async end(): Promise<void> {
		this.isDraining = true;
		while (this.#running > 0) await clock.sleep(ENDS_AFTER_MS);
		await this.#turns.end();
		this.#memory.close();
	}
}

/** The state file names no domain of a question without the token. */
function digestOf(token: string, domain: string): string {
	return hmacSha256(token, domain).toString('hex').slice(0, 32);
}
