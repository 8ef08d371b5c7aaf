import { describe, expect, test } from 'vitest';
import { parseAddress } from '../../../../src/core/address/parse-address.ts';
import type { Address } from '../../../../src/core/address/parse-address.ts';
import type { SubStatus } from '../../../../src/core/verification/sub-status.ts';
import type { How } from '../../../../src/engine/case.ts';
import type { Urgency } from '../../../../src/core/turns/who.ts';
import { Examination, NOT_DEEP } from '../../../../src/operations/jobs/steps/examine-part.ts';
import { fakeClock } from '../../../support/unit/fake-clock.ts';
import { foundOf, mailAt } from '../../../support/unit/mail-at.ts';

// A part of an account that has nearly used up its free answers of the day.

/** What comes of addresses of one domain; the mail host says nothing of anybody but those that begin with `good`. */
async function examine(names: readonly string[], freeAnswersLeft: number, urgency: Urgency = 'list') {
	const clock = fakeClock();
	const asked: number[] = [];
	const services = {
		clock,
		lookUpMail: () => Promise.resolve(mailAt('mx.x.test')),
		examineAddresses: (addresses: readonly Address[], { mayAsk = true }: How) => {
			if (mayAsk) asked.push(addresses.length);
			const said = (address: Address): SubStatus => {
				if (!mayAsk) return 'free_limit';
				return address.localPart.startsWith('good') ? 'accepted_email' : 'timeout';
			};
			return Promise.resolve(addresses.map((address) => foundOf(address, said(address))));
		},
	};
	const entries = names.map((name, index) => [index, `${name}@x.test`] as const);
	for (const [, email] of entries) expect(parseAddress(email).ok).toBe(true);
	const examination = new Examination(
		services,
		{ accountId: 'acc_1', class: urgency, payer: {}, freeAnswersLeft },
		entries,
		{ ...NOT_DEEP, ownOutcomeOf: () => null },
	);
	await examination.ended;
	const kinds = names.map((_, index) => examination.found.get(index)?.kind);
	return { kinds, asked, begun: clock.now(), found: examination.found };
}

const many = (word: string, count: number): string[] =>
	Array.from({ length: count }, (_, n) => `${word}${n}`);

describe('where free answers run out', () => {
	test('a list asks about no more than may stay without a charge, and waits with the others', async () => {
		const { kinds, asked, begun, found: all } = await examine(many('nobody', 20), 3);
		expect(asked).toEqual([3]);
		expect(kinds).toEqual([...many('', 3).map(() => 'final'), ...many('', 17).map(() => 'later')]);
		const last = all.get(19);
		expect(last?.kind === 'later' && Number(last.until) - begun).toBe(15 * 60_000);
	});

	test('a small job ends, and says so', async () => {
		const { kinds, found: all } = await examine(['nobody'], 0, 'small');
		expect(kinds).toEqual(['final']);
		const row = all.get(0);
		expect(row?.kind === 'final' && row.row[2]).toBe('free_limit');
	});

	test('answers that are charged buy further questions', async () => {
		const { kinds, asked } = await examine(many('good', 20), 1);
		expect(kinds).toEqual(many('', 20).map(() => 'final'));
		expect(asked).toEqual([1, 2, 4, 8, 5]);
	});
});
