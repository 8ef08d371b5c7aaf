import * as fc from 'fast-check';
import {
	addressesOf,
	findMailExchangers,
	usableAddresses,
} from '../../../src/core/dns/find-mail-exchangers.ts';
import type { MailRoute, AddressPolicy } from '../../../src/core/dns/find-mail-exchangers.ts';
import { parseAddressBlock } from '../../../src/lib/ip-address.ts';
import { fakeResolver } from '../../support/unit/fake-resolver.ts';
import type { Zone } from '../../support/unit/fake-resolver.ts';
import { expect, test } from 'vitest';

/** `a b`, `implicit x.test`, `null_mx`, `undetermined timeout`. */
const wordsOf = (route: MailRoute): string => {
	if (route.kind === 'hosts') return [...(route.implicit ? ['implicit'] : []), ...route.hosts].join(' ');
	return route.kind === 'undetermined' ? `${route.kind} ${route.cause}` : route.kind;
};

test.each<[string, Zone, string]>([
	['the best preference comes first', { mx: ['20 c', '5 a', '10 b'] }, 'a b c'],
	['a preference is a number, not a word', { mx: ['100 b', '20 a'] }, 'a b'],
	['hosts of the same preference have a fixed order', { mx: ['10 b', '10 a'] }, 'a b'],
	['a host that is named twice is one host', { mx: ['10 a', '20 b', '30 a'] }, 'a b'],
	['a null MX says that there is no mail', { mx: ['0 .'] }, 'null_mx'],
	['so do two', { mx: ['0 .', '10 .'] }, 'null_mx'],
	['a null MX beside real hosts is a mistake', { mx: ['0 .', '10 a'] }, 'a'],
	['without an MX the domain itself takes the mail', { a: ['192.0.2.1'] }, 'implicit x.test'],
	['a domain with neither has no mail server', {}, 'no_mail_host'],
	[
		'name servers that fail prove nothing',
		{ mx: 'server_failure', a: ['192.0.2.1'] },
		'undetermined server_failure',
	],
	['nor does one that is silent', { mx: 'timeout' }, 'undetermined timeout'],
	['nor one that fails over the address alone', { a: 'server_failure' }, 'undetermined server_failure'],
])('%s', async (_, zone, route) => {
	expect(wordsOf(await findMailExchangers(fakeResolver({ 'x.test': zone }), 'x.test'))).toBe(route);
});

test.each<[string, Record<string, Zone>, string]>([
	['that does not exist is known by the first question', {}, 'no_such_domain'],
	['with an MX is asked for no address', { 'x.test': { mx: ['10 a'], a: ['192.0.2.1'] } }, 'a'],
])('a domain %s', async (_, zones, route) => {
	const resolver = fakeResolver(zones);
	expect(wordsOf(await findMailExchangers(resolver, 'x.test'))).toBe(route);
	expect(resolver.asked).toEqual(['MX x.test']);
});

test.each([
	[1000, 1000],
	[1001, 1000],
])('of %i hosts the best %i are kept', async (count, kept) => {
	const names = Array.from({ length: count }, (_, index) => `mx${index + 1}`);
	const mx = names.map((name, index) => `${index + 1} ${name}`).toReversed();
	const route = await findMailExchangers(fakeResolver({ 'x.test': { mx } }), 'x.test');
	expect(wordsOf(route)).toBe(names.slice(0, kept).join(' '));
});

test('two resolvers that shuffle the same records lead to the same hosts', async () => {
	const records = fc.uniqueArray(fc.tuple(fc.nat({ max: 3 }), fc.constantFrom('a', 'b', 'c', 'd', '.')), {
		minLength: 1,
		maxLength: 6,
		selector: String,
	});
	const shuffled = records.chain((list) =>
		fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
	);
	await fc.assert(
		fc.asyncProperty(shuffled, async (pair) => {
			const [one, other] = await Promise.all(
				pair.map((list) => {
					const mx = list.map(([preference, name]) => `${preference} ${name}`);
					return findMailExchangers(fakeResolver({ 'x.test': { mx } }), 'x.test');
				}),
			);
			expect(one).toEqual(other);
		}),
		{ numRuns: 50 },
	);
});

test('a host is asked for IPv6 addresses only where it has none of IPv4', async () => {
	const zones = { four: { a: ['192.0.2.1'], aaaa: ['2001:db8::4'] }, six: { aaaa: ['2001:db8::6'] } };
	const resolver = fakeResolver(zones);
	for (const host of ['four', 'six']) await addressesOf(resolver, host);
	expect(resolver.asked).toEqual(['A four', 'A six', 'AAAA six']);
});

const FOUND = ['10.0.0.1', '8.8.8.8', '127.0.0.1', 'not an address', '198.18.0.5', '::1', '2606:4700::1'];

function allowing(...blocks: string[]): AddressPolicy {
	return blocks.map(parseAddressBlock).filter((block) => block !== null);
}

test.each<[string, AddressPolicy, readonly string[]]>([
	['only public addresses are dialled, in their order', allowing(), ['8.8.8.8', '2606:4700::1']],
	[
		'and blocks that the operator allowed',
		allowing('198.18.0.0/15', '::1/128'),
		['8.8.8.8', '198.18.0.5', '::1', '2606:4700::1'],
	],
	[
		'or all that are addresses',
		allowing('0.0.0.0/0', '::/0'),
		FOUND.filter((address) => address !== 'not an address'),
	],
])('%s', (_, policy, usable) => {
	expect(usableAddresses(FOUND, policy)).toEqual(usable);
});
