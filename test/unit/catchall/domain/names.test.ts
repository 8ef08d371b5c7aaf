import { describe, expect, test } from 'vitest';
import { PARKING_BLOCKS } from '../../../../src/core/catchall/domain/data/parking-services.ts';
import { isMarketPlace, readParking } from '../../../../src/core/catchall/domain/website.ts';
import type { ParkingEvidence } from '../../../../src/core/catchall/domain/website.ts';
import { findRegistrable, isSameRegistrable } from '../../../../src/core/dns/registrable.ts';
import { parseAddressBlock } from '../../../../src/lib/ip-address.ts';

describe('what was registered', () => {
	test.each<[string, string | null]>([
		['acme.com', 'acme.com'],
		['mail.acme.co.uk', 'acme.co.uk'],
		['a.b.xn--bcher-kva.test', 'xn--bcher-kva.test'],
		['www.someone.github.io', 'someone.github.io'],
		['github.io', null],
		['co.uk', null],
		['com', null],
		['127.0.0.1', null],
		['', null],
	])('of %j is %j', (host, domain) => {
		expect(findRegistrable(host)?.domain ?? null).toBe(domain);
	});

	test('of a company’s customer is told apart from what a registry knows', () => {
		expect(
			['someone.github.io', 'acme.uk.com', 'acme.co.uk', 'acme.test'].map(
				(host) => findRegistrable(host)?.isPrivate,
			),
		).toEqual([true, true, false, false]);
	});

	test.each<[string, string, boolean]>([
		['a.github.io', 'b.github.io', false],
		['www.acme.com', 'acme.com', true],
		['acme.com', 'mail.acme.com', true],
		['acme.de', 'acme.com', false],
		['acme.com.evil.test', 'acme.com', false],
		['other.co.uk', 'acme.co.uk', false],
	])('%s and %s belong together: %s', (host, domain, together) => {
		expect(isSameRegistrable(host, domain)).toBe(together);
	});
});

describe('parking', () => {
	const CALM = { nameServers: 'ns1.host.test', addresses: '8.8.8.8', aliases: '' };
	test.each<[string, Partial<Record<keyof ParkingEvidence, string | null>>, string | null]>([
		['nothing of the kind', {}, 'none'],
		['name servers of a service', { nameServers: 'NS1.sedoparking.com' }, 'name_server NS1.sedoparking.com'],
		['names like it', { nameServers: 'ns1.notsedoparking.com sedoparking.com.host.test' }, 'none'],
		['a registrar with live customers', { nameServers: 'ns01.domaincontrol.com' }, 'none'],
		['an address of a service', { addresses: '8.8.8.8 185.53.179.255' }, 'address 185.53.179.255'],
		['an address beside the block', { addresses: '185.53.180.0 185.53.175.255' }, 'none'],
		['an alias of a service', { aliases: 'parkingpage.namecheap.com' }, 'alias parkingpage.namecheap.com'],
		[
			'name servers first',
			{ nameServers: 'a.bodis.com', addresses: '91.195.240.94' },
			'name_server a.bodis.com',
		],
		[
			'what is known, though the rest is not',
			{ nameServers: null, addresses: '91.195.240.94', aliases: null },
			'address 91.195.240.94',
		],
		['nobody knows of the name servers', { nameServers: null }, null],
		['nobody knows of the addresses', { addresses: null }, null],
		['nobody knows of the aliases', { aliases: null }, null],
		['names of objects', { nameServers: 'constructor __proto__ x.toString' }, 'none'],
		['hostile ones', { addresses: `${'x'.repeat(10_000)} ::`, nameServers: 'a.'.repeat(5_000) }, 'none'],
	])('%s', (_, evidence, expected) => {
		const listed = (text: string | null): readonly string[] | null =>
			text === null ? null : text.split(' ').filter((one) => one !== '');
		const { nameServers, addresses, aliases } = { ...CALM, ...evidence };
		const found = readParking({
			nameServers: listed(nameServers),
			addresses: listed(addresses),
			aliases: listed(aliases),
		});
		expect(found && [found.kind, ...('sign' in found ? [found.sign] : [])].join(' ')).toBe(expected);
	});

	test('every block of the table is a block', () => {
		for (const text of PARKING_BLOCKS) expect(parseAddressBlock(text), text).not.toBeNull();
	});

	test.each([
		['www.hugedomains.com', true],
		['sedo.com', true],
		['notsedo.com', false],
		['acme.com', false],
	])('%s sells domains: %s', (host, sells) => {
		expect(isMarketPlace(host)).toBe(sells);
	});
});
