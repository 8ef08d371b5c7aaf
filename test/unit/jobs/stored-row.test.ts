import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { OpenRow } from '../../../src/core/jobs/open-row.ts';
import {
	decodeRow,
	decodeRows,
	encodeRows,
	giveUp,
	isDeferred,
	judgementOf,
	listEffectIn,
	nextDueAt,
	renderRow,
	tallyRows,
	toScoredRow,
	toStoredRow,
} from '../../../src/core/jobs/stored-row.ts';
import type { PartRow, StoredRow } from '../../../src/core/jobs/stored-row.ts';
import { decidedBy, renderResult, VALIDATION_METHODS } from '../../../src/core/verification/render.ts';
import type { ListFacts, Outcome } from '../../../src/core/verification/render.ts';
import { SUB_STATUSES, isUnknown } from '../../../src/core/verification/sub-status.ts';
import type { SubStatus } from '../../../src/core/verification/sub-status.ts';
import { NO_FACTS } from '../../support/unit/listed-rows.ts';
import { addressOf } from '../../support/unit/mail-servers.ts';

const AT = Date.UTC(2026, 10, 21, 10);
// As long as an index gets.
const INDEX = 49_999;

function makeRow(email: string, outcome: Partial<Outcome> = {}): StoredRow {
	const full = { ...decidedBy('smtp', 'accepted_email'), catchAll: false, ...outcome };
	return toStoredRow(INDEX, addressOf(email), NO_FACTS, full, AT);
}

const subStatuses = fc.constantFrom(...(Object.keys(SUB_STATUSES) as SubStatus[]));
const unknowns = subStatuses.filter(isUnknown);
const addresses = fc
	.constantFrom(
		'info@acme.com',
		'Ada+lists@x.test',
		'"a\\"@b\\\\"@x.test',
		'ädä@bücher.example',
		"o'hara@x.test",
		'用户@例子.广告',
	)
	.map(addressOf);
const words = fc.option(fc.string({ unit: 'grapheme', maxLength: 20 }));
const lists: fc.Arbitrary<ListFacts> = fc.record({
	freeEmail: fc.boolean(),
	roleAccount: fc.boolean(),
	disposable: fc.boolean(),
	noReply: fc.boolean(),
	suggestedDomain: words,
});
const outcomes: fc.Arbitrary<Outcome> = fc
	.record({
		subStatus: subStatuses,
		method: fc.constantFrom(...VALIDATION_METHODS),
		catchAll: fc.option(fc.boolean()),
		catchAllScore: fc.constant(null),
		mxRecord: words,
		implicitMx: words,
		smtpProvider: words,
		gateway: words,
		replyCode: words,
		note: words,
	})
	.map(({ note, ...outcome }) => (note === null ? outcome : { ...outcome, note }));
const times = fc.integer({ min: 0, max: AT * 2 });
const storedRows = fc
	.tuple(fc.nat(50_000), addresses, lists, outcomes, times)
	.map((parts): StoredRow => toStoredRow(...parts));
const deferredRows = fc
	.tuple(fc.nat(50_000), addresses, unknowns, fc.nat(9), times)
	.map(([index, { email }, last, asked, dueAt]): OpenRow => [index, email, null, last, asked, dueAt]);
const rows: fc.Arbitrary<PartRow[]> = fc.array(fc.oneof(storedRows, deferredRows), { maxLength: 20 });

/** A final row, as it is read after it was stored. */
function readBack(stored: PartRow) {
	const [row] = decodeRows(encodeRows([stored]));
	if (row === undefined || isDeferred(row)) throw new Error('a final row was stored');
	return row;
}

test('a row that was stored reads exactly as the answer of a single call', () => {
	fc.assert(
		fc.property(addresses, lists, outcomes, times, (address, facts, outcome, now) => {
			const row = readBack(toStoredRow(7, address, facts, outcome, now));
			expect(renderRow(row)).toStrictEqual(renderResult(address, facts, outcome, now));
		}),
	);
});

test('rows are read as they were written, one a line, whatever they hold', () => {
	fc.assert(
		fc.property(rows, (list) => {
			const text = encodeRows(list);
			expect(decodeRows(text)).toEqual(list);
			expect(Buffer.byteLength(text)).toBe(text.length);
			expect(text === '' ? [] : text.split('\n').map(decodeRow)).toEqual(list);
		}),
	);
});

describe('a row that its list resolved itself', () => {
	const decided = makeRow('ada@x.test', { subStatus: 'catch_all_valid', catchAll: true });

	test('keeps by how many points its neighbours moved the score, and reads as a single call else', () => {
		const row = readBack(toScoredRow(decided, 91, -6));
		expect(listEffectIn(row)).toBe(-6);
		expect(judgementOf(row)).toBeNull();
		expect(renderRow(row)).toStrictEqual(renderRow(toScoredRow(decided, 91)));
		expect(encodeRows([row]).length - encodeRows([decided]).length).toBeLessThanOrEqual(8);
	});

	test('without neighbours names none', () => {
		for (const row of [toScoredRow(decided, 91, 0), toScoredRow(decided, 91), decided]) {
			expect(readBack(row)).toHaveLength(row === decided ? 14 : 15);
			expect(listEffectIn(readBack(row))).toBe(0);
		}
	});
});

test.each([
	['greylisted', 'smtp'],
	['dns_error', 'dns'],
] as const)(
	'an address that waits is told its last answer, %s, when it is given up, as heard from %s',
	(last, method) => {
		const facts = { ...NO_FACTS, roleAccount: true, suggestedDomain: 'gmail.com' };
		const row = giveUp([3, 'ada@x.test', null, last, 1, 60], facts, AT);
		expect(row[0]).toBe(3);
		expect(renderRow(row)).toStrictEqual(
			renderResult(addressOf('ada@x.test'), facts, decidedBy(method, last), AT),
		);
	},
);

describe('the tally', () => {
	test('counts catch-all rows beside their status', () => {
		const list = [
			makeRow('a@x.test'),
			makeRow('b@x.test', { subStatus: 'catch_all', catchAll: true }),
			makeRow('c@x.test', { subStatus: 'catch_all_invalid', catchAll: true }),
			makeRow('d@x.test', { subStatus: 'timeout', catchAll: null }),
			[4, 'e@x.test', null, 'greylisted', 0, 0] as const,
		];
		expect(tallyRows(list)).toEqual({
			...{ deliverable: 1, undeliverable: 1, risky: 1, unknown: 1, catchAll: 2 },
			deferred: 1,
			free: 1,
			retry: 1,
		});
	});

	test('counts every row once, and as retry those whose action that is', () => {
		fc.assert(
			fc.property(rows, (list) => {
				const { deliverable, undeliverable, risky, unknown, deferred, retry } = tallyRows(list);
				expect(deliverable + undeliverable + risky + unknown + deferred).toBe(list.length);
				const rendered = list.filter((row) => !isDeferred(row)).map((row) => renderRow(row));
				expect(retry).toBe(rendered.filter(({ action }) => action === 'retry').length);
			}),
		);
	});
});

test('of a small job the next address is asked when the first of those that wait is due', () => {
	fc.assert(
		fc.property(rows, (list) => {
			const dueAts = list.filter(isDeferred).map((row) => row[5]);
			expect(nextDueAt(list, true)).toBe(dueAts.length === 0 ? null : Math.min(...dueAts));
		}),
	);
});

test('a list asks together about addresses that are due within a minute, and keeps none waiting longer', () => {
	const dueAt = (at: number): OpenRow => [1, 'ada@x.test', null, 'no_capacity', 0, at];
	expect(nextDueAt([90_000, 10_000, 69_000, 12_000].map(dueAt), false)).toBe(69_000);
	expect(nextDueAt([10_000, 70_000].map(dueAt), false)).toBe(70_000);
	expect(nextDueAt([10_000, 70_001].map(dueAt), false)).toBe(10_000);
});

test.each([
	'',
	'{}',
	'[]',
	'[1,"a@x.test"]',
	'[1,"a@x.test",null,"greylisted",0]',
	'[1,"a@x.test",null,"accepted_email"]',
	'[1,"a@x.test",null,"toString"]',
	'[0.5,"a@x.test",null,"greylisted"]',
	'["1","a@x.test",null,"greylisted"]',
	'[1,null,null,"greylisted"]',
	'[1,"a@x.test","accepted_email","smtp",false,0,null,null,null,null,null,null,null]',
	'[1,"a@x.test","no_such_word","smtp",false,0,null,null,null,null,null,null,null,0]',
])('what is no row is not read as one: %s', (line) => {
	expect(() => decodeRow(line)).toThrow();
});

test('typical rows are small: at most 160 bytes at the median, and none over 256', () => {
	const microsoft = { mxRecord: 'contoso-com.mail.protection.outlook.com', smtpProvider: 'microsoft' };
	const proofpoint = { mxRecord: 'mxa-00148501.gslb.pphosted.com', gateway: 'proofpoint' };
	const typical = (
		[
			['jane.doe@gmail.com', 'accepted_email', '250 2.1.5', { mxRecord: 'gmail-smtp-in.l.google.com' }],
			['firstname.lastname@contoso.com', 'rejected_email', '550 5.4.1', microsoft],
			['firstname.lastname@contoso.com', 'catch_all', '250 2.1.5', { ...microsoft, catchAll: true }],
			['sales@a-company-with-a-long-name.example', 'gateway_protected', '550 5.7.1', proofpoint],
			['ada@smallbusiness.de', 'greylisted', '450 4.2.0', { mxRecord: 'mx01.kundenserver.de' }],
			['bob@no-such-domain.example', 'invalid_domain', null, { method: 'dns', catchAll: null }],
			['x1234@mailinator.com', 'disposable', null, { method: 'list', catchAll: null }],
		] as const
	).map(([email, subStatus, replyCode, more]) => makeRow(email, { subStatus, replyCode, ...more }));
	const lengths = typical
		.map((row) => new TextEncoder().encode(encodeRows([row])).length)
		.toSorted((a, b) => a - b);
	expect(lengths[Math.floor(lengths.length / 2)]).toBeLessThanOrEqual(160);
	expect(lengths.at(-1)).toBeLessThanOrEqual(256);
});
