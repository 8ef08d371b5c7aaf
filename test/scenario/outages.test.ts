import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { startLocalProber } from '../../tools/local-prober.ts';
import type { LocalProber } from '../../tools/local-prober.ts';
import type { Relay } from '../contract/relay.ts';
import { startRelay } from '../contract/relay.ts';
import type { Scene } from '../sandbox/scenes/scene.ts';
import type { Sandbox } from '../sandbox/world.ts';
import { SANDBOX_RANGE, startSandbox } from '../sandbox/world.ts';
import { call, startTestService } from '../support/service.ts';
import type { TestService } from '../support/service.ts';
import { runList } from './access.ts';
import type { Access } from './access.ts';

// Our only resolver, the way out or our probers fail amid a list of firms, each with a mail server of its own. Nobody is
// blamed, nothing is charged that was not answered, and the list is done as soon as the outage is over.

const FIRMS = 200;
// A name that was looked up before is remembered: the outage of the resolver has firms of its own.
const SILENCED = 50;
// Where a part asks six domains at a time, so many may be under way when a prober dies.
const UNDER_WAY_MAX = 80;
// RFC 1928 §3 and §6, RFC 1929 §2: user and password, welcome, general SOCKS server failure.
const LEADS_NOWHERE = Uint8Array.of(5, 2, 1, 0, 5, 1, 0, 1, 0, 0, 0, 0, 0, 0);
const TOKEN = 'prober-token-of-a-scenario-with-two';

const firms = Array.from({ length: FIRMS + SILENCED }, (_, n): Scene => {
	const does = 'A firm with a mail server of its own.';
	return { domain: `firm-${n}.test`, does, mail: 'shops', samples: [] };
});
const emails = firms.map(({ domain }) => `ada.adams@${domain}`);
const folder = mkdtempSync(join(tmpdir(), 'mailsonar-outages-'));

let sandbox: Sandbox;
let service: TestService;
let dns: Relay;
let egress: Relay;
let probers: readonly [LocalProber, LocalProber];
let relays: readonly [Relay, Relay];

const portOf = (url: string): number => Number(new URL(url).port);
/** The address of an upstream, with the port of the relay before it. */
const by = (relay: Relay, url: string): string => url.replace(String(portOf(url)), String(relay.port));

beforeAll(async () => {
	sandbox = await startSandbox({ extraScenes: firms, replyDelayMs: 20 });
	[dns, egress] = [await startRelay(portOf(sandbox.dohUrl)), await startRelay(portOf(sandbox.socksUrl))];
	const vars = {
		SMTP_EGRESS: by(egress, sandbox.socksUrl),
		PROBER_CONTROL: sandbox.control,
		ALLOW_PRIVATE_MX: SANDBOX_RANGE,
	};
	const start = (name: string, more: { readonly fileBlocks?: number } = {}) =>
		startLocalProber(vars, { stateFolder: join(folder, name), output: 'hide', token: TOKEN, ...more });
	// The disk of the first one is full from its start on.
	probers = [await start('one', { fileBlocks: 1 }), await start('two')];
	relays = [await startRelay(portOf(probers[0].url)), await startRelay(portOf(probers[1].url))];
	service = await startTestService({
		sandbox: null,
		vars: {
			DOH_URL: by(dns, sandbox.dohUrl),
			ALLOW_PRIVATE_MX: SANDBOX_RANGE,
			PROBERS: relays.map(({ port }) => `http://${TOKEN}@127.0.0.1:${port}`).join(' '),
			RETRY_DELAYS_SECONDS: '2,4,8',
			REDRIVE_AFTER_SECONDS: '2',
		},
	});
});
afterAll(async () => {
	await service?.remove();
	await Promise.all([dns, egress, ...(relays ?? [])].map((relay) => relay?.close()));
	await Promise.all((probers ?? []).map((prober) => prober.stop()));
	await sandbox?.close();
	rmSync(folder, { recursive: true, force: true });
});
afterEach(async () => {
	await Promise.all([dns, egress, ...relays].map((relay) => relay.become('works')));
	sandbox.reset();
});

/** A list of firms, while something is wrong. */
async function expectDone(of: readonly string[], meanwhile: (access: Access, id: string) => Promise<void>) {
	const { job, told } = await runList(service, of, meanwhile);
	expect(told).toEqual(new Set(['accepted_email']));
	expect([job.creditsUsed, job.creditsReserved]).toEqual([of.length, 0]);
}

/** Recipients that mail servers were asked about. */
const asked = (): number =>
	sandbox
		.transcripts()
		.flatMap(({ lines }) => lines.filter((line) => line.startsWith('< RCPT TO:<ada.adams@'))).length;

test('a list tells of the dead among the living, and of failing name servers when they failed each time', async () => {
	const dead = ['ada@refused.test', 'ada@unreachable.test', 'ada@servfail.test'];
	const { job, rows } = await runList(service, [...emails.slice(0, 60), ...dead]);
	const told = rows.slice(60).map(({ details }) => details.sub_status);
	expect(told).toEqual(['no_connect', 'no_connect', 'dns_error']);
	expect(job.creditsUsed).toBe(60);
});

test('a prober whose disk is full answers as ever, and says what it can not keep', async () => {
	const { url, token } = probers[0];
	const headers = { authorization: `Bearer ${token}` };
	expect(await (await fetch(`${url}/state`, { headers })).json()).toMatchObject({ stateFails: true });
	const metrics = await (await fetch(`${url}/metrics`, { headers })).text();
	expect(metrics).toMatch(/^mailsonar_prober_questions_total\{.*outcome="answered"\} [1-9]/m);
});

test('a resolver that says nothing for a while', async () => {
	await dns.become('silent');
	await expectDone(emails.slice(FIRMS), async () => {
		const before = dns.connections;
		await expect.poll(() => dns.connections - before).toBeGreaterThan(SILENCED);
		expect(asked()).toBe(0);
		await dns.become('works');
	});
});

test('a proxy that leads nowhere for a while: no mail server is asked twice', async () => {
	await egress.become(LEADS_NOWHERE);
	await expectDone(emails.slice(0, FIRMS), async () => {
		// Until everybody knows it and waits: who is asked as it ends can not be told from a dead host.
		let before = -1;
		const more = (): number => {
			const count = egress.connections - before;
			before = egress.connections;
			return count;
		};
		await expect.poll(more, { interval: 1_000 }).toBe(0);
		expect(asked()).toBe(0);
		await egress.become('works');
	});
	const talks = firms.map(({ domain }) => sandbox.transcripts(domain).length);
	expect(Math.max(...talks)).toBeLessThanOrEqual(1);
});

test('all probers are mute: nothing is told until one speaks again', async () => {
	await Promise.all(relays.map((relay) => relay.become('silent')));
	await expectDone(emails.slice(0, FIRMS), async (access, id) => {
		const before = relays.map(({ connections }) => connections);
		// More questions in vain than there are firms: some firms had their turn again.
		const inVain = (): number => Math.min(...relays.map(({ connections }, n) => connections - before[n]!));
		await expect.poll(inVain).toBeGreaterThan(FIRMS);
		const { body } = await call(access.url, access.apiKey, 'GET', `/v1/jobs/${id}`);
		expect(body).toMatchObject({ data: { processedEmails: 0, creditsUsed: 0 } });
		await relays[1].become('works');
	});
});

test('one of two probers dies amid a list: it is not missed, and hardly anybody is asked twice', async () => {
	await expectDone(emails.slice(0, FIRMS), async () => {
		await expect.poll(asked).toBeGreaterThan(30);
		await Promise.all([probers[0].kill(), relays[0].become('closed')]);
	});
	expect(asked()).toBeLessThanOrEqual(FIRMS + UNDER_WAY_MAX);
});
