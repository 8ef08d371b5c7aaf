import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { LocalProber } from '../../tools/local-prober.ts';
import type { Relay } from '../contract/relay.ts';
import { startRelay } from '../contract/relay.ts';
import { openListener } from '../sandbox/listener.ts';
import type { Sandbox } from '../sandbox/world.ts';
import { SANDBOX_RANGE, startSandbox } from '../sandbox/world.ts';
import { call, makeAccount, startTestService } from '../support/service.ts';
import type { TestService } from '../support/service.ts';
import { runList } from './access.ts';
import { expectNothingOff } from './books.ts';
import { makeFirms } from './firms.ts';
import { portOf, questionsOf, startSandboxProber } from './sandbox-prober.ts';

// Three probers, of which one dies, is mute, of another version or without a disk; or all of them are mute. Lists are done by
// those that work, nobody is blamed, and nothing is charged that was not answered, or twice.

const FIRMS = 200;
// Where a part asks six domains at a time, so many may be under way when a prober dies.
const UNDER_WAY_MAX = 80;
const TOKEN = 'prober-token-of-a-scenario-with-three';
const { scenes, emails: EMAILS } = makeFirms(FIRMS);

/** What another version says: more than is known, less than is needed, or what is known and more. */
type Version = 'this' | 'later' | 'incompatible';

let sandbox: Sandbox;
let service: TestService;
let folder: string;
let probers: LocalProber[] = [];
let relays: Relay[] = [];
let translator: { readonly port: number; close(): Promise<void> };
let version: Version = 'this';

async function startProber(which: number, fileBlocks?: number): Promise<void> {
	probers[which] = await startSandboxProber({
		sandbox,
		stateFolder: join(folder, String(which)),
		token: TOKEN,
		earlier: probers[which],
		...(fileBlocks === undefined ? {} : { fileBlocks }),
	});
}

/** The third prober's own words, put into those of another version. */
async function startTranslator(proberUrl: string): Promise<typeof translator> {
	const server = createServer((request, response) => {
		response.on('error', () => {});
		void (async () => {
			const chunks: Buffer[] = [];
			for await (const chunk of request) chunks.push(chunk as Buffer);
			const body = Buffer.concat(chunks).toString();
			const more = (text: string): string =>
				version === 'later' ? JSON.stringify({ ...(JSON.parse(text) as object), later: { why: [1] } }) : text;
			const { authorization = '' } = request.headers;
			const headers = { authorization, 'content-type': 'application/json' };
			const init = request.method === 'POST' ? { method: 'POST', headers, body: more(body) } : { headers };
			const told = await (await fetch(`${proberUrl}${request.url ?? ''}`, init)).text();
			const isAnswer = told.includes('"results"');
			if (isAnswer && version === 'incompatible') response.end(JSON.stringify({ outcomes: [] }));
			else response.end(isAnswer ? more(told) : told);
		})().catch(() => response.destroy());
	});
	return openListener(server);
}

beforeAll(async () => {
	folder = mkdtempSync(join(tmpdir(), 'mailsonar-probers-'));
	sandbox = await startSandbox({ extraScenes: scenes, replyDelayMs: 20 });
	await Promise.all([0, 1, 2].map((which) => startProber(which)));
	translator = await startTranslator(probers[2]?.url ?? '');
	relays = await Promise.all(
		[portOf(probers[0]!), portOf(probers[1]!), translator.port].map((port) => startRelay(port)),
	);
	service = await startTestService({
		sandbox: null,
		vars: {
			DOH_URL: sandbox.dohUrl,
			ALLOW_PRIVATE_MX: SANDBOX_RANGE,
			PROBERS: relays.map(({ port }) => `http://${TOKEN}@127.0.0.1:${port}`).join(' '),
			RETRY_DELAYS_SECONDS: '2,4,8',
			REDRIVE_AFTER_SECONDS: '2',
		},
	});
});
afterAll(async () => {
	await service?.remove();
	await Promise.all(relays.map((relay) => relay.close()));
	await translator?.close();
	await Promise.all(probers.map((prober) => prober.stop()));
	await sandbox?.close();
	rmSync(folder, { recursive: true, force: true });
});
afterEach(async () => {
	await Promise.all(relays.map((relay) => relay.become('works')));
	version = 'this';
	sandbox.reset();
});

/** A list of all firms, while something is wrong. */
async function expectDone(meanwhile?: Parameters<typeof runList>[2]): Promise<void> {
	const { job, told } = await runList(service, EMAILS, meanwhile);
	expect(told).toEqual(new Set(['accepted_email']));
	expect([job.creditsUsed, job.creditsReserved]).toEqual([FIRMS, 0]);
}

const isTarget = (line: string): boolean => line.startsWith('< RCPT TO:<ada.adams@');
const asked = (): number => sandbox.transcripts().flatMap(({ lines }) => lines.filter(isTarget)).length;

describe('of three probers', () => {
	test('one whose disk is full answers as ever, and says what it can not keep', async () => {
		await probers[0]?.stop();
		await startProber(0, 1);
		const before = await questionsOf(probers[0]!);
		await expectDone();
		expect(await questionsOf(probers[0]!)).toBeGreaterThan(before);
		const { url, token } = probers[0]!;
		const state = await fetch(`${url}/state`, { headers: { authorization: `Bearer ${token}` } });
		expect(await state.json()).toMatchObject({ stateFails: true });
		await probers[0]?.stop();
		await startProber(0);
	});

	test('one that dies amid a list is not missed, and hardly anybody is asked twice', async () => {
		const others = [probers[1]!, probers[2]!];
		await expectDone(async () => {
			await expect.poll(asked).toBeGreaterThan(30);
			await Promise.all([probers[0]?.kill(), relays[0]?.become('closed')]);
		});
		expect(asked()).toBeLessThanOrEqual(FIRMS + UNDER_WAY_MAX);
		expect(Math.min(...(await Promise.all(others.map(questionsOf))))).toBeGreaterThan(10);
		await startProber(0);
	});

	test('one that takes connections and never says a word costs seconds', async () => {
		await relays[1]?.become('silent');
		await expectDone();
	});

	test('one of a later version, which says and hears more than is known, works like the others', async () => {
		version = 'later';
		const before = await questionsOf(probers[2]!);
		await expectDone();
		expect(await questionsOf(probers[2]!)).toBeGreaterThan(before + 10);
	});

	test('one of a version that nobody understands is passed over', async () => {
		version = 'incompatible';
		await expectDone();
	});

	test('all are mute: a list waits, blames nobody, and is done when one speaks again', async () => {
		await Promise.all(relays.map((relay) => relay.become('silent')));
		const before = relays.map((relay) => relay.connections);
		await expectDone(async (access, id) => {
			// More questions in vain than there are firms: some firms had their turn again.
			const inVain = (): number =>
				Math.min(...relays.map((relay, at) => relay.connections - (before[at] ?? 0)));
			await expect.poll(inVain).toBeGreaterThan(FIRMS);
			const { body } = await call(access.url, access.apiKey, 'GET', `/v1/jobs/${id}`);
			expect(body).toMatchObject({ data: { processedEmails: 0, creditsUsed: 0 } });
			await relays[1]?.become('works');
		});
	});

	test('all are mute: a single call is a 503 that costs nothing, and an answer as soon as one speaks', async () => {
		await Promise.all(relays.map((relay) => relay.become('silent')));
		const { apiKey } = await makeAccount(service, 1);
		const refused = await call(service.url, apiKey, 'POST', '/v1/verify', { email: EMAILS[0] });
		expect([refused.status, refused.headers.get('retry-after')]).toEqual([
			503,
			expect.stringMatching(/^[1-9]/),
		]);
		const credits = await call(service.url, apiKey, 'GET', '/v1/credits');
		expect(credits.body).toMatchObject({ data: { availableCredits: 1, reservedCredits: 0 } });
		await Promise.all(relays.map((relay) => relay.become('works')));
		const answered = await call(service.url, apiKey, 'POST', '/v1/verify', { email: EMAILS[0] });
		expect(answered.body).toMatchObject({ data: { status: 'deliverable' }, meta: { creditsRemaining: 0 } });
		await expectNothingOff(service.url);
	});
});
