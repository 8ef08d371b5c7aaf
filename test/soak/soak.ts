import { setTimeout as pause } from 'node:timers/promises';
import { randomFrom } from '../support/random.ts';
import { Receiver } from '../support/receiver.ts';
import { call } from '../support/service.ts';
import { openAccount, openPerson } from './customers.ts';
import type { Customer, Person } from './customers.ts';
import { sampleMemory } from './memory.ts';
import type { Life } from './memory.ts';
import { CUSTOMERS, inDrawnOrder, nextStep, PEOPLE } from './plan.ts';
import type { Processes, Victim } from './processes.ts';
import { VICTIMS } from './processes.ts';
import type { Service } from './reckoning.ts';
import { Requests } from './requests.ts';
import type { Outage } from './requests.ts';
import { take } from './traffic.ts';
import type { Cast } from './traffic.ts';

/** Seconds of a window, so that a run sees many. */
export const WINDOW_SECONDS = 60;
/** Requests a window of the account with small limits. */
export const SMALL_LIMIT = 40;

// Steps under way at once; one more is not begun, and counted.
const WIDTH = 80;
const SAMPLE_EVERY_MS = 5_000;
const WEIGH_EVERY_MS = 10_000;
const SAY_EVERY_MS = 30_000;
const STARTS_MAX = 3;
const START_AGAIN_MS = 3_000;
// An endpoint that takes its time, so that a kill meets attempts that are under way.
const ENDPOINT_MS = 400;

/** The least and the most that each argument of `npm run soak` may be, and what it is when it is left out. */
export const ARGUMENTS = {
	minutes: [0.1, 24 * 60, 30],
	seed: [0, 2 ** 32 - 1, Date.now() % 1_000_000],
	/** Requests a second. */
	rate: [0.1, 200, 20],
	/** Seconds between two kills; 0: none. */
	'kill-every': [0, 86_400, 180],
} as const;
export type SoakArguments = Readonly<Record<keyof typeof ARGUMENTS, number>>;

/** A run: traffic, kills and samples until the time is over. */
export class Soak {
	readonly outages: Outage[] = [];
	readonly lives: Life[] = [];
	readonly requests: Requests;
	/** Hears of the first customer's jobs. */
	readonly receiver = new Receiver();
	/** Faults of the run itself, such as a process that does not come back. */
	readonly faults: string[] = [];
	heldBack = 0;
	webhookSecret = '';
	#isOver = false;
	readonly #processes: Processes;
	readonly #given: SoakArguments;
	readonly #underWay = new Set<Promise<void>>();

	constructor(processes: Processes, given: SoakArguments) {
		this.#processes = processes;
		this.#given = given;
		this.requests = new Requests(() => processes.url, this.outages);
	}

	/** Makes the accounts. */
	async cast(service: Service): Promise<Cast> {
		const customers: Customer[] = [];
		const people: Person[] = [];
		while (customers.length < CUSTOMERS)
			customers.push(await openAccount(service, `customer-${customers.length + 1}`));
		while (people.length < PEOPLE) people.push(await openPerson(service, `person-${people.length + 1}`));
		const limited = await openAccount(service, 'limited', { default: SMALL_LIMIT });
		await this.receiver.start();
		this.receiver.slowMs = ENDPOINT_MS;
		const { url } = this.receiver;
		const added = await call(service.url, customers[0]?.apiKey ?? '', 'POST', '/v1/webhooks', { url });
		this.webhookSecret = (added.body as { data: { secret: string } }).data.secret;
		return { customers, limited, people, requests: this.requests, limitedAnswers: [] };
	}

	/** The whole time; resolves when every step has ended and everything runs. */
	async run(cast: Cast): Promise<void> {
		const endsAt = Date.now() + this.#given.minutes * 60_000;
		const timers = [
			setInterval(() => this.#sample(), SAMPLE_EVERY_MS),
			setInterval(() => void this.#weigh(), WEIGH_EVERY_MS),
			setInterval(() => this.#say(endsAt), SAY_EVERY_MS),
		];
		try {
			await Promise.all([this.#ask(cast, endsAt), this.#killInTurn(endsAt)]);
			await Promise.all(this.#underWay);
			this.#sample();
		} finally {
			timers.forEach(clearInterval);
		}
	}

	/** Paced: a step is due at its time, however long those before take. */
	async #ask(cast: Cast, endsAt: number): Promise<void> {
		const random = randomFrom(this.#given.seed);
		const gapMs = 1000 / this.#given.rate;
		for (let dueAt = Date.now(); dueAt < endsAt && !this.#isOver; dueAt += gapMs) {
			await pause(Math.max(0, dueAt - Date.now()));
			const step = nextStep(random);
			if (this.#underWay.size >= WIDTH) {
				this.heldBack += 1;
				continue;
			}
			const taken: Promise<void> = take(step, cast)
				.catch((error: unknown) => void this.faults.push(`${step.kind}: ${String(error)}`))
				.finally(() => this.#underWay.delete(taken));
			this.#underWay.add(taken);
		}
	}

	async #killInTurn(endsAt: number): Promise<void> {
		const { 'kill-every': killEvery, seed } = this.#given;
		if (killEvery === 0) return;
		const victims = inDrawnOrder(VICTIMS, randomFrom(seed + 1));
		// The last one is back, and what it broke is mended, before the time is over.
		for (let dueAt = Date.now() + killEvery * 1000; dueAt < endsAt; dueAt += killEvery * 1000) {
			if (this.#isOver) return;
			await pause(Math.max(0, dueAt - Date.now()));
			const who = victims.next().value;
			const outage: Outage = { who, from: Date.now(), until: Infinity };
			this.outages.push(outage);
			await this.#processes.kill(who);
			await this.#startAgain(who);
			outage.until = Date.now();
			console.log(`${new Date().toISOString()} killed ${who}, back after ${outage.until - outage.from} ms`);
		}
	}

	/** Its port may be taken for a moment; who does not come back ends the run. */
	async #startAgain(who: Victim): Promise<void> {
		for (let time = 1; time <= STARTS_MAX; time += 1) {
			try {
				await this.#processes.start(who);
				return;
			} catch (error) {
				if (time === STARTS_MAX)
					this.faults.push(`${who} was killed and did not start again: ${String(error)}`);
				await pause(START_AGAIN_MS);
			}
		}
		this.#isOver = true;
	}

	#workerds(): readonly number[] {
		const family = this.#processes.familyOf('worker');
		return family.filter(({ name }) => name === 'workerd').map(({ pid }) => pid);
	}

	#sample(): void {
		for (const pid of this.#workerds()) void sampleMemory(this.lives, 'workerd', pid);
		for (const { pid } of this.#processes.familyOf('prober')) void sampleMemory(this.lives, 'prober', pid);
	}

	async #weigh(): Promise<void> {
		for (const pid of this.#workerds()) await sampleMemory(this.lives, 'live heap of the Worker', pid);
	}

	#say(endsAt: number): void {
		const left = Math.max(0, (endsAt - Date.now()) / 60_000).toFixed(1);
		const { count, broken } = this.requests;
		console.log(
			`${new Date().toISOString()} ${count} requests, ${this.#underWay.size} under way, ${broken.length} broken promises, ${left} minutes left`,
		);
	}
}
