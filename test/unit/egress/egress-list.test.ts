import { describe, expect, test } from 'vitest';
import { parseEgressList } from '../../../src/core/egress/egress.ts';
import { orderByRendezvous } from '../../../src/core/egress/rendezvous.ts';

describe('the list of egresses', () => {
	test('holds user and password decoded, and shows neither', () => {
		const [egress] = parseEgressList(
			'socks5s://us%40er:p%3Aw%2F@proxy.example?helo=v1.example&from=v@example',
		);
		expect(egress).toEqual({
			kind: 'socks5',
			label: 'socks5s://proxy.example:1080',
			host: 'proxy.example',
			port: 1080,
			secure: true,
			credentials: { username: 'us@er', password: 'p:w/' },
			heloName: 'v1.example',
			mailFrom: 'v@example',
		});
	});

	test('takes IPv6 proxies', () => {
		expect(parseEgressList('socks5://[::1]:1081')).toMatchObject([{ host: '::1', port: 1081 }]);
	});

	// Each would otherwise be read as another host or port, with a part of the password in its label.
	test.each([
		['a slash', 'socks5://user:12/34@proxy.example:1080'],
		['a number sign', 'socks5://user:12#34@proxy.example:1080'],
		['a question mark', 'socks5://user:12?34@proxy.example:1080'],
		['a letter and a slash', 'socks5://user:a/b@proxy.example:1080'],
		['a comma', 'socks5://user:12,34@proxy.example:1080'],
	])(
		'a password with %s that is not percent-encoded is a mistake, told without the password',
		(_what, text) => {
			expect(() => parseEgressList(text)).toThrow(/^entry [12] /);
			expect(() => parseEgressList(text)).not.toThrow(/12|34/);
		},
	);

	test('a setting that there is not is a mistake, told without its value', () => {
		expect(() => parseEgressList('direct, socks5://proxy.example?hello=v1.example')).toThrow(
			/^entry 2 has settings other than helo and from$/,
		);
		expect(() => parseEgressList('direct?hello=v1.example')).toThrow(/^entry 1 has settings/);
	});
});

const firstOf = (list: string, domain: string): string =>
	orderByRendezvous(parseEgressList(list), domain)[0]?.label ?? '';

describe('the way of a domain', () => {
	const texts = ['a', 'b', 'c', 'd'].map((name) => `socks5://${name}.proxy.example`);
	const egresses = parseEgressList(texts.join());
	const domains = Array.from({ length: 2_000 }, (_, index) => `shop${index}.example`);

	test('is the same every time', () => {
		for (const domain of domains.slice(0, 50))
			expect(orderByRendezvous(egresses, domain)).toEqual(orderByRendezvous(egresses, domain));
	});

	test('is shared out evenly', () => {
		const shares = new Map<string, number>();
		for (const domain of domains) {
			const first = firstOf(texts.join(), domain);
			shares.set(first, (shares.get(first) ?? 0) + 1);
		}
		expect(shares.size).toBe(4);
		for (const share of shares.values()) expect(share).toBeGreaterThan(400);
	});

	test('stays when another egress leaves the list, wherever it stood', () => {
		const without = texts.slice(1).join();
		const moved = domains.filter((domain) => {
			const before = firstOf(texts.join(), domain);
			return before !== 'socks5://a.proxy.example:1080' && firstOf(without, domain) !== before;
		});
		expect(moved).toEqual([]);
	});

	test('is shared out too between two users of one proxy', () => {
		const users = parseEgressList('socks5://one:x@proxy.example socks5://two:x@proxy.example');
		const ones = domains.filter((domain) => orderByRendezvous(users, domain)[0] === users[0]);
		expect(ones.length).toBeGreaterThan(800);
		expect(ones.length).toBeLessThan(1_200);
	});
});
