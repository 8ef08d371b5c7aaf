import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, test, vi } from 'vitest';
import { LINES_MAX } from '../../../src/core/exchanger/lines.ts';
import type { MailHost } from '../../../src/core/politeness/mail-host.ts';
import { exchangersOf } from '../../../src/durable-objects/exchanger-client.ts';
import type { MailExchanger } from '../../../src/index.ts';
import type { Conversed } from '../../../src/engine/conversations-port.ts';
import type { Clock } from '../../../src/engine/ports.ts';
import { SharedLines } from '../../../src/engine/shared-lines.ts';
import { IsolateStandingMemory } from '../../../src/storage/standing-memory.ts';
import type { WatchedProxyName } from '../../support/proxies/peers.ts';
import type { ProxySeen } from '../../support/proxies/watched-proxies.ts';
import {
	LOOPBACK,
	makeDialer,
	makeDomain,
	peers,
	planFor,
	skipWithout,
	withoutSecrets,
	witnessed,
} from './peers.ts';

// What the exchanger's object asks of a proxy, counted before the proxy, on real sockets.

const ANEW = ['method', 'credentials', 'connect'];
const TICK_MS = 10;
const SOON = { timeout: 5_000 };
const SPARE: MailHost = { host: 'spare.test', party: 'spare', egress: '', speaksFor: 'operator' };

/** The real time, of which some can be left out. */
function skippingClock(): Clock & { skip(ms: number): void } {
	let skippedMs = 0;
	const now = (): number => Date.now() + skippedMs;
	return {
		now,
		skip: (ms) => void (skippedMs += ms),
		sleep: (ms, signal) => {
			const until = now() + ms;
			const { promise, resolve } = Promise.withResolvers<void>();
			const look = (): void => {
				if (now() >= until || signal?.aborted === true) resolve();
				else setTimeout(look, Math.min(TICK_MS, until - now()));
			};
			look();
			return promise;
		},
	};
}

const urlOf = (name: WatchedProxyName): string => peers.watchedProxies[name] ?? '';
const seen = (name: WatchedProxyName, wish = ''): Promise<ProxySeen> => witnessed('proxy', name, wish);

let names = 0;

/** An exchanger that dials through watched proxies. */
async function makeExchanger(...proxies: WatchedProxyName[]) {
	names += 1;
	const host = `mx${names}.spare.test`;
	const clock = skippingClock();
	const isReal = proxies.some((name) => name === 'microsocks' || name === 'dante');
	const address = isReal ? LOOPBACK : peers.sandboxTargets.mail;
	const dialer = makeDialer(proxies.map(urlOf).join(' '), isReal ? {} : { smtpPort: 25 });
	const stub = env.MAIL_EXCHANGER.getByName(`host ${host}`);
	await runInDurableObject(stub, (exchanger: MailExchanger) => {
		exchanger.lines = new SharedLines({
			clock,
			dialer,
			standing: new IsolateStandingMemory(clock),
			invented: { find: () => null, keep: () => {} },
		});
	});
	const client = exchangersOf(env.MAIL_EXCHANGER, { kind: 'all' }, Date).forQuestion(false)(
		host,
		false,
		'x.test',
	);
	const ask = async (domain = makeDomain()): Promise<Conversed & { kind: 'held' }> => {
		const { heloName: _, mailFrom: __, ...plan } = planFor(`ada@${domain}`);
		const deadline = clock.now() + 8_000;
		const of = { domain, address, host: SPARE, asker: 'acc_1', operator: null, isBest: true };
		const request = { ...of, plan, deadline };
		const conversed = await client?.hold(request);
		if (conversed === undefined || conversed === 'unavailable' || conversed.kind !== 'held')
			throw new Error(`not held: ${JSON.stringify(conversed)}`);
		expect(conversed.report.targets[0]?.reply?.code).toBe(250);
		return conversed;
	};
	/** Asks until a question needs a connection of its own. */
	const nextDial = async (make = makeDomain): Promise<Conversed & { kind: 'held' }> => {
		for (let at = 0; at < 30; at += 1) {
			const conversed = await ask(make());
			if (!conversed.warm) return conversed;
		}
		throw new Error('a server bears no thirty conversations');
	};
	/** What the proxy was told from here on. */
	const since = async (name: WatchedProxyName) => {
		const before = (await seen(name)).messages.length;
		return async () => (await seen(name)).messages.slice(before);
	};
	return { clock, dialer, ask, nextDial, since };
}

type Exchanger = Awaited<ReturnType<typeof makeExchanger>>;

/** Asks so densely that a connection to the proxy waits for the next question that needs one. */
async function dense(
	{ nextDial, since }: Exchanger,
	name: WatchedProxyName,
	make = makeDomain,
): Promise<void> {
	await nextDial(make);
	const told = await since(name);
	await nextDial(make);
	await vi.waitFor(
		async () => expect((await told()).filter((one) => one === 'credentials')).toHaveLength(2),
		SOON,
	);
}

async function allClosed({ clock }: Exchanger, ...proxies: WatchedProxyName[]): Promise<void> {
	clock.skip(10_000);
	for (const name of proxies) await vi.waitFor(async () => expect((await seen(name)).open).toBe(0), SOON);
}

describe.each(['sandbox', 'microsocks', 'dante'] as const)('%s', (name) => {
	if (name !== 'sandbox') skipWithout(name);

	test('hears nothing but where to when a busy exchanger needs a connection, and is left in the end', async () => {
		const exchanger = await makeExchanger(name);
		await dense(exchanger, name);
		for (let time = 0; time < 3; time += 1) {
			const told = await exchanger.since(name);
			await exchanger.nextDial();
			// And the next one is begun.
			await vi.waitFor(async () => expect(await told()).toEqual(['connect', 'method', 'credentials']), SOON);
		}
		await allClosed(exchanger, name);
	});
});

test('who asks seldom costs the proxy one connection for half a second', async () => {
	const exchanger = await makeExchanger('sandbox');
	for (let time = 0; time < 3; time += 1) {
		const told = await exchanger.since('sandbox');
		await exchanger.ask();
		expect(await told()).toEqual(ANEW);
		exchanger.clock.skip(500);
		await vi.waitFor(async () => expect((await seen('sandbox')).open).toBe(0), SOON);
		exchanger.clock.skip(60_000);
	}
});

test('a proxy that hangs up on who waits is asked anew, and is held healthy', async () => {
	const exchanger = await makeExchanger('sandbox', 'other');
	const label = withoutSecrets(urlOf('sandbox'));
	const ofSandbox = () => domainBy(exchanger, label);
	await dense(exchanger, 'sandbox', ofSandbox);
	await seen('sandbox', 'hang-up');
	const told = await exchanger.since('sandbox');
	const { egress } = await exchanger.nextDial(ofSandbox);
	expect((await told()).slice(0, 3)).toEqual(ANEW);
	// Which it would not be called if it had failed.
	expect([egress, (await exchanger.nextDial(ofSandbox)).egress]).toEqual([label, label]);
	await allClosed(exchanger, 'sandbox', 'other');
});

test('a proxy that dies is replaced by the next one, and nothing is left open', async () => {
	const exchanger = await makeExchanger('sandbox', 'other');
	const labels = [withoutSecrets(urlOf('sandbox')), withoutSecrets(urlOf('other'))];
	const domains = Array.from({ length: 30 }, () => domainBy(exchanger, labels[0] ?? ''));
	await dense(exchanger, 'sandbox', () => domains.pop() ?? '');
	await seen('sandbox', 'off');
	try {
		expect((await exchanger.ask(domains.pop())).egress).toBe(labels[1]);
		const told = await exchanger.since('other');
		expect((await exchanger.ask(domains.pop())).egress).toBe(labels[1]);
		await allClosed(exchanger, 'sandbox', 'other');
		expect((await told()).filter((one) => one === 'connect').length).toBeLessThanOrEqual(1);
	} finally {
		await seen('sandbox', 'on');
	}
});

test('by two proxies each domain is asked by its own, and no more connections are open than lines', async () => {
	const exchanger = await makeExchanger('sandbox', 'other');
	for (let round = 0; round < 10; round += 1) {
		const domains = Array.from({ length: 8 }, makeDomain);
		const wanted = domains.map((domain) => exchanger.dialer.egressFor(domain));
		const held = await Promise.all(domains.map(exchanger.ask));
		expect(held.map(({ egress }) => egress)).toEqual(wanted);
	}
	const open = async () => (await seen('sandbox')).open + (await seen('other')).open;
	expect(await open()).toBeGreaterThan(1);
	// The proxies notice an end a moment later.
	await vi.waitFor(async () => expect(await open()).toBeLessThanOrEqual(LINES_MAX), SOON);
	await allClosed(exchanger, 'sandbox', 'other');
});

/** A domain that is dialled by this egress. */
function domainBy({ dialer }: Exchanger, label: string): string {
	for (;;) {
		const domain = makeDomain();
		if (dialer.egressFor(domain) === label) return domain;
	}
}
