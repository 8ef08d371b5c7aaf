import type { RequestListener } from 'node:http';
import { ServiceError } from '../errors.ts';
import { hmacSha256HexOf } from '../lib/digest.ts';
import { log } from '../lib/log.ts';
import { remembered } from '../lib/expiring-map.ts';
import { sleep, steadyTime } from '../lib/time.ts';
import { answerToWire, questionFromWire } from '../wire/prober-messages.ts';
import { GUESSERS_MAX } from '../wire/prober-state.ts';
import type { WireAnswer, WireQuestion } from '../wire/prober.ts';
import { RULES_VERSION } from '../core/smtp/rules-version.ts';
import { memberOf, Places, shareOf } from '../core/turns/who.ts';
import { ask } from './ask.ts';
import { createProberApp, RUNNING_MAX } from './app.ts';
import type { ProberConfig } from './config.ts';
import { EgressDialer } from './dial/egress-dialer.ts';
import { KeptAnswers } from './kept-answers.ts';
import { ProberMetrics } from './metrics.ts';
import type { Clock } from './ports.ts';
import { ProberMemory } from './memory.ts';
import { pausedParties, stateOfOperators } from './state-report.ts';
import { Turns } from './turns/turns.ts';

/** A prober at work, without the socket that it listens on. */
export interface RunningProber {
	readonly app: RequestListener;
	/** Begins nothing new: an asker is sent to the next prober. */
	drain(): void;
	/** When nothing runs any more. */
	quiet(): Promise<void>;
	/** Says goodbye to all mail hosts and closes the state. */
	close(): Promise<void>;
}

// Anybody may ask how we are.
const HEALTH = { freshMs: 5_000, patienceMs: 10_000 };

// An asker with too many questions under way asks again when some are answered.
const COME_BACK_MS = 5_000;

// A clock that is set back must not keep anybody waiting for what has passed already.
const clock: Clock = {
	now: steadyTime(
		() => Date.now(),
		() => performance.now(),
	),
	sleep,
};

/** Wires a prober. The only place that knows all its parts. Throws where its state can't be opened. */
export function openProber(config: ProberConfig): RunningProber {
	const metrics = new ProberMetrics();
	const memory = new ProberMemory(config.PROBER_STATE, clock);
	const { dialer, turns } = openTurns(config, { memory, metrics });
	const ports = { clock, conversations: turns, addressPolicy: config.ALLOW_PRIVATE_MX };
	const places = new Places(RUNNING_MAX);
	const kept = new KeptAnswers(() => clock.now());
	let isDraining = false;
	const running = new Running(metrics);
	const app = createProberApp({
		tokens: config.PROBER_TOKEN,
		metrics,
		answer: async (question, foundCatchAll) => {
			const { class: urgency, domain, asker, targets } = question;
			// Lists leave the places of their account's callers.
			const leave = places.enter(`${shareOf(memberOf(question))} ${urgency === 'single' ? 'calls' : 'lists'}`);
			if (leave === null) return notNow(question, clock.now());
			const [token = ''] = config.PROBER_TOKEN;
			if (asker !== null) memory.noteAsked(digestOf(token, domain), asker, targets.length);
			const end = running.begin(urgency);
			let outcome = 'failed';
			try {
				const arrived = questionFromWire(question, clock.now());
				const answered = await kept.answer(arrived, () => ask(ports, arrived, foundCatchAll));
				const postponed = answered.answers.filter((answer) => answer?.kind === 'postponed').length;
				if (postponed > 0) metrics.postponed.inc({ class: urgency }, postponed);
				outcome = 'answered';
				return answerToWire(answered, { now: clock.now(), rules: RULES_VERSION });
			} catch (error) {
				if (error instanceof ServiceError) outcome = error.code;
				throw error;
			} finally {
				leave();
				end(outcome);
			}
		},
		running: () => running.count,
		state: () => ({
			draining: isDraining,
			running: running.count,
			rules: RULES_VERSION,
			connections: turns.open,
			waiting: turns.waiting,
			stateFails: memory.isFailing,
			stateSetAsideAt: memory.setAsideAt,
			egresses: config.SMTP_EGRESS.map(({ source }) => source),
			paused: pausedParties(memory.standings(), clock.now()),
			operators: stateOfOperators(turns.overview(), memory, clock.now()),
			guessers: turns.guessers.slowed(clock.now()).slice(0, GUESSERS_MAX),
		}),
		// Each token that is valid, so that a new token finds what the one before it noted.
		askersOf: (domain, day) =>
			config.PROBER_TOKEN.flatMap((token) => memory.askersOf(digestOf(token, domain), day)),
		problems: remembered(clock, HEALTH, () => dialer.check()),
		isDraining: () => isDraining,
		drain: () => {
			if (!isDraining) log('prober_drains', {}, 'info');
			isDraining = true;
		},
	});
	return {
		app,
		drain: () => void (isDraining = true),
		quiet: () => running.quiet(),
		close: async () => {
			await turns.end();
			memory.close();
		},
	};
}

/** Counts the questions under way. */
class Running {
	readonly #metrics: ProberMetrics;
	#idle = Promise.withResolvers<void>();
	count = 0;

	constructor(metrics: ProberMetrics) {
		this.#metrics = metrics;
		this.#idle.resolve();
	}

	/** Resolves once no question is under way. */
	quiet(): Promise<void> {
		return this.#idle.promise;
	}

	begin(urgency: WireQuestion['class']): (outcome: string) => void {
		const { running, questions, questionSeconds } = this.#metrics;
		const askedAt = performance.now();
		if (this.count === 0) this.#idle = Promise.withResolvers<void>();
		running.set((this.count += 1));
		return (outcome) => {
			running.set((this.count -= 1));
			if (this.count === 0) this.#idle.resolve();
			questions.inc({ class: urgency, outcome });
			questionSeconds.observe({ class: urgency }, (performance.now() - askedAt) / 1000);
		};
	}
}

/** The state file names no domain of a question without the token. */
function digestOf(token: string, domain: string): string {
	return hmacSha256HexOf(token, [domain]).slice(0, 32);
}

/** The account has as much of this prober as it may: that is our capacity, and no fault of ours. */
function notNow({ targets }: WireQuestion, now: number): WireAnswer {
	const answers = targets.map(() => ({ kind: 'postponed', until: now + COME_BACK_MS }) as const);
	return answerToWire({ answers, evidence: [], recipients: 0 }, { now, rules: RULES_VERSION });
}

/** Its turns, and the ways out to mail hosts. */
function openTurns(
	config: ProberConfig,
	{ memory, metrics }: { readonly memory: ProberMemory; readonly metrics: ProberMetrics },
) {
	const isWarm = (name: string): boolean =>
		config.PROBER_WARM.includes(name) || config.PROBER_WARM.includes('all');
	const warm = config.SMTP_EGRESS.filter(({ label, source }) => isWarm(label) || isWarm(source));
	const identity = { heloName: config.HELO_NAME, mailFrom: config.MAIL_FROM };
	const dialer = new EgressDialer(
		{
			egresses: config.SMTP_EGRESS,
			smtpPort: config.SMTP_PORT,
			identity,
			controls: config.PROBER_CONTROL,
		},
		clock,
	);
	const turns = new Turns({
		clock,
		random: Math.random,
		dialer,
		memory,
		overrides: config.PROBER_BUDGETS,
		warm: warm.map(({ source }) => source),
		held: (egress, end) => metrics.conversations.inc({ egress, end }),
		refused: (operator, egress, why) => metrics.refusals.inc({ operator, egress, why }),
	});
	metrics.watch({
		stateFails: () => memory.isFailing,
		stateSetAside: () => memory.setAsideAt !== null,
		connections: () => turns.open,
		waiting: () => turns.waiting,
		groups: () => turns.overview(),
	});
	return { dialer, turns };
}
