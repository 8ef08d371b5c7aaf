import { describe, expect, test } from 'vitest';
import { ANSWERS, mistypedWordOf, testWordOf } from '../../../src/core/test-keys/words.ts';
import { STATUSES, SUB_STATUSES, statusOf, verdictOf } from '../../../src/core/verification/sub-status.ts';
import type { SubStatus } from '../../../src/core/verification/sub-status.ts';
import { ALONE } from '../../../src/engine/case.ts';
import { examinedOf } from '../../../src/operations/verify/verify.ts';
import type { Services } from '../../../src/services.ts';
import { servicesOfTestKeys } from '../../../src/test-key-services.ts';
import { expectSums } from '../../support/sums.ts';
import { virtualClock } from '../../support/unit/virtual-clock.ts';
import { addressOf as parsed } from '../../support/unit/mail-servers.ts';

const addressOf = (localPart: string) => parsed(`${localPart}@test.mailsonar.example`);

const servicesWith = (clock: ReturnType<typeof virtualClock>): Services =>
	servicesOfTestKeys({ clock } as unknown as Services);

const termsOf = (localParts: readonly string[]) =>
	servicesWith(virtualClock()).termsOf?.(localParts.map((localPart) => `${localPart}@x.example`));

async function answerTo(word: string) {
	const clock = virtualClock();
	const address = addressOf(word);
	const found = clock.run(servicesWith(clock).examineAddresses([address], { ...ALONE, asker: null }));
	return examinedOf(address, await found, clock.now());
}

async function rowOf(word: string, deep: 'never' | 'catch_all' | 'always') {
	const clock = virtualClock();
	const how = { asker: null, class: 'list', deep } as const;
	const [findings] = await servicesWith(clock).examineAddresses([addressOf(word)], how);
	return findings ?? null;
}

describe('a word', () => {
	const MEANINGLESS = ['ada', 'slow2', 'toString', '__proto__', 'hasownproperty'];
	test.each([...Object.keys(SUB_STATUSES), ...MEANINGLESS])(
		'%s is answered with itself, if it means anything',
		async (word) => {
			const { result } = await answerTo(word);
			const subStatus = MEANINGLESS.includes(word) ? 'accepted_email' : (word as SubStatus);
			expect([result.details.sub_status, result.status]).toEqual([subStatus, statusOf(subStatus)]);
		},
	);

	test.each(STATUSES)('%s is answered with that status', async (status) => {
		expect((await answerTo(status)).result.status).toBe(status);
	});

	test.each(['proofpoint', 'cisco'])('%s is a gateway', async (gateway) => {
		const { result } = await answerTo(gateway);
		expect([result.status, result.details.mail_server.gateway]).toEqual(['deliverable', gateway]);
	});

	test.each([
		['valid', 'deliverable', 'valid'],
		['invalid', 'undeliverable', 'invalid'],
		['catch_all_unresolved', 'unknown', 'unknown'],
	])('%s is the verdict on a catch-all domain', async (word, status, verdict) => {
		const { result, breakdown } = await answerTo(word);
		expect(result).toMatchObject({
			status,
			catch_all_verdict: verdict,
			details: { attributes: { catch_all: true } },
		});
		expectSums({ email: '', score: result.catch_all_score ?? 0, breakdown: breakdown! });
	});

	test.each(['rejcted_email', 'Rejected-Email+17', 'undeliverabel', 'mailboxfull', 'fail', 'no_such_word'])(
		'%s was meant for another one, so it is refused with the list of them',
		async (word) => {
			const refusal = { code: 'invalid_parameter', message: expect.stringContaining('rejected_email, ') };
			await expect(answerTo(word)).rejects.toMatchObject(refusal);
		},
	);

	test('is looked at so closely at the domain of the examples alone', () => {
		expect(mistypedWordOf('rejcted_email@example.com')).toBeNull();
		expect(mistypedWordOf('rejcted_email@test.mailsonar.example')).toBe('rejcted_email');
	});

	test.each([
		['Rejected_Email', 'rejected_email'],
		['fails+a+b', 'fails'],
		['+x', ''],
	])('%s is read as %s', (localPart, word) => {
		expect(testWordOf(localPart)).toBe(word);
	});

	test('has one meaning', () => {
		expect(ANSWERS.get('unknown')?.subStatus).toBe('timeout');
		expect(new Set(ANSWERS.keys()).size).toBe(ANSWERS.size);
	});
});

test.each([
	['valid', 'never', 'catch_all', null],
	['valid', 'catch_all', 'catch_all_valid', 'valid'],
	['valid', 'always', 'catch_all_valid', 'valid'],
	['catch_all_invalid', 'never', 'catch_all', null],
	['catch_all', 'never', 'catch_all', null],
	['catch_all', 'always', 'catch_all_unresolved', 'unknown'],
	['rejected_email', 'never', 'rejected_email', null],
	['rejected_email', 'always', 'catch_all_invalid', 'invalid'],
] as const)('in a list %s, with the deeper check %s, is %s', async (word, deep, subStatus, verdict) => {
	const row = await rowOf(word, deep);
	const { judgement = null, outcome } = row ?? {};
	const found = judgement && verdictOf(judgement.score);
	expect([outcome?.subStatus, found]).toEqual([subStatus, verdict]);
});

test('slow takes twenty seconds, alone and in a list', async () => {
	const clock = virtualClock();
	const begun = clock.now();
	const services = servicesWith(clock);
	await clock.run(services.examineAddresses([addressOf('slow')], { ...ALONE, asker: null }));
	expect(clock.now()).toBe(begun + 20_000);
	const list = [addressOf('ada'), addressOf('slow+2')];
	await clock.run(services.examineAddresses(list, { asker: null, class: 'list', deep: 'never' }));
	expect(clock.now()).toBe(begun + 40_000);
});

describe('a refusal', () => {
	test.each([
		['402', 'insufficient_credits'],
		['429', 'rate_limited'],
		['503', 'upstream_unavailable'],
	])('%s is asked for by its status', async (word, code) => {
		await expect(answerTo(word)).rejects.toMatchObject({ code });
		expect(() => termsOf(['ada', `${word}+1`])).toThrow(expect.objectContaining({ code }));
	});

	test.each([[['ada']], [['404']], [['4029', 'x402']], [[]]])('is not asked for by %j', (localParts) => {
		expect(() => termsOf(localParts)).not.toThrow();
	});
});
