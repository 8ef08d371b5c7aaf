import { describe, expect, test } from 'vitest';
import { encodeRows } from '../../../../src/core/jobs/stored-row.ts';
import type { PartRow } from '../../../../src/core/jobs/stored-row.ts';
import { findSlowed } from '../../../../src/operations/jobs/find-slowed.ts';
import type { JobRecord } from '../../../../src/operations/jobs/port.ts';
import type { WireState } from '../../../../src/wire/prober-state.ts';
import { PLAIN_JOB } from '../../../support/plain-job.ts';
import { storedRow } from '../../../support/unit/listed-rows.ts';

const open = (index: number, email: string, asked = 0): PartRow => [
	index,
	email,
	null,
	'no_capacity',
	asked,
	9,
];
const GUESSED: readonly PartRow[] = [
	storedRow(0, 'ada@acme.test', 'rejected_email'),
	...[1, 2, 3].map((index) => open(index, `n${index}@acme.test`)),
	open(4, 'bob@other.test'),
];
const guesser: WireState['guessers'][number] = {
	asker: 'acc_1',
	domain: 'acme.test',
	since: 1,
	asked: 301,
	unknown: 299,
	perMinute: 12,
};

/** What the page of a running list reads of its newest part, and how often the probers were asked. */
async function movingOf(
	rows: readonly PartRow[],
	guessers: WireState['guessers'],
	more: Partial<JobRecord> = {},
) {
	const job = { ...PLAIN_JOB, accepted: 1_000, processed: 16, waiting: 80, ...more };
	let asked = 0;
	const services = {
		accounts: () => ({ newestPart: () => Promise.resolve({ part: 2, attempt: 7 }) }),
		jobBlobs: { readAttempt: () => Promise.resolve(encodeRows(rows)) },
		probers: {
			states: () => {
				asked += 1;
				return Promise.resolve([
					{ prober: 'a', silent: 'silent' },
					{ prober: 'b', state: { guessers } },
				]);
			},
		},
	} as unknown as Parameters<typeof findSlowed>[0];
	return { slowed: await findSlowed(services, { accountId: 'acc_1' }, { job }), proberAsked: asked };
}

describe('a list that our guard against guessing slows', () => {
	test('is known by its domain, with the names that do not exist and the pace', async () => {
		const { slowed } = await movingOf(GUESSED, [guesser]);
		expect(slowed).toEqual({ domain: 'acme.test', asked: 301, unknown: 299, perMinute: 12, open: 738 });
	});

	test('has as many addresses waiting for it as other parts are like this one', async () => {
		expect((await movingOf(GUESSED, [guesser], { processed: 700 })).slowed?.open).toBe(225);
		expect((await movingOf(GUESSED, [guesser], { processed: 998 })).slowed?.open).toBe(3);
	});

	test.each<[string, WireState['guessers']]>([
		['another account', [{ ...guesser, asker: 'acc_2' }]],
		['another domain', [{ ...guesser, domain: 'else.test' }]],
		['nobody', []],
	])('is not one whose prober slows %s', async (_, guessers) => {
		expect((await movingOf(GUESSED, guessers)).slowed).toBeNull();
	});

	test.each<[string, readonly PartRow[], Partial<JobRecord>]>([
		['every mailbox exists so far', GUESSED.slice(1), {}],
		['its servers put us off', [GUESSED[0]!, open(1, 'n1@acme.test', 1)], {}],
		['nothing waits', GUESSED, { waiting: 0 }],
		['it has ended', GUESSED, { status: 'completed' }],
	])('is none where %s, and no prober is asked', async (_, rows, more) => {
		expect(await movingOf(rows, [guesser], more)).toMatchObject({ slowed: null, proberAsked: 0 });
	});
});
