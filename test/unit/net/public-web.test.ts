import { describe, expect, test } from 'vitest';
import type { WebAnswer, WebLimits } from '../../../src/net/public-web.ts';
import { webOfStrangers } from '../../support/unit/web-sites.ts';

const within = (host: string): boolean => host === 'acme.test' || host.endsWith('.acme.test');
const FAILED = { kind: 'failed' };

async function get(url: string, more: Partial<WebLimits> = {}) {
	const { web, visited } = webOfStrangers();
	const limits = { limitMs: 3_000, octetsMax: 65_536, accept: 'text/html', admits: within };
	return { answer: await web(url, { ...limits, ...more }), visited };
}

const titleOf = (answer: WebAnswer): string =>
	answer.kind === 'page' ? `${answer.url} ${answer.text}` : answer.kind;

describe('a website', () => {
	test.each([
		['https://acme.test/', 'https://acme.test/ <title>Acme</title>'],
		['https://once.acme.test/', 'https://www.acme.test/ <title>Acme at www</title>'],
		['https://thrice.acme.test/', 'https://www.acme.test/ <title>Acme at www</title>'],
		['https://six.acme.test/none', 'https://six.acme.test/none not found'],
	])('is read, redirects and all: %s', async (url, title) => {
		expect(titleOf((await get(url)).answer)).toBe(title);
	});

	test('tells its status', async () => {
		expect((await get('https://error.acme.test/')).answer).toMatchObject({ status: 503 });
		expect((await get('https://acme.test/none')).answer).toMatchObject({ status: 404 });
	});

	test('is cut off where it is too long, though it never ends', async () => {
		const { answer } = await get('https://endless.acme.test/', { octetsMax: 40_000 });
		expect(answer.kind === 'page' && answer.text.length).toBe(40_000);
	});

	test('in another encoding is read as far as it goes', async () => {
		expect(titleOf((await get('https://latin1.acme.test/')).answer)).toContain('<p>caf\u{fffd}</p>');
	});
});

describe('redirects', () => {
	test.each([
		['four of them', 'https://four-times.acme.test/', 4],
		['in a circle', 'https://loop.acme.test/', 4],
		['to plain http', 'https://plain-http.acme.test/', 1],
		['to another port', 'https://port.acme.test/', 1],
		['to a private host', 'https://to-private.acme.test/', 1],
		['to a host without address', 'https://to-nothing.acme.test/', 1],
		['to nonsense', 'https://nonsense.acme.test/', 1],
	])('%s lead nowhere', async (_, url, visits) => {
		const { answer, visited } = await get(url);
		expect(answer).toEqual(FAILED);
		expect(visited).toHaveLength(visits);
	});

	test('to somebody else are told, and not followed', async () => {
		const { answer, visited } = await get('https://elsewhere.acme.test/');
		expect(answer).toEqual({ kind: 'left', host: 'www.other.test' });
		expect(visited).toEqual(['https://elsewhere.acme.test/']);
		expect((await get('https://to-address.acme.test/')).answer).toEqual({ kind: 'left', host: '127.0.0.1' });
	});
});

describe('is not visited', () => {
	test.each([
		['a private address', 'https://private.acme.test/'],
		['a public address beside a private one', 'https://mixed.acme.test/'],
		['loopback', 'https://loopback.acme.test/'],
		['a mapped private address', 'https://mapped.acme.test/'],
		['a metadata service', 'https://metadata.acme.test/'],
		['a private address behind NAT64', 'https://nat64.acme.test/'],
		['a private address behind the NAT64 of a network', 'https://own-nat64.acme.test/'],
		['a private address behind 6to4', 'https://six-to-four.acme.test/'],
		['a private address behind Teredo', 'https://teredo.acme.test/'],
		['the service itself', 'https://api.ours.test/'],
		['the service itself, written otherwise', 'https://API.ours.test./'],
		['a host beside the service', 'https://www.ours.test/'],
		['a name that can’t be looked up', 'https://broken.acme.test/'],
		['plain http', 'http://acme.test/'],
		['another port', 'https://acme.test:8443/'],
		['an address with a password', 'https://a:b@acme.test/'],
		['a bare address', 'https://8.8.8.8/'],
		['a bare IPv6 address', 'https://[2606:4700::1111]/'],
		['a host that nobody asked for', 'https://other.test/'],
		['no address at all', 'nonsense'],
	])('%s', async (_, url) => {
		const everywhere = url.startsWith('https://other') ? within : () => true;
		const { answer, visited } = await get(url, { admits: everywhere });
		expect([answer, visited]).toEqual([FAILED, []]);
	});

	test('a name that has no address, which is known', async () => {
		const { answer, visited } = await get('https://gone.acme.test/');
		expect([answer, visited]).toEqual([{ kind: 'no_address' }, []]);
	});
});

test.each(['https://silent.acme.test/', 'https://closes.acme.test/'])(
	'%s is no answer once its time is up',
	async (url) => {
		expect((await get(url, { limitMs: 300 })).answer).toEqual(FAILED);
	},
);

test('without time nothing is asked', async () => {
	expect(await get('https://acme.test/', { limitMs: 0 })).toEqual({ answer: FAILED, visited: [] });
});
