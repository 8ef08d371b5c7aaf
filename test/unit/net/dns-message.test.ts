import { decode, encode } from 'dns-packet';
import type { Answer, Packet } from 'dns-packet';
import { describe, expect, test } from 'vitest';
import { encodeQuestion, isEncodable, readAnswer } from '../../../src/net/dns-message.ts';
import type { LookedUpType } from '../../../src/core/dns/resolver.ts';
import type { Reading } from '../../../src/net/dns-message.ts';

/** A resolver's message about x.test. */
function message(type: LookedUpType, answers: Answer[], more: Partial<Packet> = {}): Uint8Array {
	return encode({
		type: 'response',
		id: 0,
		flags: 0,
		questions: [{ type, name: 'x.test' }],
		answers,
		...more,
	});
}

function withCode(code: number, type: LookedUpType = 'MX', more: Partial<Packet> = {}): Uint8Array {
	const bytes = Uint8Array.from(message(type, [], more));
	bytes[3] = ((bytes[3] ?? 0) & 0xf0) | code;
	return bytes;
}

const read = (bytes: Uint8Array, type: LookedUpType): Reading => readAnswer(bytes, 'x.test', type);
const mx = (preference: number, exchange: string, ttl = 300): Answer => ({
	type: 'MX',
	name: 'x.test',
	ttl,
	data: { preference, exchange },
});
const a = (name: string, data: string, ttl = 300): Answer => ({ type: 'A', name, ttl, data });
const cname = (name: string, data: string, ttl = 300): Answer => ({ type: 'CNAME', name, ttl, data });
const soa = (minimum: number, ttl: number): Answer => ({
	type: 'SOA',
	name: 'test',
	ttl,
	data: { mname: 'ns.test', rname: 'h.test', serial: 1, refresh: 1, retry: 1, expire: 1, minimum },
});
const records = (list: readonly unknown[], ttlSeconds = 300) => ({
	kind: 'answer',
	answer: { kind: 'records', records: list },
	ttlSeconds,
});
const none = (kind: 'no_data' | 'no_such_name', ttlSeconds: number) => ({
	kind: 'answer',
	answer: { kind },
	ttlSeconds,
});

test('a question is the same for everybody, so that caches can share its answer', () => {
	const packet = decode(Buffer.from(encodeQuestion('bücher.test'.normalize('NFC'), 'MX')));
	expect(packet).toMatchObject({
		id: 0,
		type: 'query',
		flag_rd: true,
		questions: [{ type: 'MX', class: 'IN' }],
	});
	expect(encodeQuestion('x.test', 'A')).toEqual(encodeQuestion('x.test', 'A'));
});

const GOOD = message('MX', [mx(10, 'mx.x.test')]);

test.each<[string, LookedUpType, Uint8Array, object]>([
	[
		'MX hosts are lower case and without a final dot',
		'MX',
		message('MX', [mx(10, 'MX1.X.test'), mx(0, 'mx2.x.test.')]),
		records([
			{ preference: 10, exchange: 'mx1.x.test' },
			{ preference: 0, exchange: 'mx2.x.test' },
		]),
	],
	[
		'a null MX is an empty host',
		'MX',
		message('MX', [mx(0, '.')]),
		records([{ preference: 0, exchange: '' }]),
	],
	['addresses', 'A', message('A', [a('X.TEST', '192.0.2.1')]), records(['192.0.2.1'])],
	[
		'IPv6 addresses',
		'AAAA',
		message('AAAA', [{ type: 'AAAA', name: 'x.test', ttl: 300, data: '2001:db8::1' }]),
		records(['2001:db8::1']),
	],
	[
		'the strings of a TXT record are joined without a space, its records are not',
		'TXT',
		message('TXT', [
			{ type: 'TXT', name: 'x.test', ttl: 300, data: ['v=spf1 in', 'clude:y.test -all'] },
			{ type: 'TXT', name: 'x.test', ttl: 300, data: 'other' },
		]),
		records(['v=spf1 include:y.test -all', 'other']),
	],
	[
		'aliases are followed, and the shortest life counts',
		'A',
		message('A', [cname('x.test', 'Y.test', 20), cname('y.test', 'z.test', 60), a('z.test', '192.0.2.1')]),
		records(['192.0.2.1'], 20),
	],
	[
		'aliases are followed in any order',
		'A',
		message('A', [a('z.test', '192.0.2.1'), cname('y.test', 'z.test'), cname('x.test', 'y.test')]),
		records(['192.0.2.1']),
	],
	[
		'records of somebody else are not taken',
		'A',
		message('A', [a('evil.test', '192.0.2.66'), a('x.test', '192.0.2.1')]),
		records(['192.0.2.1']),
	],
	['an alias to nowhere has no data', 'A', message('A', [cname('x.test', 'y.test')]), none('no_data', 30)],
	[
		'NS',
		'NS',
		message('NS', [{ type: 'NS', name: 'x.test', ttl: 300, data: 'NS1.Host.test.' }]),
		records(['ns1.host.test']),
	],
	['CNAME', 'CNAME', message('CNAME', [cname('x.test', 'Y.test.')]), records(['y.test'])],
	['the name exists, without this type', 'MX', message('MX', []), none('no_data', 30)],
	[
		'for as long as its zone says',
		'MX',
		message('MX', [], { authorities: [soa(60, 600)] }),
		none('no_data', 60),
	],
	['or the zone itself lives', 'MX', message('MX', [], { authorities: [soa(600, 45)] }), none('no_data', 45)],
	['the name does not exist', 'MX', withCode(3), none('no_such_name', 30)],
	['for as long', 'MX', withCode(3, 'MX', { authorities: [soa(60, 600)] }), none('no_such_name', 60)],
	['the name servers fail: FORMERR', 'MX', withCode(1), { kind: 'server_failure' }],
	['the name servers fail: SERVFAIL', 'MX', withCode(2), { kind: 'server_failure' }],
	['the name servers fail: NOTIMP', 'MX', withCode(4), { kind: 'server_failure' }],
	['the name servers fail: REFUSED', 'MX', withCode(5), { kind: 'server_failure' }],
	['the name servers fail: a code of its own', 'MX', withCode(11), { kind: 'server_failure' }],
	[
		'an answer about another name is nonsense',
		'MX',
		message('MX', [], { questions: [{ type: 'MX', name: 'y.test' }] }),
		{ kind: 'nonsense' },
	],
	['another type is nonsense', 'MX', message('A', []), { kind: 'nonsense' }],
	['no question is nonsense', 'MX', message('MX', [], { questions: [] }), { kind: 'nonsense' }],
	['another id is nonsense', 'MX', message('MX', [mx(10, 'mx.x.test')], { id: 4_711 }), { kind: 'nonsense' }],
	['a question is nonsense', 'MX', encodeQuestion('x.test', 'MX'), { kind: 'nonsense' }],
	['nothing is nonsense', 'MX', new Uint8Array(), { kind: 'nonsense' }],
	['half a message is nonsense', 'MX', GOOD.slice(0, GOOD.length - 5), { kind: 'nonsense' }],
	[
		'a web page is nonsense',
		'MX',
		new TextEncoder().encode('<!doctype html><title>Sign in</title>'),
		{ kind: 'nonsense' },
	],
	[
		'but the case of the name does not matter',
		'MX',
		message('MX', [], { questions: [{ type: 'MX', name: 'X.tEsT' }] }),
		none('no_data', 30),
	],
])('of a message, %s', (_, type, bytes, reading) => {
	expect(read(bytes, type)).toEqual(reading);
});

test.each([
	[16, { kind: 'answer', answer: { kind: 'records' } }],
	[17, { kind: 'server_failure' }],
])('a chain of %i aliases is followed, or proves nothing', (length, reading) => {
	const names = ['x.test', ...Array.from({ length }, (_, step) => `n${step}.test`)];
	const chain = names.slice(1).map((name, step) => cname(names[step] ?? '', name));
	const bytes = message('A', [...chain, a(names.at(-1) ?? '', '192.0.2.1')]);
	expect(read(bytes, 'A')).toMatchObject(reading);
});

test.each([
	['of itself', [cname('x.test', 'x.test')]],
	['in a circle', [cname('x.test', 'y.test'), cname('y.test', 'z.test'), cname('z.test', 'x.test')]],
	[
		'without an end',
		Array.from({ length: 40 }, (_, n) => cname(n === 0 ? 'x.test' : `x${n}.test`, `x${n + 1}.test`)),
	],
])('an alias %s proves nothing of what is missing', (_, aliases) => {
	expect(read(message('MX', aliases), 'MX')).toEqual({ kind: 'server_failure' });
});

test('a message that was cut off anywhere is nonsense, never fewer records', () => {
	const whole = message('MX', [mx(10, 'mx1.x.test'), mx(20, 'mx2.x.test')], { authorities: [soa(60, 600)] });
	const kinds = Array.from({ length: whole.length }, (_, length) => read(whole.slice(0, length), 'MX').kind);
	expect(new Set(kinds)).toEqual(new Set(['nonsense']));
	expect(read(whole, 'MX').kind).toBe('answer');
});

describe('a name can be asked about', () => {
	const label = 'a'.repeat(63);
	const octets254 = [label, label, label, 'a'.repeat(61)].join('.');

	test.each<[string, string, boolean]>([
		['as usual', '_dmarc.x.test', true],
		['with a final dot', 'x.test.', true],
		['with labels of 63 octets', `${label}.test`, true],
		['but not of 64', `${label}a.test`, false],
		['with 255 octets on the wire', octets254, true],
		['but not 256', `${octets254}a`, false],
		['but not without a label between two dots', 'x..test', false],
		['but not where it is empty', '', false],
		['but not with a long label of few characters', `${'é'.repeat(32)}.test`, false],
	])('%s', (_, name, encodable) => {
		expect(isEncodable(name)).toBe(encodable);
	});
});

test('a message that was cut off proves nothing of what is missing', () => {
	const truncated = 0x0200;
	expect(read(message('MX', [], { flags: truncated }), 'MX')).toEqual({ kind: 'server_failure' });
	expect(read(message('MX', [mx(10, 'mx.x.test')], { flags: truncated }), 'MX').kind).toBe('answer');
});
