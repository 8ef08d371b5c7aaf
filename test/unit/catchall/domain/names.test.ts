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
	const calm: ParkingEvidence = { nameServers: ['ns1.host.test'], addresses: ['8.8.8.8'], aliases: [] };
	test.each<[string, Partial<ParkingEvidence>, object | null]>([
		['nothing of the kind', {}, { kind: 'none' }],
		[
			'name servers of a service',
			{ nameServers: ['NS1.sedoparking.com'] },
			{ kind: 'name_server', sign: 'NS1.sedoparking.com' },
		],
		[
			'name servers that only sound like it',
			{ nameServers: ['ns1.notsedoparking.com', 'sedoparking.com.host.test'] },
			{ kind: 'none' },
		],
		[
			'name servers of a registrar with live customers',
			{ nameServers: ['ns01.domaincontrol.com', 'dns1.registrar-servers.com'] },
			{ kind: 'none' },
		],
		[
			'an address of a service',
			{ addresses: ['8.8.8.8', '185.53.179.255'] },
			{ kind: 'address', sign: '185.53.179.255' },
		],
		['an address beside the block', { addresses: ['185.53.180.0', '185.53.175.255'] }, { kind: 'none' }],
		[
			'an alias of a service',
			{ aliases: ['parkingpage.namecheap.com'] },
			{ kind: 'alias', sign: 'parkingpage.namecheap.com' },
		],
		[
			'name servers count first',
			{ nameServers: ['ns1.bodis.com'], addresses: ['91.195.240.94'] },
			{ kind: 'name_server', sign: 'ns1.bodis.com' },
		],
		[
			'what is known counts though the rest is not',
			{ nameServers: null, addresses: ['91.195.240.94'], aliases: null },
			{ kind: 'address', sign: '91.195.240.94' },
		],
		['nobody knows of the name servers', { nameServers: null }, null],
		['nobody knows of the addresses', { addresses: null }, null],
		['nobody knows of the aliases', { aliases: null }, null],
		['names of objects', { nameServers: ['constructor', '__proto__', 'x.toString'] }, { kind: 'none' }],
		[
			'hostile addresses and names',
			{ addresses: ['', 'x'.repeat(10_000), '::'], nameServers: ['a.'.repeat(5_000)] },
			{ kind: 'none' },
		],
	])('%s', (_, evidence, finding) => {
		expect(readParking({ ...calm, ...evidence })).toEqual(finding);
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
