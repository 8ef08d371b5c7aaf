import { Buffer } from 'node:buffer';
import { describe, expect, inject, test } from 'vitest';
import { addressesOf } from '../../../src/core/dns/find-mail-exchangers.ts';
import { UnreadableAnswer } from '../../../src/core/dns/resolver.ts';
import { ServiceError } from '../../../src/errors.ts';
import { DohResolver } from '../../../src/net/doh-resolver.ts';
import type { Clock } from '../../../src/engine/ports.ts';
import { invocationFetch } from '../../../src/net/invocation-fetch.ts';
import { ExpiringMap } from '../../../src/lib/expiring-map.ts';
import { fakeClock } from '../../support/unit/fake-clock.ts';
import type { SeenQuestion } from '../../support/doh-server.ts';

// A port below 1024 that has no service anywhere.
const DEAD = 'http://127.0.0.1:1/dns-query';

/** A resolver that behaves so, and remembers what it is asked under this id. */
function dohUrl(behaviour: string, id: string = crypto.randomUUID()): string {
	return `${inject('dohOrigin')}/${behaviour}/${id}`;
}

/** What resolvers were asked under this id, oldest first. */
async function questionsOf(id: string): Promise<readonly SeenQuestion[]> {
	return (await fetch(dohUrl('seen', id))).json();
}

/** A resolver that asks these servers, `dead` for a port where nobody listens; and what they were asked. */
function makeResolver(behaviours: readonly string[], time: Clock = fakeClock()) {
	const id = crypto.randomUUID();
	const urls = behaviours.map((behaviour) => (behaviour === 'dead' ? DEAD : dohUrl(behaviour, id)));
	const resolver = new DohResolver(urls, new ExpiringMap(100), time);
	return { resolver, asked: () => questionsOf(id) };
}

async function codeOf(answer: Promise<unknown>): Promise<unknown> {
	return answer.catch((error: unknown) => (error instanceof ServiceError ? error.code : error));
}

const CONTROL = 'gmail.com';
const A_RECORD = { kind: 'records', records: ['192.0.2.1'] };

describe('a resolver that answers', () => {
	test('is asked for IPv6 only where there is no IPv4 address', async () => {
		const only6 = makeResolver(['only-ipv6']);
		expect(await addressesOf(only6.resolver, 'six.example')).toEqual({
			kind: 'records',
			records: ['2001:db8::1'],
		});
		expect((await only6.asked()).map(({ type }) => type)).toEqual(['A', 'AAAA']);
		const both = makeResolver(['answers']);
		await addressesOf(both.resolver, 'four.example');
		expect((await both.asked()).map(({ type }) => type)).toEqual(['A']);
	});

	test('is asked as RFC 8484 wants it: GET, base64url without padding, id 0', async () => {
		const { resolver, asked } = makeResolver(['answers']);
		await resolver.mx('shop.example');
		expect(await asked()).toEqual([
			{
				behaviour: 'answers',
				method: 'GET',
				accept: 'application/dns-message',
				search: expect.stringMatching(/^\?dns=[\w-]+$/),
				name: 'shop.example',
				type: 'MX',
				id: 0,
				recursionDesired: true,
			},
		]);
	});

	test('may have a query of its own in its URL', async () => {
		const id = crypto.randomUUID();
		const url = `${dohUrl('answers', id)}?token=1`;
		const resolver = new DohResolver([url], new ExpiringMap(100), fakeClock());
		expect(await resolver.look('shop.example', 'A')).toEqual(A_RECORD);
		const [question] = await questionsOf(id);
		expect(question?.search).toMatch(/^\?token=1&dns=[\w-]+$/);
	});
});

// What is wrong with a server, and what it means when all servers are like that. Which bytes are no answer: dns-message.
const FAULTS = [
	['refuses connections', 'dead', 'upstream_unavailable'],
	['has an internal error', 'http-500', 'upstream_unavailable'],
	['has enough of us', 'http-429', 'upstream_unavailable'],
	['closes half-way through', 'closes-half-way', 'upstream_unavailable'],
	['has moved away', 'http-404', 'upstream_nonsense'],
	['answers a page', 'html', 'upstream_nonsense'],
	['answers right bytes as text', 'right-bytes-as-text', 'upstream_nonsense'],
	['answers garbage', 'garbage', 'upstream_nonsense'],
	['answers more than a message can hold', 'oversize', 'upstream_nonsense'],
	['answers without end', 'endless', 'upstream_nonsense'],
	['sends us elsewhere', 'redirect', 'upstream_nonsense'],
] as const;

describe.each(FAULTS)('a resolver that %s', (_what, behaviour, code) => {
	test('is replaced by the next one', async () => {
		const { resolver, asked } = makeResolver([behaviour, 'answers']);
		expect(await resolver.look('mx1.example', 'A')).toEqual(A_RECORD);
		const seen = (await asked()).map((question) => question.behaviour);
		expect(seen).toEqual(behaviour === 'dead' ? ['answers'] : [behaviour, 'answers']);
	});

	test(`is our outage when there is no other (${code}), and nothing is remembered`, async () => {
		const { resolver, asked } = makeResolver([behaviour]);
		expect(await codeOf(resolver.look('mx1.example', 'A'))).toBe(code);
		expect(await codeOf(resolver.look('mx1.example', 'A'))).toBe(code);
		const seen = (await asked()).filter(({ name }) => name !== CONTROL).map((question) => question.behaviour);
		expect(seen).toEqual(behaviour === 'dead' ? [] : [behaviour, behaviour]);
	});
});

describe('resolvers that fail', () => {
	test('are asked in their order, each once', async () => {
		const { resolver, asked } = makeResolver(['http-500', 'garbage', 'answers', 'servfail']);
		expect(await resolver.look('mx1.example', 'A')).toEqual(A_RECORD);
		expect((await asked()).map(({ behaviour }) => behaviour)).toEqual(['http-500', 'garbage', 'answers']);
	});

	test('are nonsense when one answers nonsense and the other nothing', async () => {
		expect(await codeOf(makeResolver(['dead', 'html']).resolver.mx('shop.example'))).toBe(
			'upstream_nonsense',
		);
	});

	const OF_ONE_NAME = ['servfail-for-others', 'refused-for-others'];
	test.each(OF_ONE_NAME)('over one name only leave its question open (%s)', async (behaviour) => {
		const failed = { kind: 'failed', cause: 'server_failure' };
		expect(await makeResolver([behaviour, behaviour]).resolver.mx('broken.example')).toEqual(failed);
		expect(await makeResolver([behaviour, 'dead']).resolver.mx('broken.example')).toEqual(failed);
	});

	test('over one name are asked again after half a minute', async () => {
		const clock = fakeClock();
		const { resolver, asked } = makeResolver(['servfail-for-others', 'dead'], clock);
		const failed = { kind: 'failed', cause: 'server_failure' };
		for (const passedMs of [0, 29_999, 1]) {
			clock.advance(passedMs);
			expect(await resolver.mx('broken.example')).toEqual(failed);
		}
		expect((await asked()).filter(({ name }) => name !== CONTROL)).toHaveLength(2);
	});

	test('SERVFAIL of the first is no verdict when the second answers', async () => {
		expect(await makeResolver(['servfail', 'answers']).resolver.look('mx1.example', 'A')).toEqual(A_RECORD);
	});
});

test('an unreadable answer is the fault of a name whose owner made it so, where others are read', async () => {
	const refusal = async (behaviour: string): Promise<unknown> =>
		makeResolver([behaviour])
			.resolver.mx('shop.example')
			.catch((error: unknown) => error);
	expect(await refusal('garbage-for-others')).toBeInstanceOf(UnreadableAnswer);
	for (const behaviour of ['garbage', 'html-for-others'])
		expect(await refusal(behaviour)).not.toBeInstanceOf(UnreadableAnswer);
});

describe('the control, which tells a broken name from a broken resolver', () => {
	const controls = async (asked: ReturnType<typeof makeResolver>['asked']): Promise<number> =>
		(await asked()).filter(({ name }) => name === CONTROL).length;

	test('finds the resolver out where it fails for all names, once in two seconds however many are asked', async () => {
		const time = fakeClock();
		const { resolver, asked } = makeResolver(['servfail'], time);
		for (const name of ['a.example', 'b.example', 'c.example'])
			expect(await codeOf(resolver.mx(name))).toBe('upstream_unavailable');
		expect(await controls(asked)).toBe(1);
		time.advance(2_000);
		expect(await codeOf(resolver.mx('a.example'))).toBe('upstream_unavailable');
		expect(await controls(asked)).toBe(2);
	});

	/** A resolver that says nonsense, whose control takes three seconds for it. */
	function slowlyOut(meanwhile: (resolver: DohResolver) => Promise<unknown>) {
		const time = fakeClock();
		const seen = { controls: 0 };
		const resolver = new DohResolver(['https://doh.test/'], new ExpiringMap(100), time, async (url, init) => {
			const { search, searchParams } = new URL(url);
			const question = Buffer.from(searchParams.get('dns') ?? '', 'base64url');
			if (question.includes('fine')) return invocationFetch(`${dohUrl('answers')}${search}`, init);
			if (question.includes('gmail')) {
				seen.controls += 1;
				time.advance(3_000);
				await meanwhile(resolver);
			}
			return new Response('nonsense', { headers: { 'content-type': 'application/dns-message' } });
		});
		return { resolver, seen };
	}

	test('is not asked once more because it took long to say nothing', async () => {
		const { resolver, seen } = slowlyOut(async () => {});
		for (const name of ['a.example', 'b.example'])
			expect(await codeOf(resolver.mx(name))).toBe('upstream_nonsense');
		expect(seen.controls).toBe(1);
	});

	test('blames no resolver that answered about another name meanwhile', async () => {
		const { resolver } = slowlyOut((other) => other.mx('fine.example'));
		await expect(resolver.mx('a.example')).rejects.toBeInstanceOf(UnreadableAnswer);
	});

	test('is not asked for one who is in haste', async () => {
		const { resolver, asked } = makeResolver(['servfail']);
		expect(await resolver.hasty.mx('a.example')).toEqual({ kind: 'failed', cause: 'server_failure' });
		expect(await controls(asked)).toBe(0);
	});
});

/** How many requests there were when the same thing was asked at these seconds. */
async function requests(behaviour: string, seconds: readonly number[]): Promise<number> {
	const time = fakeClock();
	const { resolver, asked } = makeResolver([behaviour], time);
	let now = 0;
	for (const second of seconds) {
		time.advance((second - now) * 1_000);
		now = second;
		await resolver.mx('shop.example');
	}
	return (await asked()).length;
}

describe('an answer is remembered', () => {
	test.each<[string, behaviour: string, seconds: readonly number[], asked: number]>([
		['as long as the shortest TTL in it says', 'ttl-20', [0, 0, 10, 19.999], 1],
		['no longer', 'ttl-20', [0, 20, 20], 2],
		['for an hour at most', 'ttl-month', [0, 3_599], 1],
		['for no more', 'ttl-month', [0, 3_600], 2],
		['not at all when its TTL is 0', 'ttl-0', [0, 0], 2],
	])('%s', async (_, behaviour, seconds, asked) => {
		expect(await requests(behaviour, seconds)).toBe(asked);
	});

	test('for its own name and type only', async () => {
		const { resolver, asked } = makeResolver(['answers']);
		await resolver.mx('shop.example');
		await resolver.look('shop.example', 'TXT');
		await resolver.mx('www.shop.example');
		expect(await asked()).toHaveLength(3);
	});
});

// A hostile zone can hold any octets in a label: this came out of an MX record and can't go into a question.
test('a mail host whose name no question can carry has no addresses', async () => {
	const { resolver, asked } = makeResolver(['answers']);
	expect(await resolver.look('mx..example', 'A')).toEqual({ kind: 'no_such_name' });
	expect(await asked()).toEqual([]);
});

// Each of these costs its whole patience, so they wait side by side.
describe.concurrent('a resolver that is silent', () => {
	test('is replaced by the next one after four seconds', async () => {
		const urls = ['silent', 'answers'].map((behaviour) => dohUrl(behaviour));
		const resolver = new DohResolver(urls, new ExpiringMap(100), fakeClock());
		expect(await resolver.look('mx1.example', 'A')).toEqual({ kind: 'records', records: ['192.0.2.1'] });
	});

	test('about one name leaves its question open: the domain is to blame', async () => {
		const { resolver } = makeResolver(['silent-for-others']);
		expect(await resolver.mx('shop.example')).toEqual({ kind: 'failed', cause: 'timeout' });
	});

	test('about one name, while it answers about others, needs no control', async () => {
		const time = fakeClock();
		const { resolver, asked } = makeResolver(['silent-for-others'], time);
		const silence = resolver.mx('shop.example');
		time.advance(1);
		await resolver.mx(CONTROL);
		expect(await silence).toEqual({ kind: 'failed', cause: 'timeout' });
		expect(await asked()).toHaveLength(2);
	});

	test('about every name is our outage', async () => {
		expect(await codeOf(makeResolver(['silent']).resolver.mx('shop.example'))).toBe('upstream_unavailable');
	});
});
