import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { listEffectOf } from '../../../../src/core/catchall/breakdown.ts';
import { listFindings, planListFacts } from '../../../../src/core/catchall/list/list-facts.ts';
import type { ListedAddress, SourceListFacts } from '../../../../src/core/catchall/list/list-facts.ts';

const FIRST = 'anna peter maria thomas laura martin julia stefan sandra daniel'.split(' ');
const LAST = 'schmidt becker wagner hoffmann novak rossi martinez kowalski dupont nilsson'.split(' ');
// Twenty people, no two of whom share a name or an initial with a surname.
const PEOPLE = [...FIRST, ...FIRST].map(
	(first, at) => [first, LAST[(at * 3 + (at > 9 ? 1 : 0)) % 10]!] as const,
);

function onCatchAll(localParts: Iterable<string>, domain = 'acme.example'): ListedAddress[] {
	return Array.from(localParts, (localPart) => ({
		email: `${localPart}@${domain}`,
		status: 'risky',
		catchAll: true,
	}));
}

/** Labels of what the list says about an address, as they come out of a blob. */
function found(email: string, list: readonly ListedAddress[]): readonly string[] {
	const facts: SourceListFacts = JSON.parse(JSON.stringify(planListFacts(list)));
	return listFindings(email, facts).map(({ label }) => label);
}

const firstDotLast = PEOPLE.map(([first, last]) => `${first}.${last}`);

describe('the pattern of a domain', () => {
	test.each<[string, number, string, readonly string[]]>([
		// 10·log2(((3 + 4·0.45)/7)/0.45) = 6.1 tenths of a doubling, and (0 + 4·0.16)/7 is less than a half.
		['one that fits', 20, 'jonas.weber', ['domain_pattern:fits']],
		['one that does not', 20, 'jweber', ['domain_pattern:differs']],
		['one of no pattern', 20, 'jonas.m.weber', ['domain_pattern:differs']],
		['three others, and it fits', 3, 'jonas.weber', ['domain_pattern:fits']],
		['three others, and it does not', 3, 'jweber', ['domain_pattern:differs']],
	])('%s (%s others)', (_, peers, localPart, expected) => {
		const list = onCatchAll([...firstDotLast.slice(0, peers), localPart]);
		expect(found(`${localPart}@acme.example`, list)).toEqual(expected);
	});

	test.each([
		[
			'two of four who share it are too few',
			'anna.becker peter.wagner mnovak lrossi',
			'domain_pattern:neutral',
		],
		[
			'one of a rare kind proves nothing',
			'annab peter.wagner maria.novak laura.rossi',
			'domain_pattern:differs',
		],
	])('%s', (_, peers, label) => {
		const own = label.endsWith('neutral') ? 'jonas.weber' : 'weberj';
		expect(found(`${own}@acme.example`, onCatchAll([...peers.split(' '), own]))).toEqual([label]);
	});

	test.each(['info', 'noreply', 'test', 'xkqzvwpt', 'deadbeefdeadbeef', '1234'])(
		'%s is no person: not judged by the pattern, and nobody’s peer',
		(localPart) => {
			const list = onCatchAll([...firstDotLast.slice(0, 3), localPart]);
			expect(found(`${localPart}@acme.example`, list)).toEqual([]);
			expect(found(`${firstDotLast[0]}@acme.example`, list)).toEqual([]);
		},
	);

	// Nor do repeated rows or letter case: `whatever the list`, below.
	test('plus tags make no peer, nor does a refused address', () => {
		const names = firstDotLast.slice(0, 3);
		const refused = onCatchAll(firstDotLast.slice(3, 4)).map(
			(row) => ({ ...row, status: 'undeliverable' }) as const,
		);
		const list = [...onCatchAll([...names, ...names.map((one) => `${one}+x`)]), ...refused];
		expect(found(`${names[0]}@acme.example`, list)).toEqual([]);
	});

	test('the sentence says how many', () => {
		const list = onCatchAll([...firstDotLast.slice(0, 5), 'jweber']);
		const [signal] = listFindings('jweber@acme.example', planListFacts(list));
		expect(signal?.text).toBe('In the list, 0 of 5 other addresses of this domain are written as flast too.');
	});

	test('a domain that refuses unknown mailboxes needs no pattern', () => {
		const list = onCatchAll(firstDotLast).map((row) => ({ ...row, catchAll: false }));
		expect(found(`${firstDotLast[0]}@acme.example`, list)).toEqual([]);
	});
});

/** The spellings that lost against another of their set, and its size. */
function losers(localParts: readonly string[]): Readonly<Record<string, number>> {
	return planListFacts(onCatchAll(localParts)).domains['acme.example']?.permutations ?? {};
}

test.each([
	['the likely ones stay', 'peter.schmidt pschmidt', 'peter_schmidt schmidt.peter peterschmidt'],
	['with initials on both sides', 'peter.schmidt', 'p.schmidt schmidtp schmidt.p peter.s'],
	['two likely ones leave a chance to both', 'peter.schmidt pschmidt', 'peterschmidt'],
	['one word that the dictionary cuts', 'peterschmidt pschmidt', 'schmidtp'],
	['two are no set', 'peter.schmidt pschmidt', ''],
	['namesakes are one way', 'peter.schmidt peter.schmidt2 pschmidt', ''],
	['family is no set', 'peter.schmidt anna.schmidt maria.schmidt', ''],
	['nor is a first name in common', 'peter.schmidt peter.wagner peter', ''],
])('several ways to write one name: %s: %s', (_, stay, lost) => {
	const [kept, gone] = [stay, lost].map((words) => words.split(' ').filter((word) => word !== '')) as [
		string[],
		string[],
	];
	const size = kept.length + gone.length;
	expect(losers([...kept, ...gone])).toEqual(Object.fromEntries(gone.map((one) => [one, size])));
});

test('what a list added is what its findings moved', () => {
	const explanations = [
		{ signal: 'domain_pattern:fits', effect: 24, text: '' },
		{ signal: 'shape:first.last', effect: 10, text: '' },
		{ signal: 'permutation_set:5', effect: -45, text: '' },
	];
	expect(listEffectOf({ explanations })).toBe(-21);
});

const localPart = fc.oneof(
	fc.constantFrom(...firstDotLast, 'jweber', 'jonas.weber', 'j.weber', 'weberj', 'info', 'xkqzvwpt'),
	fc.constantFrom('__proto__', 'constructor', 'tostring', 'peter', 'schmidt'),
	fc.stringMatching(/^[a-z]{1,6}[._]?[a-z]{1,6}$/),
);
const row: fc.Arbitrary<ListedAddress> = fc.record({
	email: fc
		.tuple(localPart, fc.constantFrom('acme.example', 'other.example', '__proto__', 'constructor'))
		.map(([local, domain]) => `${local}@${domain}`),
	status: fc.constantFrom('deliverable', 'undeliverable', 'risky', 'unknown'),
	catchAll: fc.boolean(),
});
const list = fc.array(row, { maxLength: 60 });
const say = (facts: SourceListFacts, { email }: ListedAddress): unknown => listFindings(email, facts);

describe('whatever the list', () => {
	test('order, repeated rows and letter case change nothing', () => {
		fc.assert(
			fc.property(
				list.chain((rows) =>
					fc.tuple(
						fc.constant(rows),
						fc.shuffledSubarray([...rows, ...rows], { minLength: 2 * rows.length }),
					),
				),
				([rows, shuffled]) => {
					const facts = planListFacts(rows);
					const other = planListFacts(shuffled.map((one) => ({ ...one, email: one.email.toUpperCase() })));
					for (const one of rows) {
						expect(say(other, one)).toEqual(say(facts, one));
						expect(listFindings(one.email.toUpperCase(), facts)).toEqual(say(facts, one));
					}
				},
			),
		);
	});

	test('domains that have nothing to do with it change nothing', () => {
		const unrelated = list.map((rows) =>
			rows.map((one): ListedAddress => ({ ...one, email: `${one.email}.unrelated.example`, catchAll: true })),
		);
		fc.assert(
			fc.property(list, unrelated, (rows, more) => {
				const facts = planListFacts(rows);
				const wider = planListFacts([...more, ...rows]);
				for (const one of rows) expect(say(wider, one)).toEqual(say(facts, one));
			}),
		);
	});

	test('an address says nothing about itself: taken out, its pattern is judged by the others alone', () => {
		fc.assert(
			fc.property(
				fc.uniqueArray(fc.constantFrom(...firstDotLast, 'jweber', 'kmeyer'), { minLength: 1 }),
				(locals) => {
					const [own = '', ...others] = locals;
					const [signal] = listFindings(`${own}@acme.example`, planListFacts(onCatchAll(locals)));
					const same = others.filter((one) => one.includes('.') === own.includes('.')).length;
					const said = `${same} of ${others.length} other`;
					if (others.length < 3) expect(signal).toBeUndefined();
					else expect(signal?.text).toContain(said);
				},
			),
		);
	});
});

test('50,000 people at one domain: done in time, and a few bytes to keep', () => {
	const rows = onCatchAll(
		Array.from({ length: 50_000 }, (_, at) => {
			const [a = 0, b = 0, c = 0, d = 0, e = 0] = Array.from(String(at).padStart(5, '0'), Number);
			return `${FIRST[a]}${FIRST[b]}.${LAST[c]}${LAST[d]}${LAST[e]}`;
		}),
	);
	const facts = planListFacts(rows);
	expect(rows.filter(({ email }) => listFindings(email, facts).length !== 1)).toEqual([]);
	expect(JSON.stringify(facts).length).toBeLessThan(200);
});
