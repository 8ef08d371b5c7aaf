import * as fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { batchRequest } from '../../../src/http/schemas/batch.ts';
import { listIn } from '../../../src/http/body.ts';
import { parseAddress } from '../../../src/core/address/parse-address.ts';
import { KEPT_MAX } from '../../../src/lib/text.ts';
import { errorOf } from '../../support/unit/bad-variable.ts';

const ELEMENTS_MAX = 1_000;
const MB = 1024 * 1024;

const octetsOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const read = (text: string | Uint8Array): unknown =>
	listIn(typeof text === 'string' ? octetsOf(text) : text, 'emails', ELEMENTS_MAX);

/** What a customer would be told, or given. */
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
/** A body as clients send them, fields twice included, escaped in either way. */
const bodies = fc
	.tuple(fc.array(field, { maxLength: 5 }), blank, fc.boolean())
	.map(([fields, space, escaped]) => {
		const members = fields.map(([name, value]) => `${JSON.stringify(name)}${space}:${JSON.stringify(value)}`);
		const body = `${space}{${space}${members.join(`${space},${space}`)}}${space}`;
		return escaped
			? body.replaceAll(/[^\0-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
			: body;
	});

describe('a body is read as JSON.parse reads it', () => {
	test('whatever its fields hold, however often they come; no JSON or UTF-8 is refused', () => {
		const changes = fc.array(fc.tuple(fc.nat(), fc.nat(2), fc.nat(255)), { maxLength: 3 });
		fc.assert(
			fc.property(bodies, changes, (body, changed) => {
				let octets = Array.from(octetsOf(body));
				for (const [at, removed, added] of changed)
					octets = octets.toSpliced(at % (octets.length + 1), removed, ...(removed === 1 ? [] : [added]));
				const bytes = Uint8Array.from(octets);
				const known = parsed(bytes);
				if (known === null) expect(errorOf(() => read(bytes))).not.toBeNull();
				else expect(judged(read(bytes))).toEqual(judged(known.value));
			}),
			{ numRuns: 600 },
		);
	});

	test.each([
		['a byte order mark before it', '\uFEFF{"emails":["a@x.test"]}', ['a@x.test']],
		['a wrong list before a right one', '{"emails":[1,{}],"emails":["b"]}', ['b']],
		['a field of the same name deeper down', '{"x":{"emails":[1]},"emails":["b"]}', ['b']],
		['numbers beyond all bounds beside it', '{"emails":["b"],"x":[1e999,-1e999,1e-999]}', ['b']],
	])('%s', (_, body, emails) => {
		expect(judged(read(body))).toMatchObject({ emails });
	});
});

describe('what is kept is bounded', () => {
	const emailsOf = (...texts: readonly unknown[]): readonly string[] =>
		(read(JSON.stringify({ emails: texts })) as { emails: readonly string[] }).emails;

	test('a text of the list that can be no address is cut, stays none, and differs from others like it', () => {
		const long = 'a'.repeat(KEPT_MAX);
		expect(emailsOf(long)).toEqual([long]);
		const cut = emailsOf(`${long}b`, `${long}c`, ` ${long}b`);
		expect(cut[0]?.length).toBeLessThan(KEPT_MAX + 100);
		expect([cut[0] === cut[1], cut[0] === cut[2]]).toEqual([false, true]);
		for (const kept of cut) expect(parseAddress(kept).ok).toBe(false);
	});

	test('an address within so much white space is an address', () => {
		expect(emailsOf(`ada@x.test${' '.repeat(KEPT_MAX)}`)).toEqual(['ada@x.test']);
	});

	test('levels', () => {
		const nested = (levels: number): string =>
			`{"emails":["a"],"x":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;
		expect(read(nested(32))).toMatchObject({ emails: ['a'] });
		expect(errorOf(() => read(nested(33)))).toMatchObject({
			code: 'invalid_body',
			message: 'The body is nested more than 32 levels deep',
		});
	});

	test('elements, however many more come', () => {
		const many = (count: number): string[] => Array.from({ length: count }, (_, n) => `${n}`);
		expect(emailsOf(...many(ELEMENTS_MAX))).toHaveLength(ELEMENTS_MAX);
		expect(emailsOf(...many(ELEMENTS_MAX + 1))).toHaveLength(ELEMENTS_MAX + 1);
		expect(emailsOf(...many(50 * ELEMENTS_MAX))).toHaveLength(ELEMENTS_MAX + 1);
	});
});

const size = 14 * MB;
test.each([
	['brackets', () => '['.repeat(size)],
	['braces', () => '{"a":'.repeat(size / 5)],
	['objects', () => `[${'{},'.repeat(size / 3)}`],
	['objects in the list', () => `{"emails":[${'{},'.repeat(size / 3)}`],
	['many numbers', () => `{"x":[${'1,'.repeat(size / 2)}`],
	['many fields', () => `{${'"":1,'.repeat(size / 5)}`],
])('14 MB made to hurt are never parsed: %s', (_, make) => {
	const octets = octetsOf(make());
	const parse = vi.spyOn(JSON, 'parse');
	const error = errorOfList(octets);
	expect(parse).not.toHaveBeenCalled();
	parse.mockRestore();
	expect(error).toMatch(/nested more than 32|too many/);
});

/** What a customer would be told of a body. */
function errorOfList(octets: Uint8Array): string {
	try {
		return read(octets) === null ? '' : 'too many';
	} catch (error) {
		return String(error);
	}
}
