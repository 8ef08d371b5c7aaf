import { describe, expect, test } from 'vitest';
import type { Asked, Question } from '../../../src/wire/prober.ts';
import { lateAnswers } from '../../../src/prober/late-answers.ts';
import { readSession } from '../../../src/core/verification/interpret-session.ts';
import { NO_SUCH_USER, OK } from '../../support/unit/mail-servers.ts';
import { makeQuestion } from '../../support/unit/question.ts';
import { makeReport, wordsIn } from '../../support/unit/session-report.ts';

// The answer to a question whose caller has left: the next question of the same account gets it, once.

const MINUTE_MS = 60_000;

function answerThat(kind: 'accepted' | 'unknown', invented: 'accepted' | 'rejected' = 'rejected'): Asked {
	const report = makeReport({
		target: kind === 'accepted' ? OK : '450 4.7.1 Greylisted',
		invented: [invented === 'accepted' ? OK : NO_SUCH_USER],
	});
	const { interpretation } = readSession(report, null).targets[0]!;
	const heard = {
		kind: 'heard',
		host: 'mx.x.test',
		viaBackup: false,
		interpretation,
	} as const;
	return {
		answers: [{ ...heard, words: wordsIn(report), readings: [], secured: false }],
		evidence: [{ step: 'connect', at: 1, text: 'connected' }],
		recipients: 2,
	};
}

function world() {
	const clock = { now: 1_000_000 };
	const kept = lateAnswers(() => clock.now);
	const asked: PromiseWithResolvers<Asked>[] = [];
	const ask = (about: Partial<Question> = {}): Promise<Asked> => {
		const question = makeQuestion({ deadline: clock.now + 15_000, ...about });
		return kept(question, () => {
			const asking = Promise.withResolvers<Asked>();
			asked.push(asking);
			return asking.promise;
		});
	};
	/** A question that ends two seconds later, when its caller had a second. */
	const askAndLeave = async (kind: 'accepted' | 'unknown' = 'accepted') => {
		const asking = ask({ paysUntil: clock.now + 1_000 });
		clock.now += 2_000;
		asked.at(-1)!.resolve(answerThat(kind));
		return asking;
	};
	return { clock, asked, ask, askAndLeave };
}

describe('an answer that came when its caller had left', () => {
	test('is for the next question of the account about the address, once, and tells nothing twice of what it took', async () => {
		const { asked, ask, askAndLeave } = world();
		const first = await askAndLeave();
		expect(await ask()).toEqual({ ...first, recipients: 0 });
		expect(asked).toHaveLength(1);
		void ask();
		expect(asked).toHaveLength(2);
	});

	test('is for nobody else, about no other address, and for no list', async () => {
		const { asked, ask, askAndLeave } = world();
		await askAndLeave();
		const others: Partial<Question>[] = [
			{ asker: 'acc_2' },
			{ asker: null },
			{ targets: ['bob@x.test'] },
			{ class: 'list' },
			{ targets: ['ada@x.test', 'bob@x.test'] },
		];
		for (const other of others) void ask(other);
		expect(asked).toHaveLength(1 + others.length);
	});

	test.each([
		['accepted', 10 * MINUTE_MS],
		['unknown', MINUTE_MS],
	] as const)('is kept for a while: %s for %i ms', async (kind, ms) => {
		const { clock, asked, ask, askAndLeave } = world();
		await askAndLeave(kind);
		clock.now += ms - 1;
		await ask({ paysUntil: clock.now });
		expect(asked).toHaveLength(1);
		clock.now += ms;
		void ask();
		expect(asked).toHaveLength(2);
	});

	test('is no longer kept by callers who leave again and again', async () => {
		const { clock, asked, ask, askAndLeave } = world();
		await askAndLeave();
		for (let minute = 0; minute < 11; minute += 1) {
			clock.now += MINUTE_MS;
			void ask({ paysUntil: clock.now });
			await Promise.resolve();
		}
		expect(asked).toHaveLength(2);
	});

	test('that tells no steps is not for a caller who wants them', async () => {
		const { clock, asked, ask } = world();
		const bare = ask({ paysUntil: clock.now + 1_000 });
		const explained = ask({ explain: true });
		asked[0]?.resolve({ ...answerThat('accepted'), evidence: [] });
		expect((await bare).evidence).toEqual([]);
		await Promise.resolve();
		asked[1]?.resolve(answerThat('accepted'));
		expect((await explained).evidence).toHaveLength(1);
	});

	test('stays for the one after, where the next caller had left as well', async () => {
		const { clock, asked, ask } = world();
		const first = ask({ paysUntil: clock.now + 1_000 });
		const second = ask({ paysUntil: clock.now + 1_500 });
		clock.now += 2_000;
		asked[0]?.resolve(answerThat('accepted'));
		await Promise.all([first, second]);
		expect((await ask()).recipients).toBe(0);
		expect(asked).toHaveLength(1);
	});
});

test('a question waits for the answer to the one before, whose caller has left', async () => {
	const { clock, asked, ask } = world();
	const first = ask({ paysUntil: clock.now + 1_000 });
	clock.now += 2_000;
	const second = ask();
	asked[0]?.resolve(answerThat('accepted'));
	expect((await second).answers).toEqual((await first).answers);
	expect(asked).toHaveLength(1);
	void ask();
	expect(asked).toHaveLength(2);
});

test('an answer about a catch-all is kept where its judgement may take longer than the caller waits', async () => {
	const { clock, asked, ask } = world();
	const about = async (waitsMs: number, question: number): Promise<void> => {
		const asking = ask({ paysUntil: clock.now + waitsMs });
		asked[question]?.resolve(answerThat('accepted', 'accepted'));
		await asking;
	};
	await about(5_000, 0);
	const next = ask();
	expect(asked).toHaveLength(1);
	await next;
	await about(10_000, 1);
	void ask();
	expect(asked).toHaveLength(3);
});

test('an answer that comes in time is kept for nobody, and a failure neither', async () => {
	const { clock, asked, ask } = world();
	const inTime = ask({ paysUntil: clock.now + 1_000 });
	asked[0]?.resolve(answerThat('accepted'));
	await inTime;
	const failed = ask({ paysUntil: clock.now });
	asked[1]?.reject(new Error('no way out'));
	await expect(failed).rejects.toThrow('no way out');
	void ask();
	expect(asked).toHaveLength(3);
});
