import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { planListFacts } from '../../../../src/core/catchall/list/list-facts.ts';
import type { ListedAddress, ListFacts } from '../../../../src/core/catchall/list/list-facts.ts';
import { listSignals } from '../../../../src/core/catchall/list/list-signals.ts';
import { PATTERN_PRIORS } from '../../../../src/core/catchall/list/weights.ts';

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

function decided(good: number, bad: number): ListedAddress[] {
	return Array.from({ length: good + bad }, (_, at) => ({
		email: `someone${at}@plain${at % 7}.example`,
		status: at < good ? 'deliverable' : 'undeliverable',
		catchAll: false,
	}));
}

/** Labels and points of what the list says about an address, as they come out of a blob. */
function found(email: string, list: Iterable<ListedAddress>): Record<string, number> {
	const facts: ListFacts = JSON.parse(JSON.stringify(planListFacts(list)));
	return Object.fromEntries(listSignals(email, facts).map(({ label, points }) => [label, points]));
}

const firstDotLast = PEOPLE.map(([first, last]) => `${first}.${last}`);

describe('the pattern of a domain', () => {
	test('the priors are shares', () => {
		const sum = Object.values(PATTERN_PRIORS).reduce((all, prior) => all + prior, 0);
		expect(sum).toBeCloseTo(1, 10);
	});

	test.each<[string, number, string, Record<string, number>]>([
		// 10·log2(((20 + 4·0.45)/24)/0.45) = 10.1, more than a pattern may say; (0 + 4·0.16)/24 is six times too rare.
		['one that fits', 20, 'jonas.weber', { 'domain_pattern:fits': 10 }],
		['one that does not', 20, 'jweber', { 'domain_pattern:differs': -15 }],
		['three others, and it fits', 3, 'jonas.weber', { 'domain_pattern:fits': 6.08 }],
		['three others, and it does not', 3, 'jweber', { 'domain_pattern:differs': -8.07 }],
		['two others only', 2, 'jonas.weber', {}],
		['no others', 0, 'jonas.weber', {}],
	])('%s (%s others)', (_, peers, localPart, expected) => {
		const list = onCatchAll([...firstDotLast.slice(0, peers), localPart]);
		expect(found(`${localPart}@acme.example`, list)).toEqual(expected);
	});

	test.each(['info', 'noreply', 'test', 'xkqzvwpt', 'deadbeefdeadbeef', '1234'])(
		'%s is no person: not judged by the pattern, and nobody’s peer',
		(localPart) => {
			const list = onCatchAll([...firstDotLast.slice(0, 3), localPart]);
			expect(found(`${localPart}@acme.example`, list)).toEqual({});
			expect(found(`${firstDotLast[0]}@acme.example`, list)).toEqual({});
		},
	);

	test('an address that was refused is no peer', () => {
		const list = onCatchAll(firstDotLast.slice(0, 4)).map((row, at): ListedAddress =>
			at === 3 ? { ...row, status: 'undeliverable' } : row,
		);
		expect(found(`${firstDotLast[0]}@acme.example`, list)).toEqual({});
	});

	test('neither repeated rows, letter case nor plus tags make a peer', () => {
		const [own = '', ...others] = firstDotLast.slice(0, 3);
		const again = [own, own.toUpperCase(), `${own}+news`, ...others, ...others.map((one) => `${one}+x`)];
		expect(found(`${own}@acme.example`, onCatchAll([own, ...others, ...again]))).toEqual({});
	});

	test('the sentence says how many', () => {
		const list = onCatchAll([...firstDotLast.slice(0, 5), 'jweber']);
		const [signal] = listSignals('jweber@acme.example', planListFacts(list));
		expect(signal?.text).toBe('In the list, 0 of 5 other addresses of this domain are written as flast too.');
	});

	test('a domain that refuses unknown mailboxes needs no pattern', () => {
		const list = onCatchAll(firstDotLast).map((row) => ({ ...row, catchAll: false }));
		expect(found(`${firstDotLast[0]}@acme.example`, list)).toEqual({});
	});
});

/** Size of the permutation set that an address is in, or 0. */
function setSize(localPart: string, localParts: Iterable<string>): number {
	const facts = planListFacts(onCatchAll(localParts));
	const label = listSignals(`${localPart}@acme.example`, facts)
		.map((signal) => signal.label)
		.find((one) => one.startsWith('permutation_set:'));
	return label === undefined ? 0 : Number(label.split(':')[1]);
}

describe('several ways to write one name', () => {
	test.each<[string, string, number]>([
		['five', 'peter.schmidt pschmidt peter_schmidt schmidt.peter peterschmidt', 5],
		['with initials on both sides', 'peter.schmidt p.schmidt schmidtp schmidt.p peter.s', 5],
		[
			'all that guessing tools make',
			'peter schmidt peterschmidt peter.schmidt pschmidt p.schmidt peters peter.s schmidt.peter schmidtpeter schmidtp',
			11,
		],
		['unknown names, when they also stand apart', 'unheard.offname unheardoffname uoffname u.offname', 4],
		['initials alone', 'p.oberhuemer poberhuemer oberhuemerp', 3],
		['one word that the dictionary cuts', 'peterschmidt pschmidt p.schmidt', 3],
		['two are no set', 'peter.schmidt pschmidt', 0],
		['namesakes are one way', 'peter.schmidt peter.schmidt2 pschmidt', 0],
		['family is no set', 'peter.schmidt anna.schmidt maria.schmidt', 0],
		['nor is a first name in common', 'peter.schmidt peter.wagner peter.becker peter', 0],
		['strangers', 'anna banna cannab hannah', 0],
	])('%s: %s', (_, list, size) => {
		const localParts = list.split(' ');
		expect(localParts.map((one) => setSize(one, localParts))).toEqual(localParts.map(() => size));
	});

	test('an initial that two people share tells neither from the other', () => {
		const list = ['peter.schmidt', 'paula.schmidt', 'pschmidt', 'p.schmidt', 'schmidtp'];
		expect(list.map((one) => setSize(one, list))).toEqual([0, 0, 3, 3, 3]);
	});

	test.each([
		[3, -15.85],
		[4, -20],
		[5, -23.22],
		[8, -30],
		[9, -30],
	])('a set of %i: %s points', (size, points) => {
		const ways =
			'peter.schmidt pschmidt p.schmidt peter_schmidt schmidt.peter peterschmidt schmidtp peter.s schmidt_peter';
		const list = onCatchAll(ways.split(' ').slice(0, size));
		expect(found('peter.schmidt@acme.example', list)[`permutation_set:${size}`]).toBe(points);
	});

	test('the one that fits the pattern keeps the credit for that', () => {
		const list = onCatchAll([...firstDotLast, 'jonas.weber', 'jweber', 'weber.jonas']);
		expect(found('jonas.weber@acme.example', list)).toMatchObject({ 'domain_pattern:fits': 8.98 });
		expect(found('jweber@acme.example', list)['permutation_set:3']).toBe(-15.85);
	});
});

describe('the quality of a list', () => {
	test.each<[number, number, Record<string, number>]>([
		[49, 0, {}],
		[50, 0, { 'list_quality:good': 8 }],
		[0, 50, { 'list_quality:poor': -12 }],
		// e = (36 + 18)/(50 + 25) = 0.72: as lists usually are.
		[36, 14, { 'list_quality:usual': 0 }],
		[37, 13, { 'list_quality:good': 0.97 }],
		[35, 15, { 'list_quality:poor': -0.94 }],
		[500, 500, { 'list_quality:poor': -12 }],
	])('%i exist, %i do not', (good, bad, expected) => {
		expect(found('peter@acme.example', [...decided(good, bad), ...onCatchAll(['peter'])])).toEqual(expected);
	});

	test('only definite results of domains that refuse unknown mailboxes count, each mailbox once', () => {
		const list = [...decided(49, 0), ...decided(49, 0), ...onCatchAll(['peter'])];
		const more: ListedAddress[] = [
			{ email: 'a@plain1.example', status: 'unknown', catchAll: false },
			{ email: 'b@plain1.example', status: 'risky', catchAll: false },
			{ email: 'SOMEONE1+x@PLAIN1.example', status: 'deliverable', catchAll: false },
			{ email: 'refused@acme.example', status: 'undeliverable', catchAll: true },
			// Contradictory: says nothing.
			{ email: 'c@plain1.example', status: 'deliverable', catchAll: false },
			{ email: 'c@plain1.example', status: 'undeliverable', catchAll: false },
		];
		expect(found('peter@acme.example', [...list, ...more])).toEqual({});
		const one: ListedAddress = { email: 'no address', status: 'undeliverable', catchAll: false };
		expect(found('peter@acme.example', [...list, ...more, one])).toEqual({ 'list_quality:good': 8 });
	});
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
const say = (facts: ListFacts, { email }: ListedAddress): unknown => listSignals(email, facts);

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
						expect(listSignals(one.email.toUpperCase(), facts)).toEqual(say(facts, one));
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
					const [signal] = listSignals(`${own}@acme.example`, planListFacts(onCatchAll(locals)));
					const same = others.filter((one) => one.includes('.') === own.includes('.')).length;
					const said = `${same} of ${others.length} other`;
					if (others.length < 3) expect(signal).toBeUndefined();
					else expect(signal?.text).toContain(said);
				},
			),
		);
	});

	test('points have two decimals, stay in their limits, and survive a blob', () => {
		fc.assert(
			fc.property(
				list,
				fc.integer({ min: 0, max: 200 }),
				fc.integer({ min: 0, max: 200 }),
				(rows, good, bad) => {
					const facts = planListFacts([...rows, ...decided(good, bad)]);
					const stored: ListFacts = JSON.parse(JSON.stringify(facts));
					for (const one of rows) {
						const signals = listSignals(one.email, stored);
						expect(signals).toEqual(say(facts, one));
						expect(new Set(signals.map(({ label }) => label)).size).toBe(signals.length);
						for (const { group, points, text } of signals) {
							const [least, most] = group === 'pattern' ? [-30, 10] : [-12, 8];
							expect(points).toBeGreaterThanOrEqual(least);
							expect(points).toBeLessThanOrEqual(most);
							expect(Math.round(points * 100) / 100).toBe(points);
							expect(text).toMatch(/^[A-Z][^@]*\.$/);
						}
					}
				},
			),
		);
	});
});

test('50,000 people at one domain: done in time, and a few bytes to keep', () => {
	const rows = onCatchAll(
		Array.from({ length: 50_000 }, (_, at) => {
			const [a, b, c, d, e] = Array.from(String(at).padStart(5, '0'), Number) as [
				number,
				number,
				number,
				number,
				number,
			];
			return `${FIRST[a]}${FIRST[b]}.${LAST[c]}${LAST[d]}${LAST[e]}`;
		}),
	);
	const facts = planListFacts(rows);
	expect(rows.filter(({ email }) => listSignals(email, facts).length !== 1)).toEqual([]);
	expect(JSON.stringify(facts).length).toBeLessThan(200);
});
