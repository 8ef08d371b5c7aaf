import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
	addressBytes,
	isAddress,
	isInBlock,
	isPublicAddress,
	parseAddressBlock,
} from '../../../src/lib/ip-address.ts';

const PUBLIC = `
	8.8.8.8 1.1.1.1 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 168.63.129.15 168.63.129.17
	172.15.255.255 172.32.0.0 192.167.255.255 192.169.0.0 198.17.255.255 198.20.0.0 223.255.255.255
	2001:4860:4860::8888 2606:4700:4700::1111 2a00:1450:400a:800::200e 2A00:1450:400A:800::200E
`;

test.each(PUBLIC.trim().split(/\s+/))('a mail server of the public Internet can have %s', (address) => {
	expect(isPublicAddress(address)).toBe(true);
});

test.each([
	['this network', '0.0.0.0 0.1.2.3'],
	['private', '10.0.0.0 10.255.255.255 172.16.0.1 172.31.255.255 192.168.1.1'],
	['shared by a carrier', '100.64.0.0 100.127.255.255'],
	['loopback', '127.0.0.1 127.255.255.254 ::1'],
	['link-local, where clouds keep their secrets', '169.254.169.254'],
	['the platform of Azure', '168.63.129.16'],
	['the platform of Alibaba', '100.100.100.200'],
	['the platform of Oracle', '192.0.0.192'],
	['the platform of Amazon', 'fd00:ec2::254'],
	['IETF protocols', '192.0.0.1'],
	['documentation', '192.0.2.1 198.51.100.1 203.0.113.1 2001:db8::1 3fff::1'],
	['6to4 relay', '192.88.99.1'],
	['benchmarking', '198.18.0.1 198.19.255.255 2001:2::1'],
	['multicast', '224.0.0.1 ff02::1'],
	['reserved', '240.0.0.1'],
	['broadcast', '255.255.255.255'],
	['unspecified', '::'],
	['v4-mapped', '::ffff:127.0.0.1'],
	['v4-mapped, of a public address', '::ffff:8.8.8.8'],
	['v4-mapped, in hex', '::ffff:7f00:1'],
	['v4-compatible', '::8.8.8.8'],
	['v4-translated', '::ffff:0:8.8.8.8'],
	['v4-mapped, of the platform of Azure', '::ffff:168.63.129.16'],
	['NAT64', '64:ff9b::8.8.8.8'],
	['NAT64, of a private address', '64:ff9b::10.0.0.1'],
	['NAT64, of link-local', '64:ff9b::a9fe:a9fe'],
	['NAT64 of one network, of a private address', '64:ff9b:1:fffe::10.0.0.1'],
	['Teredo, of a private address', '2001:0:a00:1::f5ff:fffe'],
	['6to4, of a private address', '2002:a00:1::1'],
	['6to4, of a public address', '2002:808:808::1'],
	['NAT64 of one network', '64:ff9b:1::1'],
	['discard', '100::1'],
	['Teredo', '2001::1'],
	['ORCHID', '2001:10::1'],
	['ORCHIDv2', '2001:20::1'],
	['6to4', '2002:7f00:1::1'],
	['not given out', '4000::1'],
	['segment routing', '5f00::1'],
	['unique local', 'fc00::1 fd12:3456::1'],
	['link-local', 'fe80::1 fe80::1%eth0'],
	['site-local', 'fec0::1'],
])('no mail server of the public Internet can have %s: %s', (_, addresses) => {
	for (const address of addresses.split(' '))
		expect([isAddress(address), isPublicAddress(address)], address).toEqual([true, false]);
});

describe('no address at all is', () => {
	const NONE =
		'localhost mx.x.test 1.2.3 1.2.3.4.5 256.1.1.1 0x7f.0.0.1 0177.0.0.1 2130706433 127.1 8.8.8.8:25 [::1] ::: 1:2:3:4:5:6:7 12345::';
	test.each(['', ' 8.8.8.8', '8.8.8.1\r\nHost: x', ...NONE.split(' ')])('%j', (text) => {
		expect([isAddress(text), isPublicAddress(text), addressBytes(text)]).toEqual([false, false, null]);
	});
});

describe('blocks', () => {
	test.each([
		['198.18.0.0/15', '198.18.0.0', true],
		['198.18.0.0/15', '198.19.255.255', true],
		['198.18.0.0/15', '198.17.255.255', false],
		['198.18.0.0/15', '198.20.0.0', false],
		['127.0.0.1/32', '127.0.0.1', true],
		['127.0.0.1/32', '127.0.0.2', false],
		['0.0.0.0/0', '8.8.8.8', true],
		['0.0.0.0/0', '::1', false],
		['0.0.0.0/0', '::ffff:8.8.8.8', false],
		['::/0', '8.8.8.8', false],
		['fd00::/8', 'fd12::1', true],
		['fd00::/8', 'fc12::1', false],
		['10.0.0.0/8', 'not an address', false],
	])('%s and %s: %s', (written, address, expected) => {
		const block = parseAddressBlock(written);
		expect(block !== null && isInBlock(address, block)).toBe(expected);
	});

	const NONE = '10.0.0.0 10.0.0.0/33 10.0.0/8 10.1/16 010.0.0.0/8 ::/129 x/8 10.0.0.0/ 10.0.0.0/-1';
	test.each(['', ...NONE.split(' ')])('%j is none', (text) => {
		expect(parseAddressBlock(text)).toBeNull();
	});
});

test('the octets of an address are in network order', () => {
	expect(addressBytes('192.0.2.255')).toEqual([192, 0, 2, 255]);
	expect(addressBytes('2001:db8::1')).toEqual([0x20, 1, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
});

test('every text is either an address or none: nothing throws', () => {
	const texts = fc.oneof(fc.ipV4(), fc.ipV6(), fc.string(), fc.stringMatching(/^[0-9a-f:.x/%]{0,20}$/));
	fc.assert(
		fc.property(texts, (text) => {
			if (isPublicAddress(text)) expect(isAddress(text)).toBe(true);
			expect(addressBytes(text) !== null).toBe(isAddress(text));
			parseAddressBlock(text);
		}),
		{ numRuns: 200 },
	);
});
