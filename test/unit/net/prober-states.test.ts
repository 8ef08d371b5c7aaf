import { SILENT } from '../../../src/core/metrics/metrics.ts';
import { describe, expect, test } from 'vitest';
import type { Prober } from '../../../src/core/egress/probers.ts';
import { ProberClient } from '../../../src/net/prober-client.ts';
import type { Fetcher } from '../../../src/net/invocation-fetch.ts';
import type { SeenProber } from '../../../src/operations/probers/probers.ts';
import { MESSAGE_OCTETS_MAX } from '../../../src/wire/prober.ts';
import { virtualClock } from '../../support/unit/virtual-clock.ts';

const STATE = {
	draining: false,
	running: 1,
	connections: 3,
	waiting: 0,
	rules: 'r1',
	stateFails: false,
	stateSetAsideAt: null,
	egresses: ['direct'],
	paused: [{ egress: 'direct', operator: 'google', only: null, why: 'rate_limited', until: 1 }],
	operators: [],
	guessers: [],
};
const TOKEN = 'a-token-that-nobody-else-may-know-of';
const PROBERS = ['one', 'two'].map((label): Prober => ({ label, url: `https://${label}`, token: TOKEN }));

type Behaviour = (init: RequestInit) => Response | Promise<Response>;
const works: Behaviour = () => Response.json(STATE);
const mute: Behaviour = ({ signal }) =>
	new Promise((_, reject) => signal?.addEventListener('abort', () => reject(new Error('aborted'))));
const stalls: Behaviour = ({ signal }) =>
	new Response(
		new ReadableStream({
			start: (controller) => signal?.addEventListener('abort', () => controller.error(new Error('aborted'))),
		}),
	);

/** What is told of the first of two, and how long it took. */
async function seen(behaviour: Behaviour): Promise<{ told: SeenProber | undefined; tookMs: number }> {
	const clock = virtualClock();
	const fetch: Fetcher = async (url, init) => {
		expect(new URL(url).pathname).toBe('/state');
		return (new URL(url).host === 'one' ? behaviour : works)(init);
	};
	const begun = clock.now();
	const [told, other] = await clock.run(new ProberClient(PROBERS, clock, fetch, SILENT).states());
	expect(other).toEqual({ prober: 'two', state: STATE });
	expect(JSON.stringify(told)).not.toContain(TOKEN);
	return { told, tookMs: clock.now() - begun };
}

describe('the state of a prober', () => {
	test('is what it says, asked with its token', async () => {
		let token: string | null = null;
		const { told, tookMs } = await seen((init) => {
			token = new Headers(init.headers).get('authorization');
			return works(init);
		});
		expect([told, tookMs, token]).toEqual([{ prober: 'one', state: STATE }, 0, `Bearer ${TOKEN}`]);
	});

	test('of a later version is told as far as it is known', async () => {
		const { told } = await seen(() => Response.json({ ...STATE, budgets: {} }));
		expect(told).toEqual({ prober: 'one', state: STATE });
	});

	test.each<[string, string, Behaviour]>([
		['cannot be reached', 'unreachable', () => Promise.reject(new TypeError('no route'))],
		['is dead behind a proxy', 'unreachable', () => new Response('<html>', { status: 502 })],
		['refuses the token', 'refuses_token', () => new Response('{}', { status: 401 })],
		['is a web server of somebody else', 'nonsense', () => new Response('<html>')],
		['leads elsewhere', 'nonsense', () => new Response(null, { status: 302, headers: { location: '/' } })],
		['says something else', 'nonsense', () => Response.json({ draining: 'perhaps' })],
		['never ends', 'nonsense', () => new Response(' '.repeat(MESSAGE_OCTETS_MAX + 1))],
	])('that %s is a row that says so', async (_, silent, behaviour) => {
		expect(await seen(behaviour)).toEqual({ told: { prober: 'one', silent }, tookMs: 0 });
	});

	test.each<[string, Behaviour]>([
		['never answers', mute],
		['begins to answer and stops', stalls],
	])('that %s costs three seconds', async (_, behaviour) => {
		expect(await seen(behaviour)).toEqual({ told: { prober: 'one', silent: 'silent' }, tookMs: 3_000 });
	});
});
