import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseEgressList } from '../../../src/core/egress/egress.ts';
import type { Egress } from '../../../src/core/egress/egress.ts';
import { orderByRendezvous, Ways } from '../../../src/core/egress/ways.ts';
import { errorOf } from '../../support/unit/bad-variable.ts';
import { fakeClock } from '../../support/unit/fake-clock.ts';
import { parseProbers } from '../../../src/core/egress/probers.ts';

function only(text: string): Egress {
	const [egress, ...more] = parseEgressList(text);
	if (egress === undefined || more.length > 0) throw new Error(`not one egress: ${text}`);
	return egress;
}

describe('an entry of the list', () => {
	const proxy: Omit<Egress, 'source'> = {
		kind: 'socks5',
		label: 'socks5://proxy.example:1080',
		host: 'proxy.example',
		port: 1080,
		secure: false,
		credentials: null,
		heloName: null,
		mailFrom: null,
	};

	// Where nothing else is said, operators know it by its label.
	const direct = { kind: 'direct', label: 'direct', host: '', port: 0 } as const;
	const from = (host: string) => ({ ...direct, label: `direct://${host}`, host });
	const as = (username: string, password: string) => ({ credentials: { username, password } });
	const V1 = { source: 'v1.example', heloName: 'v1.example' };
	test.each<[string, Partial<Egress>]>([
		['socks5://proxy.example', {}],
		['socks5://proxy.example:1080', {}],
		['socks5://proxy.example:1081', { port: 1081, label: 'socks5://proxy.example:1081' }],
		['socks5s://proxy.example:443', { port: 443, secure: true, label: 'socks5s://proxy.example:443' }],
		['socks5://ada:pw@proxy.example', as('ada', 'pw')],
		['socks5://a%40b:p%3Aw%2C%20%C3%A9@proxy.example', as('a@b', 'p:w, é')],
		['socks5://ada@proxy.example', as('ada', '')],
		['socks5://[2001:db8::1]:1080', { host: '2001:db8::1', label: 'socks5://[2001:db8::1]:1080' }],
		['socks5://proxy.example?helo=v1.example&from=v@v1.example', { ...V1, mailFrom: 'v@v1.example' }],
		['direct', direct],
		['direct://192.0.2.10?helo=v1.example', { ...from('192.0.2.10'), heloName: 'v1.example' }],
		['direct://[2001:db8::10]', { ...from('[2001:db8::10]'), host: '2001:db8::10' }],
		[
			'direct?helo=v1.example&from=v%2B1@v1.example',
			{ ...direct, heloName: 'v1.example', mailFrom: 'v+1@v1.example' },
		],
	])('%s', (text, changes) => {
		const egress = { ...proxy, ...changes };
		expect(only(text)).toEqual({ source: egress.label, ...egress });
	});

	test.each([
		' direct, socks5://a.example\n\tsocks5://b.example,',
		'direct socks5://a.example socks5://b.example',
	])('is parted from the next by spaces and commas, and is not needed at all: %j', (text) => {
		const parted = ['direct', 'socks5://a.example:1080', 'socks5://b.example:1080'];
		expect(parseEgressList(text).map(({ label }) => label)).toEqual(parted);
		expect(parseEgressList(' , ')).toEqual([]);
	});
});

describe('a mistake', () => {
	test.each([
		['socks5://hunter2:s3cret@', 'entry 1 is none of'],
		['socks4://hunter2:s3cret@proxy.example', 'entry 1 is none of'],
		['http://hunter2:s3cret@proxy.example', 'entry 1 is none of'],
		['hunter2:s3cret@proxy.example:1080', 'entry 1 is none of'],
		['directly', 'entry 1 is none of'],
		['direct://probe.example', 'entry 1 has a source that is no address'],
		['direct, socks5://hunter2:s3cret@proxy.example:99999', 'entry 2 is none of'],
		['socks5://hunter2%zz:s3cret@proxy.example', 'entry 1 has a wrong percent-encoding'],
		['socks5://hunter2:s3cret%ff@proxy.example', 'entry 1 has a wrong percent-encoding'],
		[`socks5://hunter2:s3cret${'x'.repeat(250)}@proxy.example`, 'entry 1: user name and password'],
		[`socks5://${'hunter2'.repeat(37)}:s3cret@proxy.example`, 'entry 1: user name and password'],
		['socks5://hunter2:s3cret@proxy.example/s3cret', 'entry 1 has more than an address'],
		['socks5://hunter2:s3cret@proxy.example#s3cret', 'entry 1 has more than an address'],
		['socks5://proxy.example?hello=hunter2', 'entry 1 has settings other than helo and from'],
		['direct?s3cret', 'entry 1 has settings other than helo and from'],
		['socks5://:s3cret@proxy.example', 'entry 1 has a password without a user name'],
	])('in %s is named by its position, and no secret with it', (text, message) => {
		const said = String(errorOf(() => parseEgressList(text)));
		expect(said).toContain(message);
		expect(said).not.toMatch(/hunter2|s3cret/);
	});

	// Each would otherwise be read as another host or port, with a part of the password in its label.
	test.each([
		['a slash', 'socks5://user:12/34@proxy.example:1080'],
		['a number sign', 'socks5://user:12#34@proxy.example:1080'],
		['a question mark', 'socks5://user:12?34@proxy.example:1080'],
		['a letter and a slash', 'socks5://user:a/b@proxy.example:1080'],
		['a comma', 'socks5://user:12,34@proxy.example:1080'],
	])('in a password with %s that is not percent-encoded is told without the password', (_, text) => {
		expect(() => parseEgressList(text)).toThrow(/^entry [12] /);
		expect(() => parseEgressList(text)).not.toThrow(/12|34/);
	});

	test('credentials may have 255 octets each', () => {
		const long = 'x'.repeat(255);
		expect(only(`socks5://${long}:${long}@proxy.example`).credentials?.password).toBe(long);
		expect(() => only(`socks5://a:${'é'.repeat(128)}@proxy.example`)).toThrow('255 octets');
	});
});

const labels = (order: readonly Egress[]): string[] => order.map(({ label }) => label);

describe('the order in which a domain tries the egresses', () => {
	const egresses = parseEgressList(
		'socks5://a.example socks5://b.example socks5://c.example socks5://d.example',
	);
	const domains = fc.domain();

	test('holds every egress once, whatever the order of the list, and stays as it is for the others when one is taken off', () => {
		const shuffled = fc.shuffledSubarray([...egresses], { minLength: 4 });
		fc.assert(
			fc.property(domains, shuffled, fc.constantFrom(...egresses), (domain, list, removed) => {
				const order = labels(orderByRendezvous(egresses, domain));
				expect(order.toSorted()).toEqual(labels(egresses).toSorted());
				expect(labels(orderByRendezvous(list, domain))).toEqual(order);
				const fewer = list.filter((egress) => egress !== removed);
				const left = order.filter((label) => label !== removed.label);
				expect(labels(orderByRendezvous(fewer, domain))).toEqual(left);
			}),
			{ numRuns: 50 },
		);
	});

	test('spreads the domains evenly, also over egresses of one proxy', () => {
		const sameProxy = parseEgressList(
			'socks5://u1:p@a.example socks5://u2:p@a.example socks5://u3:p@a.example',
		);
		for (const list of [egresses, sameProxy]) {
			const counts = new Map<Egress | undefined, number>(list.map((egress) => [egress, 0]));
			for (let index = 0; index < 1000; index += 1) {
				const [first] = orderByRendezvous(list, `company-${index}.example`);
				counts.set(first, (counts.get(first) ?? 0) + 1);
			}
			for (const count of counts.values()) {
				expect(count).toBeGreaterThan(750 / list.length);
				expect(count).toBeLessThan(1250 / list.length);
			}
		}
	});
});

const KEY = 'x.test';
const EGRESSES = orderByRendezvous(
	parseEgressList('socks5://a.example socks5://b.example socks5://c.example'),
	KEY,
);
const [A, B, C] = EGRESSES;
if (A === undefined || B === undefined || C === undefined) throw new Error('there are three');

test('an egress that failed is asked last, not never, and in the order given', () => {
	const ways = new Ways(EGRESSES, fakeClock());
	expect(ways.inOrder(KEY)).toEqual([A, B, C]);
	ways.failed(A);
	expect(ways.inOrder(KEY)).toEqual([B, C, A]);
	ways.failed(B);
	expect(ways.inOrder(KEY)).toEqual([C, A, B]);
	ways.failed(C);
	expect(ways.inOrder(KEY)).toEqual([A, B, C]);
	expect([ways.serving([C, A]), ways.serving(EGRESSES)]).toEqual([[C, A], EGRESSES]);
	ways.worked(B);
	expect(ways.serving(EGRESSES)).toEqual([B]);
});

test('it is out for half a minute, and trusted once it worked', () => {
	const clock = fakeClock();
	const ways = new Ways(EGRESSES, clock);
	ways.failed(A);
	clock.advance(29_999);
	expect(ways.inOrder(KEY)[0]).toBe(B);
	clock.advance(1);
	expect([ways.inOrder(KEY)[0], ways.hasFailed(A)]).toEqual([A, true]);
	ways.failed(A);
	ways.worked(A);
	expect([ways.inOrder(KEY)[0], ways.hasFailed(A)]).toEqual([A, false]);
});

const TOKEN = 'k'.repeat(32);

describe('the list of probers', () => {
	test.each([
		[`https://${TOKEN}@p1.example`, 'https', 'p1.example', TOKEN],
		[`https://${TOKEN}@p1.example:8443/`, 'https', 'p1.example:8443', TOKEN],
		[`https://a%2Bb${TOKEN}@p1.example`, 'https', 'p1.example', `a+b${TOKEN}`],
		[`http://${TOKEN}@127.0.0.1:8025`, 'http', '127.0.0.1:8025', TOKEN],
		[`http://${TOKEN}@[::1]:8025`, 'http', '[::1]:8025', TOKEN],
	])('%s', (text, scheme, label, token) => {
		const prober = { label, url: `${scheme}://${label}`, token };
		expect(parseProbers(text)).toEqual([prober]);
	});

	test('is parted by blanks or commas', () => {
		const text = `https://${TOKEN}@p1.example, https://${TOKEN}@p2.example\nhttps://${TOKEN}@p3.example`;
		expect(parseProbers(text).map(({ label }) => label)).toEqual(['p1.example', 'p2.example', 'p3.example']);
	});

	test.each([
		['p1.example', 'entry 1 is not https'],
		['socks5://s3cret@p1.example', 'entry 1 is not https'],
		['https://p1.example', 'entry 1 is not https://TOKEN@host'],
		[`https://user:s3cret${TOKEN}@p1.example`, 'entry 1 is not https://TOKEN@host'],
		[`https://${TOKEN}@p1.example https://s3cret@p2.example`, 'entry 2 has a token of fewer than 32'],
		[`https://s3cret${TOKEN}@p1.example/path`, 'entry 1 has more than'],
		[`https://s3cret${TOKEN}@p1.example?x=1`, 'entry 1 has more than'],
		[`http://s3cret${TOKEN}@p1.example`, 'over http'],
		[`http://s3cret${TOKEN}@127.0.0.1.example`, 'over http'],
	])('%s is refused, and the message tells no secret', (text, message) => {
		const said = String(errorOf(() => parseProbers(text)));
		expect(said).toContain(message);
		expect(said).not.toContain('s3cret');
	});
});
