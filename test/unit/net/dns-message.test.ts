import { decode, encode } from 'dns-packet';
import type { Answer, Packet } from 'dns-packet';
import { expect, test } from 'vitest';
import { encodeQuestion, isEncodable, readAnswer } from '../../../src/net/dns-message.ts';
import type { RecordType } from '../../../src/core/dns/resolver.ts';
import type { Reading } from '../../../src/net/dns-message.ts';

const SOA = { mname: 'ns.test', rname: 'h.test', serial: 1, refresh: 1, retry: 1, expire: 1 };

/** A record as a zone file has it: `x.test 300 MX 10 mx.x.test`; of an SOA the minimum alone. */
function record(line: string): Answer {
	const [name = '', ttl, type, ...rest] = line.trim().split(' ');
	const head = { name, ttl: Number(ttl) };
	const text = rest.join(' ');
	if (type === 'MX') return { ...head, type, data: { preference: Number(rest[0]), exchange: rest[1] ?? '' } };
	if (type === 'TXT')
		return { ...head, type, data: [...text.matchAll(/"([^"]*)"/g)].map(([, one = '']) => one) };
	if (type === 'SOA') return { ...head, type, data: { ...SOA, minimum: Number(text) } };
	return { ...head, type: type as 'A', data: text };
}

const recordsOf = (lines: string): Answer[] => (lines === '' ? [] : lines.split(';').map(record));

/** A resolver's message about x.test with these records. */
function message(type: RecordType, lines: string, more: Partial<Packet> = {}): Uint8Array {
	const questions = [{ type, name: 'x.test' }];
	return encode({ type: 'response', id: 0, flags: 0, questions, answers: recordsOf(lines), ...more });
}

const read = (bytes: Uint8Array, type: RecordType): Reading => readAnswer(bytes, 'x.test', type);

/** `192.0.2.1 for 300`, `no_data for 30`, `server_failure`. */
function wordsOf(reading: Reading): string {
	if (reading.kind !== 'answer') return reading.kind;
	const { answer, ttlSeconds } = reading;
	const records = answer.kind === 'records' ? answer.records : [];
	const said = records.map((one) => (typeof one === 'string' ? one : `${one.preference} "${one.exchange}"`));
	return `${answer.kind === 'records' ? said.join('; ') : answer.kind} for ${ttlSeconds}`;
}

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

// What is asked for, the code of the answer, its records and, behind a bar, those of its authority; how that is read.
const ANSWERS = `
# Hosts are lower case and without a final dot; that of a null MX is empty.
MX 0 x.test 300 MX 10 MX1.X.test;x.test 300 MX 0 mx2.x.test. -> 10 "mx1.x.test"; 0 "mx2.x.test" for 300
MX 0 x.test 300 MX 0 . -> 0 "" for 300
A 0 X.TEST 300 A 192.0.2.1 -> 192.0.2.1 for 300
AAAA 0 x.test 300 AAAA 2001:db8::1 -> 2001:db8::1 for 300
NS 0 x.test 300 NS NS1.Host.test. -> ns1.host.test for 300
CNAME 0 x.test 300 CNAME Y.test. -> y.test for 300
# The strings of a TXT record are joined without a space, its records are not.
TXT 0 x.test 300 TXT "v=spf1 in" "clude:y.test -all";x.test 300 TXT "other" -> v=spf1 include:y.test -all; other for 300
# Aliases are followed in any order, and the shortest life counts.
A 0 x.test 20 CNAME Y.test;y.test 60 CNAME z.test;z.test 300 A 192.0.2.1 -> 192.0.2.1 for 20
A 0 z.test 300 A 192.0.2.1;y.test 300 CNAME z.test;x.test 300 CNAME y.test -> 192.0.2.1 for 300
A 0 x.test 300 CNAME y.test -> no_data for 30
# The name exists without this type, or not at all: for as long as its zone says, or the zone itself lives.
MX 0 -> no_data for 30
MX 0 | test 600 SOA 60 -> no_data for 60
MX 0 | test 45 SOA 600 -> no_data for 45
MX 3 -> no_such_name for 30
MX 3 | test 600 SOA 60 -> no_such_name for 60
# The name servers fail: FORMERR, SERVFAIL, NOTIMP, REFUSED, a code of its own.
MX 1 -> server_failure
MX 2 -> server_failure
MX 4 -> server_failure
MX 5 -> server_failure
MX 11 -> server_failure
`;

test.each(
	ANSWERS.split('\n')
		.filter((line) => /^\w/.test(line))
		.map((line) => line.split(' -> ') as [string, string]),
)('%s is read as %s', (written, reading) => {
	const [, type = '', code, answers = '', authority = ''] =
		/^(\w+) (\d+) ?([^|]*?)(?:\| (.*))?$/.exec(written) ?? [];
	const of = type as RecordType;
	const bytes = Uint8Array.from(message(of, answers, { authorities: recordsOf(authority) }));
	bytes[3] = ((bytes[3] ?? 0) & 0xf0) | Number(code);
	expect(wordsOf(read(bytes, of))).toBe(reading);
});

test.each<[string, Uint8Array]>([
	['an answer about another name', message('MX', '', { questions: [{ type: 'MX', name: 'y.test' }] })],
	['another type', message('A', '')],
	['no question', message('MX', '', { questions: [] })],
	['another id', message('MX', 'x.test 300 MX 10 mx.x.test', { id: 4_711 })],
	['a question', encodeQuestion('x.test', 'MX')],
	['a web page', new TextEncoder().encode('<!doctype html><title>Sign in</title>')],
])('%s is nonsense', (_, bytes) => {
	expect(read(bytes, 'MX')).toEqual({ kind: 'unreadable' });
});

test('records of somebody else are not taken', () => {
	const bytes = message('A', 'evil.test 300 A 192.0.2.66;x.test 300 A 192.0.2.1');
	expect(wordsOf(read(bytes, 'A'))).toBe('192.0.2.1 for 300');
});

test('the case of the name does not matter', () => {
	const bytes = message('MX', '', { questions: [{ type: 'MX', name: 'X.tEsT' }] });
	expect(wordsOf(read(bytes, 'MX'))).toBe('no_data for 30');
});

test.each([
	[16, '192.0.2.1 for 300'],
	[17, 'server_failure'],
])('a chain of %i aliases is followed, or proves nothing', (length, reading) => {
	const names = ['x.test', ...Array.from({ length }, (_, step) => `n${step}.test`)];
	const chain = names.slice(1).map((name, step) => `${names[step]} 300 CNAME ${name}`);
	expect(wordsOf(read(message('A', [...chain, `${names.at(-1)} 300 A 192.0.2.1`].join(';')), 'A'))).toBe(
		reading,
	);
});

test.each([
	['of itself', ['x.test', 'x.test']],
	['in a circle', ['x.test', 'y.test', 'z.test', 'x.test']],
])('an alias %s proves nothing of what is missing', (_, names) => {
	const chain = names.slice(1).map((name, step) => `${names[step]} 300 CNAME ${name}`);
	expect(read(message('MX', chain.join(';')), 'MX')).toEqual({ kind: 'server_failure' });
});

test('a message that was cut off anywhere is nonsense, never fewer records', () => {
	const authorities = recordsOf('test 600 SOA 60');
	const whole = message('MX', 'x.test 300 MX 10 mx1.x.test;x.test 300 MX 20 mx2.x.test', { authorities });
	const kinds = Array.from({ length: whole.length }, (_, length) => read(whole.slice(0, length), 'MX').kind);
	expect(new Set(kinds)).toEqual(new Set(['unreadable']));
	expect(read(whole, 'MX').kind).toBe('answer');
});

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
])('a name can be asked about %s', (_, name, encodable) => {
	expect(isEncodable(name)).toBe(encodable);
});

test('a message that was cut off proves nothing of what is missing', () => {
	const truncated = 0x0200;
	expect(read(message('MX', '', { flags: truncated }), 'MX')).toEqual({ kind: 'server_failure' });
	expect(read(message('MX', 'x.test 300 MX 10 mx.x.test', { flags: truncated }), 'MX').kind).toBe('answer');
});
