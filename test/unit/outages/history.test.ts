import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
	GIANTS_MIN,
	NO_HISTORY,
	UNRELATED_MIN,
	blame,
	addContact,
} from '../../../src/core/outages/history.ts';
import type { Contact, WayOutHistory } from '../../../src/core/outages/history.ts';

const SECOND_MS = 1_000;

/** One attempt a second, each at another party, answered at once: `+` worked, `-` failed, `G` failed at a giant's. */
function contactsOf(marks: string, from = 0): Contact[] {
	return marks.split('').map((mark, n) => ({
		parties: [`p${from + n}.test`],
		isGiant: mark === 'G',
		begun: (from + n) * SECOND_MS,
		at: (from + n) * SECOND_MS + 10,
		worked: mark === '+',
	}));
}

const seen = (contacts: readonly Contact[], before = NO_HISTORY): WayOutHistory =>
	contacts.reduce(addContact, before);
const blamed = (history: WayOutHistory, contacts: readonly Contact[]): string[] =>
	contacts.filter(({ worked }) => !worked).map((contact) => blame(history, contact));

describe('a failure is', () => {
	test.each([
		['the one dead server among those that live', '+++-+++', ['theirs']],
		['one of many that are dead here and there', '-+--+-+---+', Array.from({ length: 7 }, () => 'theirs')],
		['one fewer than an outage has', '+'.repeat(9) + '-'.repeat(UNRELATED_MIN - 1), UNRELATED_MIN - 1],
		['one of a dozen giants that are dead here and there', 'G+'.repeat(12), 12],
	])("the recipient's: %s", (_, marks, expected) => {
		const contacts = contactsOf(marks);
		const all = typeof expected === 'number' ? Array.from({ length: expected }, () => 'theirs') : expected;
		expect(blamed(seen(contacts), contacts)).toEqual(all);
	});

	test.each([
		['as many in a row as an outage has', '+++' + '-'.repeat(UNRELATED_MIN), 'perhaps_ours'],
		['with too few giants among them to be sure', 'GG' + '-'.repeat(UNRELATED_MIN), 'perhaps_ours'],
		['with so many giants that no customer can have made it up', 'GGG' + '-'.repeat(UNRELATED_MIN), 'ours'],
		['with one success that came through', '-----+---------', 'perhaps_ours'],
	])('perhaps ours, or surely: %s', (_, marks, expected) => {
		const contacts = contactsOf(marks);
		const verdicts = blamed(seen(contacts), contacts);
		expect(verdicts.slice(-UNRELATED_MIN)).toEqual(Array.from({ length: UNRELATED_MIN }, () => expected));
		expect(GIANTS_MIN).toBe(3);
	});
});

describe('an outage', () => {
	test('covers its first failures as well, once it is known to be one', () => {
		const contacts = contactsOf('++++++' + '-'.repeat(30) + '++');
		expect(new Set(blamed(seen(contacts), contacts))).toEqual(new Set(['perhaps_ours']));
	});

	test('is over with the first success, however long it was, and says nothing of what fails later', () => {
		const outage = contactsOf('-'.repeat(500));
		const after = contactsOf('+-++-', 500);
		const history = seen([...outage, ...after]);
		expect(blamed(history, after)).toEqual(['theirs', 'theirs']);
		expect(new Set(blamed(history, outage))).toEqual(new Set(['perhaps_ours']));
	});

	test('is distinct from another one an hour later, with no contacts in between', () => {
		const first = seen(contactsOf('-'.repeat(UNRELATED_MIN - 1)));
		const later = contactsOf('-'.repeat(UNRELATED_MIN - 1), 3_600);
		expect(new Set(blamed(seen(later, first), later))).toEqual(new Set(['theirs']));
	});
});

test.each([
	['hosts of one owner', (n: number) => ['shop.test', `192.0.2.${n}`]],
	['one server under many names', (n: number) => [`shop${n}.test`, '192.0.2.1']],
])('a hundred failures at %s are one', (_, partiesOf) => {
	const contacts = contactsOf('-'.repeat(100)).map((contact, n) => ({
		...contact,
		parties: partiesOf(n),
	}));
	expect(new Set(blamed(seen(contacts), contacts))).toEqual(new Set(['theirs']));
});

test('the slow and dead ones that a list ends with are no outage: others were reached while they were waited for', () => {
	const living = contactsOf('+'.repeat(10));
	const dead = contactsOf('-'.repeat(20), 10).map((contact) => ({ ...contact, begun: 8 * SECOND_MS }));
	expect(new Set(blamed(seen([...living, ...dead]), dead))).toEqual(new Set(['theirs']));
});

test('a flood of dead servers is no outage while others are reached, however many are dead', () => {
	// A dead server every five milliseconds, and a live one every four tenths of a second.
	const flood = Array.from({ length: 2_000 }, (_, n): Contact => {
		const worked = n % 80 === 0;
		return { parties: [`p${n}.test`], isGiant: false, begun: n * 5, at: n * 5 + 2, worked };
	});
	expect(new Set(blamed(seen(flood), flood))).toEqual(new Set(['theirs']));
	const alone = flood.filter(({ worked }) => !worked);
	expect(new Set(blamed(seen(alone), alone))).toEqual(new Set(['perhaps_ours']));
});

test('a party that we wait for when an outage begins is not blamed for it', () => {
	const before = contactsOf('++++++++++');
	const waitedFor = { parties: ['slow.test'], isGiant: false, begun: 8_900, at: 9_500, worked: false };
	const during = contactsOf('-'.repeat(UNRELATED_MIN), 10);
	const history = seen([...before, waitedFor, ...during]);
	expect(blame(history, waitedFor)).toBe('perhaps_ours');
	expect(blame(history, { begun: 7_000, at: 7_900 })).toBe('theirs');
});

test('a party that we wait for when an outage ends is not blamed for it', () => {
	const during = contactsOf('-'.repeat(20));
	const after = contactsOf('+++++', 20);
	const waitedFor = { begun: 15 * SECOND_MS, at: 25 * SECOND_MS };
	expect(blame(seen([...during, ...after]), waitedFor)).toBe('perhaps_ours');
});

const marks = fc.constantFrom('+', '-', 'G');

test('a way out that leads somewhere every other time is never out, whatever fails in between', () => {
	fc.assert(
		fc.property(fc.array(fc.constantFrom('-', 'G'), { maxLength: 100 }), (failures) => {
			const contacts = contactsOf(failures.flatMap((mark) => [mark, '+']).join(''));
			expect(blamed(seen(contacts), contacts)).not.toContain('ours');
			expect(blamed(seen(contacts), contacts)).not.toContain('perhaps_ours');
		}),
	);
});

test('without three giants among the failures nothing is surely ours, however they were caused', () => {
	fc.assert(
		fc.property(fc.array(fc.constantFrom('-', '+'), { maxLength: 200 }), (history) => {
			const contacts = contactsOf(['G', 'G', ...history].join(''));
			expect(blamed(seen(contacts), contacts)).not.toContain('ours');
		}),
	);
});

test('one giant that fails again and again is one, however many others fail in between', () => {
	const contacts = contactsOf(`G${'-'.repeat(70)}`.repeat(4)).map((contact) =>
		contact.isGiant ? { ...contact, parties: ['giant.test'] } : contact,
	);
	expect(new Set(blamed(seen(contacts), contacts))).toEqual(new Set(['perhaps_ours']));
});

test('what is remembered stays small, whatever is seen', () => {
	fc.assert(
		fc.property(fc.array(marks, { maxLength: 500 }), (history) => {
			const { run, outages } = seen(contactsOf(history.join('')));
			expect(run?.parties.size ?? 0).toBeLessThanOrEqual(65);
			expect(outages.length).toBeLessThanOrEqual(16);
		}),
	);
});
