import { describe, expect, test } from 'vitest';
import type { Prober } from '../../../src/core/egress/probers.ts';
import { ServiceError } from '../../../src/errors.ts';
import { ProberClient } from '../../../src/net/prober-client.ts';
import type { Fetch } from '../../../src/net/prober-client.ts';
import type { Answer, Question } from '../../../src/wire/prober.ts';
import { virtualClock } from '../../support/unit/virtual-clock.ts';

const ANSWER: Answer = { results: [{ kind: 'no_connect' }], conversations: [], invented: [], trace: [] };
const QUESTION: Question = {
	domain: 'x.test',
	hosts: [{ name: 'mx.x.test', implicit: false, rank: 0, addresses: ['198.18.0.1'] }],
	targets: ['ada@x.test'],
	invented: { first: 'qzx@x.test', confirming: [] },
	depth: 'detect',
	needsSmtputf8: false,
	patient: true,
	budgetMs: 15_000,
	class: 'single',
	tag: '',
};
const PROBERS = [1, 2, 3].map((n): Prober => ({ label: `p${n}`, url: `https://p${n}`, token: `token${n}` }));

type Behaviour = (init: RequestInit) => Response | Promise<Response>;
const works: Behaviour = () => Response.json(ANSWER);
/** Nothing comes until the caller gives up. */
const mute: Behaviour = ({ signal }) =>
	new Promise((_, reject) => signal?.addEventListener('abort', () => reject(new Error('aborted'))));
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

/** Probers that behave so, by their label; asked in the order in which the domain prefers them. */
function probers(behaviours: Readonly<Record<string, Behaviour>>, list = PROBERS) {
	const clock = virtualClock();
	const asked: { label: string; question: Question; token: string | null }[] = [];
	const fetch: Fetch = async (url, init) => {
		const label = new URL(url).host;
		const token = new Headers(init.headers).get('authorization');
		asked.push({ label, question: JSON.parse(String(init.body)), token });
		return (behaviours[label] ?? works)(init);
	};
	const client = new ProberClient(list, clock, fetch);
	const ask = (question = QUESTION): Promise<Answer> => clock.run(client.ask(question, question.domain));
	return { clock, ask, asked };
}

/** The order in which the question's domain tries them. */
async function orderOf(): Promise<readonly string[]> {
	const { ask, asked } = probers({ p1: down, p2: down, p3: down });
	await ask().catch(() => {});
	return asked.map(({ label }) => label);
}
const down: Behaviour = () => Response.json({ error: 'draining', message: '' }, { status: 503 });

test('a domain keeps its prober, and each prober hears its own token', async () => {
	const { ask, asked } = probers({});
	for (let n = 0; n < 3; n += 1) expect(await ask()).toEqual(ANSWER);
	const [first] = asked;
	expect(asked.map(({ label }) => label)).toEqual([first?.label, first?.label, first?.label]);
	expect(first?.token).toBe(`Bearer token${first?.label.slice(1)}`);
});

test('domains are spread over all of them', async () => {
	const { ask, asked } = probers({});
	for (let n = 0; n < 40; n += 1) await ask({ ...QUESTION, domain: `d${n}.test` });
	expect(new Set(asked.map(({ label }) => label)).size).toBe(3);
});

describe('where the first prober', () => {
	test.each<[string, Behaviour]>([
		['drains', down],
		['has no way out', () => Response.json({ error: 'no_way_out', message: '' })],
		['refuses the token', () => Response.json({ error: 'unauthorized', message: '' }, { status: 401 })],
		['has failed', () => Response.json({ error: 'failed', message: '' })],
		['can not be reached', () => Promise.reject(new TypeError('no route'))],
		['is a web server of somebody else', () => new Response('<html>', { status: 200 })],
		['answers another question', () => Response.json({ ...ANSWER, results: [] })],
		['is mute', mute],
		['begins to answer and stops', stalls],
	])('%s, the next is asked', async (_, behaviour) => {
		const [first = '', second] = await orderOf();
		const { ask, asked } = probers({ [first]: behaviour });
		expect(await ask()).toEqual(ANSWER);
		expect(asked.map(({ label }) => label)).toEqual([first, second]);
	});

	test('is mute, three seconds are lost, and the next question goes elsewhere at once', async () => {
		const [first = '', second = ''] = await orderOf();
		const { ask, asked, clock } = probers({ [first]: mute });
		await ask();
		expect(asked[1]?.question.budgetMs).toBe(QUESTION.budgetMs - 3_000);
		const begun = clock.now();
		await ask();
		expect(clock.now()).toBe(begun);
		expect(asked.at(-1)?.label).toBe(second);
	});
});

describe('where no prober answers', () => {
	test('because all of them drain, the service is unavailable', async () => {
		const { ask } = probers({ p1: down, p2: down, p3: down });
		await expect(ask()).rejects.toMatchObject({
			code: 'upstream_unavailable',
		} satisfies Partial<ServiceError>);
	});

	test('because none is configured, the service says so', async () => {
		await expect(probers({}, []).ask()).rejects.toThrow('PROBERS is not configured');
	});

	test('and one speaks nonsense, that is told', async () => {
		const nonsense: Behaviour = () => new Response('<html>');
		const { ask } = probers({ p1: down, p2: nonsense, p3: down });
		await expect(ask()).rejects.toMatchObject({ code: 'upstream_nonsense' });
	});
});
