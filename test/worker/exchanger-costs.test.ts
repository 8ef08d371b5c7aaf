import { createExecutionContext, runInDurableObject, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, test, vi } from 'vitest';
import { compose } from '../../src/compose.ts';
import { readConfig } from '../../src/config.ts';
import type { ExchangerAnswer } from '../../src/durable-objects/mail-exchanger.ts';
import { StoredInvented } from '../../src/durable-objects/invented-memory.ts';
import { Sql } from '../../src/durable-objects/sql.ts';
import { createApp } from '../../src/http/app.ts';
import type { MailExchanger } from '../../src/index.ts';
import { createAccount } from '../../src/operations/accounts/create-account.ts';
import type { ConversationRequest, Conversed } from '../../src/engine/conversations-port.ts';
import type { Clock } from '../../src/engine/ports.ts';
import { SharedLines } from '../../src/engine/shared-lines.ts';
import { IsolateStandingMemory } from '../../src/storage/standing-memory.ts';
import { addedPerMillion, totalOf } from '../support/billing.ts';
import type { ExchangerUsage } from '../support/billing.ts';
import { makeDialer } from './net/peers.ts';

// What an exchanger adds to the cost of POST /v1/verify, counted on the whole way of it: the real application, objects,
// DNS, SOCKS5 and SMTP. Waiting is counted on a clock that the test moves. A conversation is priced by its round trips,
// since on loopback they take no time.

// All of the sandbox's shops that have one host.
const DOMAINS = Array.from({ length: 20 }, (_, at) => `shop-${String(3 * at + 1).padStart(3, '0')}.test`);
const PATIENCE_MS = 10_000;

// A proxy that is 30 ms away, and mail servers 100 ms behind it.
const ROUND_TRIP_MS = 130;
// TCP, method and password at the proxy, and CONNECT.
const DIAL_MS = 3 * 30 + 130;
// Of a caller who asks one address after the other: his way to us, the account, DNS.
const BETWEEN_CALLS_MS = 100;

/** A clock that stands still while conversations are held. */
function steppingClock() {
	let now = Date.now();
	const sleepers = new Set<{ readonly at: number; readonly wake: () => void }>();
	const clock: Clock = {
		now: () => now,
		sleep: (ms, signal) =>
			new Promise((resolve) => {
				const sleeper = { at: now + ms, wake: () => void (sleepers.delete(sleeper) && resolve()) };
				sleepers.add(sleeper);
				signal?.addEventListener('abort', sleeper.wake, { once: true });
			}),
	};
	const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));
	return {
		clock,
		/** Goes on by this long. */
		async pass(ms: number): Promise<void> {
			const until = now + ms;
			for (;;) {
				const [next] = [...sleepers].filter(({ at }) => at <= until).toSorted((a, b) => a.at - b.at);
				if (next === undefined) break;
				now = Math.max(now, next.at);
				next.wake();
				await settle();
			}
			now = until;
		},
		/** Until nobody waits any more. */
		async run(): Promise<void> {
			await settle();
			for (let next = [...sleepers][0]; next !== undefined; next = [...sleepers][0])
				await this.pass(Math.max(0, Math.min(...[...sleepers].map(({ at }) => at)) - now));
		},
	};
}

/** The service, and one exchanger whose use is counted. */
async function makeService(credits: number) {
	const time = steppingClock();
	const stub = env.MAIL_EXCHANGER.getByName(`of ${crypto.randomUUID()}`);
	const inside = await runInDurableObject(stub, (exchanger: MailExchanger, state) => {
		const sql = new Sql(state.storage.sql);
		const lines = new SharedLines({
			clock: time.clock,
			dialer: makeDialer('direct', { egresses: readConfig(env).SMTP_EGRESS, smtpPort: 25 }),
			standing: new IsolateStandingMemory(time.clock),
			invented: new StoredInvented(sql),
		});
		exchanger.lines = lines;
		return { sql, lines };
	});
	const held: Conversed[] = [];
	let requests = 0;
	const hold = async (request: ConversationRequest): Promise<ExchangerAnswer> => {
		requests += 1;
		// The exchanger's clock is not the Worker's.
		const answer = await stub.hold({ ...request, deadline: time.clock.now() + PATIENCE_MS });
		if (answer.kind === 'conversed' && answer.conversed !== 'unavailable') held.push(answer.conversed);
		return answer;
	};
	const watched = {
		...env,
		// All domains of the sandbox.
		SHARED_EXCHANGERS: 'test',
		MAIL_EXCHANGER: { getByName: () => ({ hold }) } as unknown as typeof env.MAIL_EXCHANGER,
	};
	const services = compose(watched);
	const { apiKey } = await createAccount(services, { email: `${crypto.randomUUID()}@example.com`, credits });
	const app = createApp(
		() => services,
		() => Promise.reject(new Error('no page is asked for')),
	);
	const verify = async (at: number): Promise<void> => {
		const context = createExecutionContext();
		const body = JSON.stringify({ email: `info@${DOMAINS[at % DOMAINS.length]}` });
		const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
		const request = { method: 'POST', headers, body };
		const response = await app.request('/v1/verify', request, watched, context);
		expect(await response.json()).toMatchObject({ data: { status: 'deliverable' } });
		await waitOnExecutionContext(context);
	};
	const openNow = () =>
		runInDurableObject(stub, () => inside.lines.openLines + (inside.lines.hasSpare ? 1 : 0));
	/** Time goes on until nothing is open; how long that took. */
	const close = async (): Promise<number> => {
		const before = time.clock.now();
		await runInDurableObject(stub, () => time.run());
		expect(await openNow()).toBe(0);
		return time.clock.now() - before;
	};
	const pass = (ms: number) => runInDurableObject(stub, () => time.pass(ms));
	const used = () => ({ requests, rows: inside.sql.rowsWritten, held });
	return { verify, close, pass, used, openNow };
}

/** How long the conversations keep the object, where mail servers are as far away as they are. */
function conversationMs(held: readonly Conversed[]): number {
	return held.reduce((sum, conversed) => {
		if (conversed.kind !== 'held') throw new Error(`not held: ${conversed.kind}`);
		return sum + conversed.report.roundTrips * ROUND_TRIP_MS + (conversed.warm ? 0 : DIAL_MS);
	}, 0);
}

/** Dollars for a million. */
function priced(usage: ExchangerUsage): number {
	// The benches read this line.
	console.log(`COUNTED ${JSON.stringify(usage)}`);
	return totalOf(addedPerMillion(usage));
}

test('calls that come one by one cost no exchanger anything: they are dialled from the Worker', async () => {
	const calls = DOMAINS.length;
	const service = await makeService(calls);
	try {
		for (let at = 0; at < calls; at += 1) {
			await service.verify(at);
			vi.setSystemTime(Date.now() + 60_000);
		}
	} finally {
		vi.useRealTimers();
	}
	const { requests, rows, held } = service.used();
	const ms = conversationMs(held);
	const dollars = priced({ what: 'single, shared operator, sparse', addresses: calls, requests, rows, ms });
	expect(dollars).toBe(0);
});

test('calls in dense traffic cost the exchanger less than one that comes alone', async () => {
	const calls = 5 * DOMAINS.length;
	const service = await makeService(calls);
	let idleMs = 0;
	for (let at = 0; at < calls; at += 1) {
		await service.verify(at);
		if (at === calls - 1) break;
		await service.pass(BETWEEN_CALLS_MS);
		if ((await service.openNow()) > 0) idleMs += BETWEEN_CALLS_MS;
	}
	idleMs += await service.close();
	const { requests, rows, held } = service.used();
	const ms = idleMs + conversationMs(held);
	const dollars = priced({ what: 'single, shared operator, dense', addresses: calls, requests, rows, ms });
	expect(dollars).toBeLessThanOrEqual(1.5);
	const warm = held.filter((conversed) => conversed.kind === 'held' && conversed.warm).length;
	expect(warm).toBeGreaterThanOrEqual(0.85 * calls);
	// Ten seconds after the last call, and what lies between them.
	expect(idleMs).toBeLessThanOrEqual(10_000 + BETWEEN_CALLS_MS * calls);
	// The first one comes alone.
	expect(requests).toBe(calls - 1);
	// Each domain is asked about five times, and learnt about once.
	expect(rows).toBeLessThanOrEqual(DOMAINS.length + 2);
});
