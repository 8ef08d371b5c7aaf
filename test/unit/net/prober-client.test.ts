import { SILENT } from '../../../src/core/metrics/metrics.ts';
import { describe, expect, test } from 'vitest';
import type { ProberAddress } from '../../../src/core/egress/probers.ts';
import { ProberClient } from '../../../src/net/prober-client.ts';
import type { Fetcher } from '../../../src/net/invocation-fetch.ts';
import { streamOf } from '../../../src/lib/streams.ts';
import { VERSION } from '../../../src/wire/prober.ts';
import type { Asked, SentAnswer, SentQuestion } from '../../../src/wire/prober.ts';
import { AT_WORK } from '../../support/unit/prober-state.ts';
import { virtualClock } from '../../support/unit/virtual-clock.ts';
import type { VirtualClock } from '../../support/unit/virtual-clock.ts';
import { makeQuestion } from '../../support/unit/question.ts';

const ANSWER: SentAnswer = {
	version: VERSION,
	rules: 'r1',
	sentAt: 0,
	answers: [{ kind: 'no_connect', tried: 1 }],
	evidence: [],
	recipients: 0,
};
const BUDGET_MS = 15_000;
const QUESTION = makeQuestion({
	hosts: [{ name: 'mx.x.test', addresses: ['198.18.0.1'], failed: false }],
	asker: null,
	deadline: 0,
});
const PROBERS = [1, 2, 3].map((n): ProberAddress => ({
	label: `p${n}`,
	url: `https://p${n}`,
	token: `token${n}`,
}));

type Behaviour = (init: RequestInit) => Response | Promise<Response>;
const works: Behaviour = () => Response.json(ANSWER);
/** Nothing comes until the caller gives up. */
const mute: Behaviour = ({ signal }) =>
	new Promise((_, reject) => {
		if (signal?.aborted === true) reject(new Error('aborted'));
		signal?.addEventListener('abort', () => reject(new Error('aborted')));
	});
/** A head, and then nothing. */
const stalls: Behaviour = ({ signal }) =>
	new Response(
		new ReadableStream({
			start: (controller) => {
				controller.enqueue(new TextEncoder().encode(' '));
				signal?.addEventListener('abort', () => controller.error(new Error('aborted')));
			},
		}),
	);

/** Probers that behave so, by their label; x.test prefers them in the order of their numbers. */
function probers(behaviours: Readonly<Record<string, Behaviour>>, list = PROBERS, clock = virtualClock()) {
	const asked: { label: string; question: SentQuestion; token: string | null }[] = [];
	const fetch: Fetcher = async (url, init) => {
		const label = new URL(url).host;
		const token = new Headers(init.headers).get('authorization');
		if (typeof init.body === 'string') asked.push({ label, question: JSON.parse(init.body), token });
		return (behaviours[label] ?? works)(init);
	};
	const refused: unknown[] = [];
	const metrics = { ...SILENT, note: (_: string, { why }: { why?: unknown }) => void refused.push(why) };
	const client = new ProberClient(list, clock, fetch, metrics);
	const ask = (question = QUESTION, foundCatchAll?: () => void): Promise<Asked> =>
		clock.run(client.ask({ ...question, deadline: clock.now() + BUDGET_MS }, foundCatchAll));
	/** The labels of the probers that were asked so far: `p1 p2`. */
	const labels = (): string => asked.map(({ label }) => label).join(' ');
	return { clock, client, ask, asked, labels, refused };
}

/** The answer as the Worker reads it. */
const HEARD: Asked = { answers: [{ kind: 'no_connect', tried: 1 }], evidence: [], recipients: 0 };

const broken: Behaviour = () => Promise.reject(new TypeError('Network connection lost.'));
const down: Behaviour = () => Response.json({ error: 'draining', message: '' }, { status: 503 });

test('a domain keeps its prober, and each prober hears its own token', async () => {
	const { ask, asked, labels } = probers({});
	for (let n = 0; n < 3; n += 1) expect(await ask()).toEqual(HEARD);
	expect([labels(), asked[0]?.token]).toEqual(['p1 p1 p1', 'Bearer token1']);
});

describe('what mail hosts say while a question is asked', () => {
	const FOUND = { catchAll: true };
	const later = { kind: 'of a later version' };

	test.each([1, 7, 1_000])('is told before the answer, in pieces of %i octets as well', async (octets) => {
		const text = ` ${[later, FOUND, ANSWER].map((line) => JSON.stringify(line)).join('\n')}`;
		const bytes = new TextEncoder().encode(text);
		async function* pieces(): AsyncGenerator<Uint8Array, void, undefined> {
			for (let at = 0; at < bytes.length; at += octets) yield bytes.subarray(at, at + octets);
		}
		const { ask, asked } = probers({ p1: () => new Response(streamOf(pieces())) }, PROBERS.slice(0, 1));
		let found = 0;
		expect(await ask(QUESTION, () => (found += 1))).toEqual(HEARD);
		expect(found).toBe(1);
		expect(asked[0]?.question.tells).toBe(true);
	});

	test('counts for nothing where the connection ends after it: the next prober is asked, and tells anew', async () => {
		const lines = (said: readonly object[]) => said.map((line) => JSON.stringify(line)).join('\n');
		async function* brokenOff(): AsyncGenerator<Uint8Array, void, undefined> {
			yield new TextEncoder().encode(` ${lines([FOUND, {}])}`);
			throw new Error('connection lost');
		}
		const { ask, labels } = probers({
			p1: () => new Response(streamOf(brokenOff())),
			p2: () => new Response(` ${lines([FOUND, ANSWER])}`),
		});
		let found = 0;
		expect(await ask(QUESTION, () => (found += 1))).toEqual(HEARD);
		expect([found, labels()]).toEqual([2, 'p1 p2']);
	});

	test('is not asked for where nobody listens', async () => {
		const { ask, asked } = probers({});
		await ask();
		expect(asked[0]?.question.tells).toBe(false);
	});
});

describe('where the first prober', () => {
	const diesAtWork: Behaviour = () =>
		new Response(
			new ReadableStream({ pull: (controller) => controller.error(new Error('connection lost')) }),
		);
	test.each<[string, Behaviour]>([
		['drains', down],
		['has no way out', () => Response.json({ error: 'no_way_out', message: '' })],
		['refuses the token', () => Response.json({ error: 'unauthorized', message: '' }, { status: 401 })],
		['has failed', () => Response.json({ error: 'failed', message: '' })],
		['is a web server of somebody else', () => new Response('<html>', { status: 200 })],
		['answers another question', () => Response.json({ ...ANSWER, answers: [] })],
		['answers what is none', () => Response.json({ answers: 'none' })],
		['leads elsewhere', () => Response.redirect('https://elsewhere.example/')],
		['has the question when its connection ends: its hosts may have been asked', diesAtWork],
	])('%s, the next is asked', async (_, behaviour) => {
		const { ask, labels } = probers({ p1: behaviour });
		expect(await ask()).toEqual(HEARD);
		expect(labels()).toBe('p1 p2');
	});

	test('loses the question with a connection that ended, it is asked once more and no other', async () => {
		let times = 0;
		const { ask, labels } = probers({ p1: (init) => ((times += 1) === 1 ? broken(init) : works(init)) });
		expect(await ask()).toEqual(HEARD);
		await ask();
		expect(labels()).toBe('p1 p1 p1');
	});

	test('can not be reached, the next is asked after a second attempt; when its turn comes again it is tried once', async () => {
		const { ask, labels, clock } = probers({ p1: broken });
		expect(await ask()).toEqual(HEARD);
		expect(labels()).toBe('p1 p1 p2');
		await clock.run(clock.sleep(30_000));
		expect(await ask()).toEqual(HEARD);
		expect(labels()).toBe('p1 p1 p2 p1 p2');
	});

	test('is mute, three seconds are lost, and the next question goes elsewhere at once', async () => {
		const { ask, asked, labels, clock } = probers({ p1: mute });
		await ask();
		expect(asked[1]?.question.sentAt).toBe((asked[0]?.question.sentAt ?? 0) + 3_000);
		const begun = clock.now();
		await ask();
		expect([clock.now(), labels()]).toEqual([begun, 'p1 p2 p2']);
	});
});

describe('where no prober answers', () => {
	test('because all are dead, each is tried once a question', async () => {
		const { ask, asked } = probers({ p1: broken, p2: broken, p3: broken });
		await expect(ask()).rejects.toMatchObject({ code: 'upstream_unavailable' });
		asked.length = 0;
		await expect(ask()).rejects.toMatchObject({ code: 'upstream_unavailable' });
		expect(asked).toHaveLength(3);
	});

	test('because none is configured, the service says so', async () => {
		await expect(probers({}, []).ask()).rejects.toThrow('No prober is configured: set PROBERS');
	});

	test.each([
		['upstream_nonsense', [200, 404, 500]],
		// A proxy or a tunnel answers in the place of a dead one; null: it drains as the others do.
		['upstream_unavailable', [null, 502, 503, 504, 530]],
	] as const)('because two drain and one is a web page, it is %s: %j', async (code, statuses) => {
		for (const status of statuses) {
			const page: Behaviour = () => new Response('<html>', { status: status ?? 200 });
			const { ask } = probers({ p1: down, p2: status === null ? down : page, p3: down });
			await expect(ask(), `${status}`).rejects.toMatchObject({ code });
		}
	});
});

test('while probers are of another version, the service is away and nobody is blamed', async () => {
	const other: Behaviour = () => Response.json({ error: 'other_version', message: '' }, { status: 503 });
	const { ask, refused } = probers({ p1: other, p2: other, p3: other });
	await expect(ask()).rejects.toMatchObject({ code: 'upstream_unavailable' });
	expect(refused).toEqual(['other_version', 'other_version', 'other_version']);
});

test('the mailboxes of a free provider are spread, which no single address could be asked about', async () => {
	const { ask, asked } = probers({});
	for (let n = 0; n < 40; n += 1)
		await ask({ ...QUESTION, domain: 'gmail.com', targets: [`ada${n}@gmail.com`] });
	expect(new Set(asked.map(({ label }) => label)).size).toBe(3);
});

describe('two probers', () => {
	const TWO = PROBERS.slice(0, 2);

	test('of which one begins an answer and stops: the other is asked when no time is left', async () => {
		const { ask, asked, labels, clock } = probers({ p1: stalls }, TWO);
		const begun = clock.now();
		expect(await ask()).toEqual(HEARD);
		expect(labels()).toBe('p1 p2');
		expect(asked[1]?.question.sentAt).toBeGreaterThan(asked[1]?.question.question.deadline ?? Infinity);
		// What the answer may take on its way.
		expect(clock.now() - begun).toBe(BUDGET_MS + 2_000);
	});

	test('both of which are mute: the service is unavailable after six seconds', async () => {
		const { ask, clock } = probers({ p1: mute, p2: mute }, TWO);
		const begun = clock.now();
		await expect(ask()).rejects.toMatchObject({ code: 'upstream_unavailable' });
		expect(clock.now() - begun).toBe(6_000);
		expect(clock.waiting).toBe(0);
	});
});

describe('an isolate that other work holds up for seconds', () => {
	/** Whatever it waits for, it wakes three seconds late. */
	function heldUp(): VirtualClock {
		const clock = virtualClock();
		const sleep = clock.sleep.bind(clock);
		return Object.assign(clock, { sleep: (ms: number, signal?: AbortSignal) => sleep(ms + 3_000, signal) });
	}
	const one = PROBERS.slice(0, 1);

	test('does not call a prober mute whose answer it has not read yet', async () => {
		const clock = heldUp();
		// It came in time, and is read right after the timers that were due.
		const isReadLate: Behaviour = async (init) => {
			await clock.sleep(3_050);
			return init.signal?.aborted === true ? mute(init) : works(init);
		};
		expect(await probers({ p1: isReadLate }, one, clock).ask()).toEqual(HEARD);
	});

	test('still finds out that one is mute', async () => {
		const { ask, clock } = probers({ p1: mute }, one, heldUp());
		await expect(ask()).rejects.toMatchObject({ code: 'upstream_unavailable' });
		expect(clock.waiting).toBe(0);
	});
});

const full =
	(inMs: number): Behaviour =>
	() =>
		Response.json({ ...ANSWER, answers: [{ kind: 'postponed', until: inMs }] });

test('where no prober has capacity, the soonest moment of all counts', async () => {
	const { ask, clock } = probers({ p1: full(60_000), p2: full(5_000), p3: full(90_000) });
	expect((await ask()).answers).toEqual([{ kind: 'postponed', until: clock.now() + 5_000 }]);
});

const strange: Behaviour = () => Response.json({ error: 'invalid', message: 'targets: ?' }, { status: 400 });

test.each([
	['has no capacity', full(60_000)],
	['can not read the question', strange],
])('where one prober %s the next one is asked, and its health does not suffer', async (_, behaviour) => {
	const { ask, labels } = probers({ p1: behaviour });
	expect(await ask()).toEqual(HEARD);
	await ask();
	expect(labels()).toBe('p1 p2 p1 p2');
});

test('an answer of more than a mebibyte is none', async () => {
	const endless: Behaviour = () => new Response(`"${'x'.repeat(1_100_000)}"`);
	const { ask } = probers({ p1: endless }, PROBERS.slice(0, 1));
	await expect(ask()).rejects.toMatchObject({ code: 'upstream_nonsense' });
});

describe('health', () => {
	const well: Behaviour = () => Response.json({ status: 'ok' });
	const drains: Behaviour = () => Response.json({ status: 'draining' }, { status: 503 });
	const check = (behaviours: Readonly<Record<string, Behaviour>>, list = PROBERS.slice(0, 2)) => {
		const { client, clock } = probers(behaviours, list);
		return clock.run(client.check());
	};

	const troubles = ['The prober p1 takes no questions', 'The prober p2 cannot be reached'];
	test.each<[string, Behaviour, Behaviour, readonly string[]]>([
		['is good while both are', well, well, []],
		['is good while one is', drains, well, []],
		['is good while one is and the other is mute', mute, well, []],
		['else names those that take no questions, without their tokens', drains, mute, troubles],
	])('%s', async (_, p1, p2, said) => {
		expect(await check({ p1, p2 })).toEqual(said);
	});
});

describe('the state of a prober', () => {
	const pause = { egress: 'direct', operator: 'google', only: null, why: 'rate_limited', until: 1 };
	const STATE = { ...AT_WORK, paused: [pause] };
	const tells: Behaviour = () => Response.json(STATE);

	/** The first of two probers' state, and how long it took. */
	async function seen(behaviour: Behaviour) {
		const { client, clock } = probers({ p1: behaviour, p2: tells }, PROBERS.slice(0, 2));
		const begun = clock.now();
		const [told, other] = await clock.run(client.states());
		expect(other).toEqual({ prober: 'p2', state: STATE });
		expect(JSON.stringify(told)).not.toContain('token1');
		return { told, tookMs: clock.now() - begun };
	}

	test('is what it says, asked with its token', async () => {
		let token: string | null = null;
		const { told, tookMs } = await seen((init) => {
			token = new Headers(init.headers).get('authorization');
			return tells(init);
		});
		expect([told, tookMs, token]).toEqual([{ prober: 'p1', state: STATE }, 0, 'Bearer token1']);
	});

	test('of a later version is told as far as it is known', async () => {
		const { told } = await seen(() => Response.json({ ...STATE, budgets: {} }));
		expect(told).toEqual({ prober: 'p1', state: STATE });
	});

	test.each<[string, string, Behaviour]>([
		['cannot be reached', 'unreachable', () => Promise.reject(new TypeError('no route'))],
		['refuses the token', 'refuses_token', () => new Response('{}', { status: 401 })],
		['is a web server of somebody else', 'nonsense', () => new Response('<html>')],
		['leads elsewhere', 'nonsense', () => new Response(null, { status: 302, headers: { location: '/' } })],
		['says something else', 'nonsense', () => Response.json({ draining: 'perhaps' })],
	])('that %s is a row that says so', async (_, silent, behaviour) => {
		expect(await seen(behaviour)).toEqual({ told: { prober: 'p1', silent }, tookMs: 0 });
	});

	test.each<[string, Behaviour]>([
		['never answers', mute],
		['begins to answer and stops', stalls],
	])('that %s costs three seconds', async (_, behaviour) => {
		expect(await seen(behaviour)).toEqual({ told: { prober: 'p1', silent: 'silent' }, tookMs: 3_000 });
	});
});
