import { expect, test } from 'vitest';
import type { Asked, Question, QuestionHost } from '../../../src/wire/prober.ts';
import { fakeClock } from '../../support/unit/fake-clock.ts';
import { fakeDialer } from '../../support/unit/fake-dialer.ts';
import type { Fate } from '../../support/unit/fake-dialer.ts';
import { fakeProber } from '../../support/unit/fake-prober.ts';
import { catchAllServer, NO_SUCH_USER, OK, serverSaying } from '../../support/unit/mail-servers.ts';
import { makeQuestion } from '../../support/unit/question.ts';

// One question about a domain, of which the answer is all that comes back: whoever holds the conversations may sit on
// another machine.
const hostAt = (name: string, ...addresses: readonly string[]): QuestionHost => ({
	name,
	addresses,
	failed: false,
});
const GOOGLE = hostAt('aspmx.l.google.com', '8.8.8.1');
const BACKUP = hostAt('backup.test', '8.8.8.2');

async function askAt(fates: readonly Fate[], changes: Partial<Question> = {}): Promise<Asked> {
	const clock = fakeClock();
	const question = makeQuestion({
		hosts: [GOOGLE, BACKUP],
		invented: { first: 'qzx@x.test', further: ['a.b@x.test', 'c2@x.test'] },
		deep: 'catch_all',
		explain: true,
		deadline: clock.now() + 15_000,
		...changes,
	});
	const dialer = fakeDialer(clock, { '8.8.8.1': fates });
	return fakeProber({ clock, dialer }).ask(question);
}

test('the answer tells the hosts that were tried, and every conversation, in their order', async () => {
	const asked = await askAt([['> 421 too busy'], serverSaying(OK, NO_SUCH_USER)]);
	const steps = asked.evidence.filter(({ step }) => step === 'connect' || step === 'rule');
	expect(steps.map(({ step, rule }) => (rule === 'wait' ? 'wait' : step))).toEqual([
		'connect',
		'rule',
		'connect',
		'wait',
		'connect',
		'rule',
	]);
});

test.each<[string, readonly Fate[], number]>([
	['the address and one of the invented ones', [serverSaying(OK, NO_SUCH_USER)], 2],
	['the address and all three', [catchAllServer()], 4],
	['none, at a host that is too busy', [['> 421 too busy'], ['> 421 too busy']], 0],
	['nobody, by a host that falls silent', [serverSaying(OK, OK).slice(0, -3)], 0],
])('recipients count that were replied to: %s', async (_, fates, recipients) => {
	expect((await askAt(fates)).recipients).toBe(recipients);
});
