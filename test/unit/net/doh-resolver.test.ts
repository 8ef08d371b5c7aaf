import { decode, encode } from 'dns-packet';
import type { Answer, Question } from 'dns-packet';
import { describe, expect, test } from 'vitest';
import { ServiceError } from '../../../src/errors.ts';
import { dohResolver } from '../../../src/net/doh-resolver.ts';
import type { Clock } from '../../../src/lib/time.ts';
import { ExpiringMap } from '../../../src/lib/expiring-map.ts';
import { fakeClock } from '../../support/unit/fake-clock.ts';

/** A resolver's answer to a question. */
type Play = (question: Question, signal: AbortSignal) => Response | Promise<Response>;

const CONTROL = 'gmail.com';
const A_RECORD = { kind: 'records', records: ['192.0.2.1'] };
const RECORDS: Readonly<Record<string, readonly unknown[]>> = {
	A: ['192.0.2.1'],
	TXT: [['v=spf1 ', '-all']],
	MX: [
		{ preference: 20, exchange: 'MX2.Example' },
		{ preference: 10, exchange: 'mx1.example' },
	],
};

const said = (body: BodyInit, type = 'application/dns-message'): Response =>
	new Response(body, { headers: { 'content-type': type } });

/** An answer with records, the first of which live for so many seconds. */
function message(
	question: Question,
	ttl: number,
	found = RECORDS[question.type] ?? [],
	rcode = 0,
): Uint8Array<ArrayBuffer> {
	const { name, type } = question;
	const answers = found.map((data, n) => ({ name, type, ttl: ttl * (n + 1), data }) as Answer);
	return new Uint8Array(
		encode({ type: 'response', id: 0, flags: 0x0180 | rcode, questions: [question], answers }),
	);
}

const living =
	(ttl: number): Play =>
	(question) =>
		said(message(question, ttl));
const refusing =
	(rcode: number): Play =>
	(question) =>
		said(message(question, 0, [], rcode));
const status =
	(code: number, headers = {}): Play =>
	() =>
		new Response('oops', { status: code, headers });

/** With `-for-others` behind it a resolver answers about the control. */
const PLAYS: Readonly<Record<string, Play>> = {
	dead: () => Promise.reject(new TypeError('connection refused')),
	answers: living(300),
	'ttl-0': living(0),
	'ttl-20': living(20),
	'ttl-month': living(2_592_000),
	'http-500': status(500),
	'http-429': status(429),
	'http-404': status(404),
	redirect: status(302, { location: 'https://doh.test/' }),
	html: () => said('<h1>Please log in to the Wi-Fi</h1>', 'text/html'),
	'right-bytes-as-text': (question) => said(message(question, 300), 'text/plain'),
	garbage: () => said('this is not a DNS message at all'),
	servfail: refusing(2),
	refused: refusing(5),
	// A correct answer, padded with zeroes beyond the size limit.
	oversize: (question) => said(new Blob([message(question, 300), new Uint8Array(70_000)])),
	endless: () => said(new ReadableStream({ pull: (stream) => stream.enqueue(new Uint8Array(16_384)) })),
	silent: (_, signal) =>
		new Promise((__, reject) => signal.addEventListener('abort', () => reject(new Error('too late')))),
	'closes-half-way': () =>
		said(
			new ReadableStream({
				start: (stream) => stream.enqueue(new Uint8Array(50)),
				pull: (stream) => stream.error(new Error('closed')),
			}),
		),
};

/** A resolver that asks these servers in their order, and what they were asked. */
function makeResolver(behaviours: readonly (string | Play)[], time: Clock = fakeClock(), query = '') {
	const asked: { behaviour: string; name: string; type: string; url: URL; init: RequestInit }[] = [];
	const fetcher = async (text: string, init: RequestInit): Promise<Response> => {
		const url = new URL(text);
		const { questions } = decode(Buffer.from(url.searchParams.get('dns') ?? '', 'base64url'));
		const question = questions![0]!;
		const given = behaviours[Number(url.pathname.slice(1))] ?? 'dead';
		const [behaviour, forOthers] = typeof given === 'string' ? given.split('-for-') : ['own'];
		asked.push({ behaviour: behaviour!, ...question, url, init });
		const play = forOthers !== undefined && question.name === CONTROL ? PLAYS['answers']! : PLAYS[behaviour!];
		return (typeof given === 'string' ? play! : given)(question, init.signal!);
	};
	const urls = behaviours.map((_, n) => `https://doh.test/${n}${query}`);
	const resolver = dohResolver(urls, new ExpiringMap(100), time, fetcher);
	return {
		resolver,
		asked,
		/** About the control left out. */
		behaviours: () => asked.filter(({ name }) => name !== CONTROL).map(({ behaviour }) => behaviour),
		controls: () => asked.filter(({ name }) => name === CONTROL).length,
	};
}

async function codeOf(answer: Promise<unknown>): Promise<unknown> {
	return answer.catch((error: unknown) => (error instanceof ServiceError ? error.code : error));
}

test('a resolver is asked as RFC 8484 wants it: GET, base64url without padding, also with a query of its own', async () => {
	const { resolver, asked } = makeResolver(['answers'], undefined, '?token=1');
	await resolver.mx('shop.example');
	const [{ name, type, url, init } = expect.fail()] = asked;
	expect([name, type, url.search]).toEqual([
		'shop.example',
		'MX',
		expect.stringMatching(/^\?token=1&dns=[\w-]+$/),
	]);
	const { signal: _, ...how } = init;
	expect(how).toEqual({ headers: { accept: 'application/dns-message' }, redirect: 'manual' });
});

// What is wrong with a server, and what it means when all servers are like that. Which bytes are no answer: dns-message.
const FAULTS = [
	['refuses connections', 'dead', 'upstream_unavailable'],
	['has an internal error', 'http-500', 'upstream_unavailable'],
	['has enough of us', 'http-429', 'upstream_unavailable'],
	['closes half-way through', 'closes-half-way', 'upstream_unavailable'],
	['fails over every name', 'servfail', 'upstream_unavailable'],
	['has moved away', 'http-404', 'upstream_nonsense'],
	['answers a page', 'html', 'upstream_nonsense'],
	['answers right bytes as text', 'right-bytes-as-text', 'upstream_nonsense'],
	['answers garbage', 'garbage', 'upstream_nonsense'],
	['answers more than a message can hold', 'oversize', 'upstream_nonsense'],
	['answers without end', 'endless', 'upstream_nonsense'],
	['sends us elsewhere', 'redirect', 'upstream_nonsense'],
] as const;

test.each(FAULTS)(
	'a resolver that %s is replaced by the next one; alone it is our outage, and nothing is remembered',
	async (_, behaviour, code) => {
		const two = makeResolver([behaviour, 'answers']);
		expect(await two.resolver.look('mx1.example', 'A')).toEqual(A_RECORD);
		expect(two.behaviours()).toEqual([behaviour, 'answers']);
		const alone = makeResolver([behaviour]);
		for (let n = 0; n < 2; n += 1) expect(await codeOf(alone.resolver.look('mx1.example', 'A'))).toBe(code);
		expect(alone.behaviours()).toEqual([behaviour, behaviour]);
	},
);

describe('resolvers that fail', () => {
	const FAILED = { kind: 'failed', cause: 'server_failure' };

	test('are nonsense when one answers nonsense and the other nothing', async () => {
		expect(await codeOf(makeResolver(['dead', 'html']).resolver.mx('shop.example'))).toBe(
			'upstream_nonsense',
		);
	});

	test.each([
		['servfail-for-others', FAILED],
		['refused-for-others', FAILED],
		['garbage-for-others', { ...FAILED, cause: 'unreadable' }],
	])('over one name only leave its question open (%s)', async (behaviour, found) => {
		expect(await makeResolver([behaviour, behaviour]).resolver.mx('broken.example')).toEqual(found);
		expect(await makeResolver([behaviour, 'dead']).resolver.mx('broken.example')).toEqual(found);
	});

	test('over one name are asked again after half a minute', async () => {
		const clock = fakeClock();
		const { resolver, behaviours } = makeResolver(['servfail-for-others'], clock);
		for (const passedMs of [0, 29_999, 1]) {
			clock.advance(passedMs);
			expect(await resolver.mx('broken.example')).toEqual(FAILED);
		}
		expect(behaviours()).toHaveLength(2);
	});
});

describe('the control, which tells a broken name from a broken resolver', () => {
	test('finds the resolver out where it fails for all names, once in two seconds however many are asked', async () => {
		const time = fakeClock();
		const { resolver, controls } = makeResolver(['servfail'], time);
		for (const name of ['a.example', 'b.example', 'c.example'])
			expect(await codeOf(resolver.mx(name))).toBe('upstream_unavailable');
		expect(controls()).toBe(1);
		time.advance(2_000);
		expect(await codeOf(resolver.mx('a.example'))).toBe('upstream_unavailable');
		expect(controls()).toBe(2);
	});

	/** A resolver that says nonsense, whose control takes three seconds for it. */
	function slowlyOut(meanwhile: (resolver: ReturnType<typeof dohResolver>) => Promise<unknown>) {
		const time = fakeClock();
		const world = makeResolver(
			[
				async (question, signal) => {
					if (question.name === 'fine.example') return PLAYS['answers']!(question, signal);
					if (question.name === CONTROL) {
						time.advance(3_000);
						await meanwhile(world.resolver);
					}
					return PLAYS['garbage']!(question, signal);
				},
			],
			time,
		);
		return world;
	}

	test('is not asked once more because it took long to say nothing', async () => {
		const { resolver, controls } = slowlyOut(async () => {});
		for (const name of ['a.example', 'b.example'])
			expect(await codeOf(resolver.mx(name))).toBe('upstream_nonsense');
		expect(controls()).toBe(1);
	});

	test('blames no resolver that answered about another name meanwhile', async () => {
		const { resolver } = slowlyOut((other) => other.mx('fine.example'));
		expect(await resolver.mx('a.example')).toEqual({ kind: 'failed', cause: 'unreadable' });
	});

	test('is not asked for one who is in haste', async () => {
		const { resolver, controls } = makeResolver(['servfail']);
		expect(await resolver.hasty.mx('a.example')).toEqual({ kind: 'failed', cause: 'server_failure' });
		expect(controls()).toBe(0);
	});
});

describe('an answer is remembered', () => {
	test.each<[string, behaviour: string, seconds: readonly number[], times: number]>([
		['as long as the shortest TTL in it says', 'ttl-20', [0, 0, 10, 19.999], 1],
		['no longer', 'ttl-20', [0, 20, 20], 2],
		['for an hour at most', 'ttl-month', [0, 3_599], 1],
		['for no more', 'ttl-month', [0, 3_600], 2],
		['not at all when its TTL is 0', 'ttl-0', [0, 0], 2],
	])('%s', async (_, behaviour, seconds, times) => {
		const time = fakeClock();
		const { resolver, asked } = makeResolver([behaviour], time);
		for (const [n, second] of seconds.entries()) {
			time.advance((second - (seconds[n - 1] ?? 0)) * 1_000);
			await resolver.mx('shop.example');
		}
		expect(asked).toHaveLength(times);
	});

	test('for its own name and type only', async () => {
		const { resolver, asked } = makeResolver(['answers']);
		await resolver.mx('shop.example');
		await resolver.look('shop.example', 'TXT');
		await resolver.mx('www.shop.example');
		expect(asked).toHaveLength(3);
	});
});

// A hostile zone can hold any octets in a label: this came out of an MX record and can't go into a question.
test('a mail host whose name no question can carry has no addresses', async () => {
	const { resolver, asked } = makeResolver(['answers']);
	expect(await resolver.look('mx..example', 'A')).toEqual({ kind: 'no_such_name' });
	expect(asked).toEqual([]);
});

// Each of these costs its whole patience, so they wait side by side.
describe.concurrent('a resolver that is silent', () => {
	const TIMEOUT = { kind: 'failed', cause: 'timeout' };

	test('is replaced by the next one after four seconds', async () => {
		expect(await makeResolver(['silent', 'answers']).resolver.look('mx1.example', 'A')).toEqual(A_RECORD);
	});

	test('about one name leaves its question open: the domain is to blame', async () => {
		expect(await makeResolver(['silent-for-others']).resolver.mx('shop.example')).toEqual(TIMEOUT);
	});

	test('about one name, while it answers about others, needs no control', async () => {
		const time = fakeClock();
		const { resolver, asked } = makeResolver(['silent-for-others'], time);
		const silence = resolver.mx('shop.example');
		time.advance(1);
		await resolver.mx(CONTROL);
		expect(await silence).toEqual(TIMEOUT);
		expect(asked).toHaveLength(2);
	});

	test('about every name is our outage', async () => {
		expect(await codeOf(makeResolver(['silent']).resolver.mx('shop.example'))).toBe('upstream_unavailable');
	});
});
