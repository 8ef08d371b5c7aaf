import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { batchRequest } from '../../../src/http/schemas/batch.ts';
import { KEPT_MAX, ListBody, REST_MAX, TEXT_MAX } from '../../../src/http/list-body.ts';
import { DEPTH_MAX, UnreadableBody } from '../../../src/http/unreadable-body.ts';
import { parseAddress } from '../../../src/core/address/parse-address.ts';

const ELEMENTS_MAX = 1_000;
const MB = 1024 * 1024;

/** What the reader makes of octets that come in pieces of so many. */
function read(octets: Uint8Array, piece = octets.length): unknown {
	const body = new ListBody('emails', ELEMENTS_MAX);
	for (let from = 0; from < octets.length; from += piece) body.write(octets.subarray(from, from + piece));
	return body.end();
}

const octetsOf = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Why octets are not read; null: they are. */
function fault(text: string | Uint8Array, piece?: number): UnreadableBody | null {
	try {
		read(typeof text === 'string' ? octetsOf(text) : text, piece);
		return null;
	} catch (error) {
		if (error instanceof UnreadableBody) return error;
		throw error;
	}
}

const refused = (text: string | Uint8Array, piece?: number): string | null =>
	fault(text, piece)?.message ?? null;

/** What a customer would be told, or given, of a body. */
function answerTo(octets: Uint8Array, piece: number): unknown {
	try {
		return judged(read(octets, piece));
	} catch (error) {
		if (error instanceof UnreadableBody && error.value !== undefined) return judged(error.value);
		throw error;
	}
}

function judged(value: unknown): unknown {
	const { success, data, error } = batchRequest.safeParse(value);
	return success ? data : { path: error.issues[0]?.path, message: error.issues[0]?.message };
}

function parsed(octets: Uint8Array): { value: unknown } | null {
	try {
		return { value: JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(octets)) };
	} catch {
		return null;
	}
}

const text = fc.string({ unit: 'binary', maxLength: 40 });
const field = fc.oneof(
	fc.tuple(fc.constant('emails'), fc.array(text, { maxLength: 8 })),
	fc.tuple(fc.constant('emails'), fc.array(fc.oneof(text, fc.jsonValue({ maxDepth: 2 })), { maxLength: 4 })),
	fc.tuple(
		fc.constantFrom('emails', 'name', 'validationFlags', '__proto__', 'constructor', ''),
		fc.jsonValue(),
	),
	fc.tuple(text, fc.jsonValue()),
);
const blank = fc.string({ unit: fc.constantFrom(' ', '\t', '\n', '\r'), maxLength: 3 });
/** A body as clients send them, escaped in either way. */
const bodies = fc
	.tuple(fc.uniqueArray(field, { maxLength: 5, selector: ([name]) => name }), blank, fc.boolean())
	.map(([fields, space, escaped]) => {
		const members = fields.map(([name, value]) => `${JSON.stringify(name)}${space}:${JSON.stringify(value)}`);
		const body = `${space}{${space}${members.join(`${space},${space}`)}}${space}`;
		return escaped
			? body.replaceAll(/[^\0-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
			: body;
	});

describe('a body is read as JSON.parse reads it', () => {
	test('whatever its fields hold, wherever the network cuts it; no JSON or UTF-8 is refused', () => {
		const changes = fc.array(fc.tuple(fc.nat(), fc.nat(2), fc.nat(255)), { maxLength: 3 });
		fc.assert(
			fc.property(bodies, changes, fc.integer({ min: 1, max: 300 }), (body, changed, piece) => {
				let octets = Array.from(octetsOf(body));
				for (const [at, removed, added] of changed)
					octets = octets.toSpliced(at % (octets.length + 1), removed, ...(removed === 1 ? [] : [added]));
				const bytes = Uint8Array.from(octets);
				const known = parsed(bytes);
				if (known === null) expect(fault(bytes, piece)).not.toBeNull();
				else expect(answerTo(bytes, piece)).toEqual(judged(known.value));
			}),
			{ numRuns: 600 },
		);
	});

	test.each([
		['a byte order mark before it', '\uFEFF{"emails":["a@x.test"]}', ['a@x.test']],
		['a list before another one', '{"emails":["a"],"emails":["b"]}', ['b']],
		['a field of the same name deeper down', '{"x":{"emails":[1]},"emails":["b"]}', ['b']],
		['numbers beyond all bounds beside it', '{"emails":["b"],"x":[1e999,-1e999,1e-999]}', ['b']],
	])('%s', (_, body, emails) => {
		expect(judged(read(octetsOf(body), 3))).toMatchObject({ emails });
	});
});

describe('what is kept is bounded, and what is just within a bound is taken', () => {
	const listOf = (...texts: readonly unknown[]): string => JSON.stringify({ emails: texts });
	const emailsOf = (body: string): readonly string[] =>
		(read(octetsOf(body)) as { emails: readonly string[] }).emails;

	test('a text of the list that can be no address is cut, stays none, and differs from others like it', () => {
		const long = 'a'.repeat(KEPT_MAX);
		expect(emailsOf(listOf(long))).toEqual([long]);
		const cut = emailsOf(listOf(`${long}b`, `${long}c`, ` ${long}b`));
		expect(cut[0]?.length).toBeLessThan(KEPT_MAX + 100);
		expect([cut[0] === cut[1], cut[0] === cut[2]]).toEqual([false, true]);
		for (const kept of cut) expect(parseAddress(kept).ok).toBe(false);
	});

	test('an address within so much white space is an address', () => {
		const padded = `ada@x.test${' '.repeat(KEPT_MAX)}`;
		expect(emailsOf(listOf(padded))).toEqual(['ada@x.test']);
	});

	test('a text', () => {
		expect(refused(listOf('a', 'x'.repeat(TEXT_MAX)))).toBeNull();
		expect(refused(listOf('a', 'x'.repeat(TEXT_MAX + 1)))).toBe('emails[1] is longer than 32768 characters');
		const escaped = (units: number): string => `{"emails":["${String.raw`\ud83d`.repeat(units)}"]}`;
		expect(refused(escaped(TEXT_MAX))).toBeNull();
		expect(refused(escaped(TEXT_MAX + 1))).toBe('emails[0] is longer than 32768 characters');
	});

	test('levels', () => {
		const nested = (levels: number): string =>
			`{"emails":["a"],"x":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;
		expect(refused(nested(DEPTH_MAX))).toBeNull();
		expect(refused(nested(DEPTH_MAX + 1))).toBe('The body is nested more than 32 levels deep');
	});

	test('fields that nobody asked for', () => {
		// Fourteen signs, and seven letters in the two names.
		const beside = (octets: number): string =>
			JSON.stringify({ emails: ['a'], x: ['y'.repeat(TEXT_MAX), 'y'.repeat(octets - TEXT_MAX - 21)] });
		expect(refused(beside(REST_MAX))).toBeNull();
		expect(refused(beside(REST_MAX + 1))).toBe(
			'All that the body holds beside emails is longer than 65536 bytes',
		);
	});

	test('elements, and which of them is wrong', () => {
		const many = (count: number): string[] => Array.from({ length: count }, (_, n) => `${n}`);
		expect(emailsOf(listOf(...many(ELEMENTS_MAX)))).toHaveLength(ELEMENTS_MAX);
		const beyond = fault(listOf(...many(ELEMENTS_MAX + 1)))?.value as { emails: readonly unknown[] };
		expect(beyond.emails).toHaveLength(ELEMENTS_MAX + 1);
		expect(fault(listOf('a', 'b', 7, 'c'))?.value).toEqual({ emails: ['', '', null] });
	});
});

const size = 14 * MB;
test.each([
	['brackets', () => '['.repeat(size), /nested/],
	['braces', () => '{"a":'.repeat(size / 5), /nested/],
	['objects', () => `[${'{},'.repeat(size / 3)}`, /longer than 65536/],
	['objects in the list', () => `{"emails":[${'{},'.repeat(size / 3)}`, /emails\[0\] is wrong/],
	['one text', () => `{"emails":["${'a'.repeat(size)}`, /emails\[0\] is longer/],
	[
		'one text of escapes',
		() => `{"emails":["${String.raw`\ud83d`.repeat(size / 6)}`,
		/emails\[0\] is longer/,
	],
	['one text of blanks', () => `{"emails":["${' '.repeat(size)}`, /emails\[0\] is longer/],
	['a name of a field', () => `{"${'k'.repeat(size)}`, /A value in the body is longer/],
	['a number', () => `{"x":${'1'.repeat(size)}`, /A value in the body is longer/],
	['many numbers', () => `{"x":[${'1,'.repeat(size / 2)}`, /longer than 65536/],
	['many fields', () => `{${'"":1,'.repeat(size / 5)}`, /longer than 65536/],
])('14 MB made to hurt are given up early, or cost no more than their reading: %s', (_, make, says) => {
	expect(refused(make(), 64 * 1024)).toMatch(says);
});
