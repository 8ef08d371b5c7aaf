import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import { ensureDevVars, operatorToken } from '../../tools/dev-vars.ts';
import { callOperator } from '../../tools/operator-client.ts';
import type { TestAccount } from '../support/service.ts';
import { create, read } from './access.ts';
import type { Access, State } from './access.ts';
import { ProcessGroup, readWelcome } from './process-group.ts';
import { randomFrom } from './random.ts';

// A service that is killed again and again, on one state: its queue is lost each time, its consumers leave leases behind.

const KILL_AFTER_MS = { min: 50, max: 700 };

/** What a caller knows of a job or a task. */
export interface Order {
	/** Where it was created, with what and under which key. */
	readonly created: '/v1/verify-batch' | '/v1/catchall';
	readonly request: object;
	readonly key: string;
	/** Where it is read. */
	readonly path: string;
	/** The 202, to the letter. */
	readonly text: string;
	processed: number;
}

/** Creates a job or a task, for the first time or again. */
export async function order(
	access: Access,
	created: Order['created'],
	key: string,
	request: object,
): Promise<Order> {
	const { id, text } = await create(access, created, request, { 'idempotency-key': key });
	const path = created === '/v1/catchall' ? `/v1/catchall/${id}` : `/v1/jobs/${id}`;
	return { created, request, key, path, text, processed: 0 };
}

/** The plan of a run. */
export interface Kills {
	readonly crashes: number;
	/** Orders that are made in any case; more follow where all have ended, so that no kill finds the service idle. */
	readonly orders: number;
	readonly make: (access: Access, nth: number) => Promise<Order>;
	/** What holds for the figures of an order at every moment. */
	readonly expectBooks: (state: State) => void;
}

export class KilledService {
	readonly #stateFolder: string;
	readonly #random: () => number;
	#group: ProcessGroup | null = null;
	#account: TestAccount | null = null;

	constructor(seed: number) {
		this.#stateFolder = mkdtempSync(join(tmpdir(), 'mailsonar-killed-'));
		this.#random = randomFrom(seed);
	}

	/** Starts it, with an account of so many credits the first time. */
	async start(credits: number): Promise<Access> {
		const args = ['--port', '0', '--persist-to', this.#stateFolder, '--var', 'REDRIVE_AFTER_SECONDS:2'];
		this.#group = new ProcessGroup(process.execPath, ['tools/start.ts', ...args]);
		const { url } = await readWelcome(this.#group);
		const token = operatorToken(ensureDevVars());
		this.#account ??= await openAccount({ url, token }, credits);
		return { url, apiKey: this.#account.apiKey };
	}

	async kill(): Promise<void> {
		await this.#group?.kill();
	}

	/** Kills it and removes its state. */
	async remove(): Promise<void> {
		await this.kill();
		rmSync(this.#stateFolder, { recursive: true, force: true });
	}

	/**
	 * Kills the running service that `access` leads to `crashes` times amid its work, and starts it for good. Gives the
	 * way to it, all orders, and how often one was found unfinished after a crash.
	 */
	async survive(
		access: Access,
		{ crashes, orders: most, make, expectBooks }: Kills,
	): Promise<{ access: Access; orders: readonly Order[]; interrupted: number }> {
		const orders: Order[] = [];
		let interrupted = 0;
		let now = access;
		for (let crash = 0; crash < crashes; crash += 1) {
			const running = await unfinished(now, orders);
			if (orders.length < most || running === 0) orders.push(await make(now, orders.length));
			await pause(KILL_AFTER_MS.min + this.#random() * (KILL_AFTER_MS.max - KILL_AFTER_MS.min));
			await this.kill();
			now = await this.start(0);
			interrupted += await lookAfter(now, orders, expectBooks);
		}
		return { access: now, orders, interrupted };
	}
}

/** After a crash: every order is there, none has gone back, and its key still gives the first answer. */
async function lookAfter(
	access: Access,
	orders: readonly Order[],
	expectBooks: Kills['expectBooks'],
): Promise<number> {
	let found = 0;
	for (const known of orders) {
		const { created, request, key } = known;
		const again = await create(access, created, request, { 'idempotency-key': key });
		expect(again.text).toBe(known.text);
		const state = await read<State>(access, known.path);
		expect(state.processedEmails, key).toBeGreaterThanOrEqual(known.processed);
		expectBooks(state);
		known.processed = state.processedEmails;
		if (state.status === 'processing') found += 1;
	}
	return found;
}

async function unfinished(access: Access, orders: readonly Order[]): Promise<number> {
	const states = await Promise.all(orders.map(({ path }) => read<State>(access, path)));
	return states.filter(({ status }) => status === 'processing').length;
}

/** Every order is made again after every crash, which is more than an account may usually do. */
async function openAccount(service: { url: string; token: string }, credits: number): Promise<TestAccount> {
	const request = { email: 'crash@example.com', credits };
	const account = await callOperator<TestAccount>(service, 'POST', '/accounts', request);
	const limits = { default: 10_000, batch: 10_000, polling: 10_000 };
	await callOperator(service, 'PATCH', `/accounts/${account.accountId}/limits`, limits);
	return account;
}
