import { createServer } from 'node:http';
import type { RequestListener } from 'node:http';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ServiceError } from '../../src/errors.ts';
import { createProberApp } from '../../src/prober/app.ts';
import { readProberConfig } from '../../src/prober/config.ts';
import { Prober } from '../../src/prober/prober.ts';
import { ProberMetrics, pausedParties } from '../../src/prober/report.ts';
import {
	BUDGET_MS_MAX,
	MESSAGE_OCTETS_MAX,
	PROBER_PATH,
	TARGETS_MAX,
	VERSION,
} from '../../src/wire/prober.ts';
import type { SentAnswer, SentQuestion } from '../../src/wire/prober.ts';
import { openListener } from '../sandbox/listener.ts';
import { AT_WORK } from '../support/unit/prober-state.ts';
import { makeQuestion } from '../support/unit/question.ts';
import { domainName, gateName, readName } from '../../src/core/turns/names.ts';
import { UNBLEMISHED } from '../../src/core/turns/pause.ts';
import { PAUSED_MAX } from '../../src/wire/prober-state.ts';

const TOKEN = 'a'.repeat(32);
const ANSWER: SentAnswer = {
	version: VERSION,
	rules: 'r1',
	sentAt: 1_800_000_000_000,
	answers: [{ kind: 'no_connect', tried: 1 }],
	evidence: [],
	recipients: 0,
};
const ABOUT = makeQuestion({ deadline: 1_800_000_015_000 });
const HEAD = { version: VERSION, sentAt: 1_800_000_000_000, tells: false } as const;
const QUESTION: SentQuestion = { ...HEAD, question: ABOUT };
const about = (changes: object): object => ({ ...HEAD, question: { ...ABOUT, ...changes } });

const targets = (count: number): string[] => Array.from({ length: count }, (_, n) => `a${n}@x.test`);

async function urlOf(app: RequestListener): Promise<string> {
	const listener = await openListener(createServer(app));
	onTestFinished(() => listener.close());
	return `http://127.0.0.1:${listener.port}`;
}

/** A question as the Worker puts it. */
const put = (url: string, body: unknown, signal: AbortSignal | null = null): Promise<Response> =>
	fetch(`${url}${PROBER_PATH}`, {
		method: 'POST',
		headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
		body: JSON.stringify(body),
		signal,
	});

function prober(changes: Partial<Pick<Prober, 'answer' | 'tokens'>> = {}) {
	const metrics = new ProberMetrics();
	const asked: SentQuestion[] = [];
	const fake = {
		isDraining: false,
		tokens: [TOKEN],
		metrics,
		answer: (question: SentQuestion) => {
			asked.push(question);
			return Promise.resolve(ANSWER);
		},
		state: () => ({ ...AT_WORK, draining: fake.isDraining }),
		askersOf: (domain: string, day: string) =>
			domain === 'x.test' && day === '2026-11-22' ? [{ asker: 'acc_1', addresses: 2 }] : [],
		problems: () => Promise.resolve([]),
		drain: () => void (fake.isDraining = true),
		...changes,
	};
	const app = createProberApp(fake);
	const call = async (
		path: string,
		{ token = TOKEN, method = 'POST', body }: { token?: string | null; method?: string; body?: unknown } = {},
	): Promise<{ status: number; body: unknown; lines: readonly unknown[] }> => {
		const response = await fetch(`${await urlOf(app)}${path}`, {
			method,
			headers: {
				...(token === null ? {} : { authorization: `Bearer ${token}` }),
				...(body === undefined ? {} : { 'content-type': 'application/json' }),
			},
			...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
		});
		const text = await response.text();
		if (!text.trimStart().startsWith('{')) return { status: response.status, body: text, lines: [] };
		const lines = text.split('\n').map((line): unknown => JSON.parse(line));
		return { status: response.status, body: lines.at(-1), lines };
	};
	return { app, call, asked, metrics };
}

describe('a question', () => {
	test('is answered', async () => {
		const { call, asked } = prober();
		expect(await call(PROBER_PATH, { body: QUESTION })).toMatchObject({ status: 200, body: ANSWER });
		expect(asked).toEqual([QUESTION]);
	});

	test.each<[string, unknown]>([
		['no JSON', '{'],
		['nothing', ''],
		['no target', about({ targets: [] })],
		['too many targets', about({ targets: targets(TARGETS_MAX + 1) })],
		['a line end in a target', about({ targets: ['ada@x.test>\r\nDATA\r\n'] })],
		['a line end in an invented recipient', about({ invented: { first: 'a\nb@x.test', further: [] } })],
		['no host', about({ hosts: [] })],
		['more time than any has', about({ deadline: HEAD.sentAt + BUDGET_MS_MAX + 1 })],
		['a body over the limit', { ...QUESTION, padding: 'x'.repeat(MESSAGE_OCTETS_MAX) }],
	])('with %s is a 400 that repeats nothing of it', async (_, body) => {
		const { call, asked } = prober();
		const refused = await call(PROBER_PATH, { body });
		expect(refused).toMatchObject({ status: 400, body: { error: 'invalid' } });
		expect(JSON.stringify(refused.body)).not.toContain('x.test');
		expect(asked).toEqual([]);
	});

	test.each([
		['upstream_unavailable', 'no_way_out'],
		['upstream_nonsense', 'nonsense_way_out'],
	] as const)(
		'that no way out serves (%s) says so (%s), so that the next prober is asked',
		async (code, error) => {
			const { call } = prober({ answer: () => Promise.reject(new ServiceError(code, 'No way out')) });
			expect(await call(PROBER_PATH, { body: QUESTION })).toMatchObject({ status: 200, body: { error } });
		},
	);

	test('that meets a fault of the program tells nothing', async () => {
		const { call } = prober({ answer: () => Promise.reject(new Error('ada@x.test')) });
		const failed = await call(PROBER_PATH, { body: QUESTION });
		expect(failed.body).toEqual({ error: 'failed', message: 'The prober failed' });
	});

	test.each([1, 3])('of another version (%i) is refused for that', async (version) => {
		const { call, asked } = prober();
		const refused = await call(PROBER_PATH, { body: version === 1 ? ABOUT : { ...QUESTION, version } });
		expect(refused).toMatchObject({ status: 503, body: { error: 'other_version' } });
		expect(asked).toEqual([]);
	});

	test('tells that a catch-all was found, once and before the answer, where the asker wants to know it', async () => {
		const { call } = prober({
			answer: (_, foundCatchAll) => {
				foundCatchAll?.();
				foundCatchAll?.();
				return Promise.resolve(ANSWER);
			},
		});
		const told = await call(PROBER_PATH, { body: { ...QUESTION, tells: true } });
		expect(told.lines).toEqual([{ catchAll: true }, ANSWER]);
		expect((await call(PROBER_PATH, { body: QUESTION })).lines).toEqual([ANSWER]);
	});

	test('whose caller has gone is answered to nobody, and disturbs no other', async () => {
		const { promise: asks, resolve: begin } = Promise.withResolvers<void>();
		const { promise: answers, resolve: answer } = Promise.withResolvers<SentAnswer>();
		const { app, call } = prober({
			answer: async (_, foundCatchAll) => {
				begin();
				const answered = await answers;
				foundCatchAll?.();
				return answered;
			},
		});
		const url = await urlOf(app);
		const leave = new AbortController();
		const left = put(url, { ...QUESTION, tells: true }, leave.signal).then((response) => response.text());
		await asks;
		leave.abort();
		await expect(left).rejects.toThrow('aborted');
		answer(ANSWER);
		expect(await call(PROBER_PATH, { body: QUESTION })).toMatchObject({ status: 200, body: ANSWER });
	});

	test('shows at once that somebody works on it', async () => {
		const never = new Promise<SentAnswer>(() => {});
		const { app } = prober({ answer: () => never });
		const response = await put(await urlOf(app), QUESTION);
		expect(response.status).toBe(200);
		const reader = response.body?.getReader();
		expect(new TextDecoder().decode((await reader?.read())?.value)).toBe(' ');
		await reader?.cancel();
	});
});

describe('whoever has no token', () => {
	test.each([
		['no token', null],
		['an empty token', ''],
		['a wrong token', 'b'.repeat(32)],
		['a part of the token', TOKEN.slice(1)],
		['more than the token', `${TOKEN}a`],
	])('with %s hears 401 everywhere, and is counted', async (_, token) => {
		const { call, asked, metrics } = prober();
		for (const [method, path] of [
			['POST', PROBER_PATH],
			['GET', '/state'],
			['GET', '/metrics'],
			['POST', '/drain'],
			['GET', '/nowhere'],
		] as const)
			expect((await call(path, { token, method })).status).toBe(401);
		expect(asked).toEqual([]);
		expect((await metrics.unauthorized.get()).values[0]?.value).toBe(5);
	});

	test('learns whether it is up, and nothing else', async () => {
		expect(await prober().call('/healthz', { token: null, method: 'GET' })).toMatchObject({
			status: 200,
			body: { status: 'ok', problems: [] },
		});
	});

	test('either of two tokens is good while one is replaced', async () => {
		const other = 'c'.repeat(40);
		const { call } = prober({ tokens: [other, TOKEN] });
		for (const token of [other, TOKEN])
			expect((await call('/state', { token, method: 'GET' })).status).toBe(200);
	});
});

test('a prober that drains takes nothing new, and says so to whoever asks for its health', async () => {
	const { call } = prober();
	expect((await call('/drain')).status).toBe(202);
	expect(await call(PROBER_PATH, { body: QUESTION })).toMatchObject({
		status: 503,
		body: { error: 'draining' },
	});
	expect((await call('/healthz', { token: null, method: 'GET' })).status).toBe(503);
	expect(await call('/state', { method: 'GET' })).toMatchObject({ body: { draining: true } });
});

test('what it counts holds no address', async () => {
	const whole = new Prober(
		readProberConfig({
			PROBER_TOKEN: TOKEN,
			PROBER_STATE: ':memory:',
			SMTP_EGRESS: 'direct',
			HELO_NAME: 'p.us.test',
			MAIL_FROM: 'v@us.test',
		}),
	);
	onTestFinished(() => whole.end());
	const url = await urlOf(createProberApp(whole));
	const hosts = [{ name: 'mx.x.test', addresses: [], failed: false }];
	await (await put(url, about({ hosts }))).text();
	const headers = { authorization: `Bearer ${TOKEN}` };
	const metrics = await (await fetch(`${url}/metrics`, { headers })).text();
	expect(metrics).toContain('mailsonar_prober_questions_total{class="single",outcome="answered"} 1');
	expect(metrics).not.toMatch(/ada|x\.test/);
});

const NOW = 1_000_000;
const pausedUntil = (until: number) => ({
	...UNBLEMISHED,
	pause: { until, why: 'rate_limited' as const },
});
const GOOGLE = gateName('google', 'direct://192.0.2.1');

test('the names under which standings are kept can be read again', () => {
	const egress = 'direct://192.0.2.1';
	expect(readName(GOOGLE)).toEqual({ operator: 'google', only: null, egress });
	expect(readName(domainName('x.test', GOOGLE))).toEqual({ operator: 'google', only: 'x.test', egress });
	expect(readName('something else')).toBeNull();
});

test('what holds everybody up is told first, then the longest pauses, and only what is in force', () => {
	const standings = [
		{ name: domainName('x.test', GOOGLE), standing: pausedUntil(NOW + 90) },
		{ name: 'mx.a.test by direct', standing: pausedUntil(NOW + 10) },
		{ name: 'mx.b.test by direct', standing: pausedUntil(NOW + 20) },
		{ name: 'mx.over.test by direct', standing: pausedUntil(NOW) },
		{ name: 'mx.suspect.test by direct', standing: { ...pausedUntil(0), pause: null } },
	];
	expect(pausedParties(standings, NOW).map(({ operator }) => operator)).toEqual([
		'mx.b.test',
		'mx.a.test',
		'google',
	]);
});

test('there are never more than a message holds', () => {
	const many = Array.from({ length: PAUSED_MAX + 1 }, (_, n) => ({
		name: `mx${n}.test by direct`,
		standing: pausedUntil(NOW + 1),
	}));
	expect(pausedParties(many, NOW)).toHaveLength(PAUSED_MAX);
});
