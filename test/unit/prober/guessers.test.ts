import { describe, expect, test } from 'vitest';
import type { Question } from '../../../src/engine/question.ts';
import { answerQuestion } from '../../../src/prober/answer-question.ts';
import { Guessers } from '../../../src/prober/guessers.ts';
import { fakeClock } from '../../support/unit/fake-clock.ts';
import { plainConversations } from '../../support/unit/fake-prober.ts';
import { PUBLIC_ONLY } from '../../support/unit/fake-resolver.ts';
import { NO_MEMORY } from '../../support/unit/fake-standing.ts';
import { NO_SUCH_USER, OK } from '../../support/unit/mail-servers.ts';
import { modelDialer } from '../../support/unit/model-server.ts';

const MINUTE_MS = 60_000;

/** A prober, and a server that knows those whose names begin with `good`. */
function makeWorld() {
	const clock = fakeClock();
	const says = (recipient: string): string => (recipient.startsWith('good') ? OK : NO_SUCH_USER);
	const dialer = modelDialer(clock, { says });
	const conversations = plainConversations(clock, dialer);
	const guessers = new Guessers();
	const memory = { standing: NO_MEMORY, guessers };
	const ports = { clock, random: () => 0.5, dialer, ...memory, conversations, addressPolicy: PUBLIC_ONLY };
	const ask = (names: readonly string[], changes: Partial<Question> = {}) => {
		const { domain = 'acme.test' } = changes;
		return answerQuestion(ports, {
			domain,
			hosts: [{ name: `mx.${domain}`, addresses: ['8.8.8.1'], failed: false }],
			implicit: false,
			targets: names.map((name) => `${name}@${domain}`),
			needsSmtputf8: false,
			invented: null,
			deep: 'never',
			fresh: false,
			asker: 'acc_1',
			class: 'list',
			deadline: clock.now() + 60_000,
			...changes,
		});
	};
	const kinds = async (...asking: Parameters<typeof ask>) =>
		(await ask(...asking)).answers.map((answer) => answer?.kind);
	return { clock, guessers, ask, kinds };
}

const names = (word: string, count: number): string[] =>
	Array.from({ length: count }, (_, n) => `${word}${n}`);

describe('an account that guesses mailboxes of a domain', () => {
	test('is slowed there and not refused: a few at a time, the others at the moment they are told', async () => {
		const { clock, ask, guessers } = makeWorld();
		await ask(names('guess', 150));
		expect(guessers.slowed(clock.now())).toMatchObject([
			{ asker: 'acc_1', domain: 'acme.test', asked: 150, unknown: 150, perMinute: 20 },
		]);
		const begun = clock.now();
		const { answers } = await ask(names('more', 50));
		const heard = answers.filter((answer) => answer?.kind === 'heard').length;
		expect(heard).toBe(7);
		const untils = answers.flatMap((answer) => (answer?.kind === 'postponed' ? [answer.until] : []));
		expect(untils).toHaveLength(43);
		expect(Math.min(...untils) - begun).toBe((7 * MINUTE_MS) / 20);
		// Too early: nobody is asked.
		const early = await ask(names('more', 50));
		expect(new Set(early.answers.map((answer) => answer?.kind))).toEqual(new Set(['postponed']));
		clock.advance(Math.min(...untils) - clock.now());
		const later = await ask(names('more', 50));
		expect(later.answers.filter((answer) => answer?.kind === 'heard')).toHaveLength(7);
	});

	test('who waits for the answer waits for a turn if there is time, and is told otherwise', async () => {
		const { clock, ask, kinds } = makeWorld();
		await ask(names('guess', 150));
		await ask(names('more', 1), { class: 'single' });
		const begun = clock.now();
		expect(await kinds(['good'], { class: 'single' })).toEqual(['heard']);
		expect(clock.now() - begun).toBe(3_000);
		expect(await kinds(['good'], { class: 'single', deadline: clock.now() + 5_000 })).toEqual(['postponed']);
	});

	test('keeps no other account waiting there, and is not kept waiting elsewhere', async () => {
		const { ask, kinds } = makeWorld();
		await ask(names('guess', 150));
		const heard = names('good', 40).map(() => 'heard');
		expect(await kinds(names('good', 40), { asker: 'acc_2' })).toEqual(heard);
		expect(await kinds(names('good', 40), { domain: 'other.test' })).toEqual(heard);
	});

	test('counts with the other accounts of its owner, and with no other owner’s', async () => {
		const { clock, ask, kinds, guessers } = makeWorld();
		await ask(names('guess', 75), { owner: 'x' });
		await ask(names('other', 75), { owner: 'x', asker: 'acc_2' });
		expect(guessers.slowed(clock.now())).toMatchObject([{ asker: 'acc_1', asked: 150, unknown: 150 }]);
		const heard = await kinds(names('good', 40), { owner: 'x', asker: 'acc_3' });
		expect(heard.filter((kind) => kind === 'heard')).toHaveLength(7);
		const ofAnother = await kinds(names('good', 40), { owner: 'y', asker: 'acc_4' });
		expect(new Set(ofAnother)).toEqual(new Set(['heard']));
	});

	test.each([
		['a list with as many good addresses', 'acme.test', [...names('good', 150), ...names('guess', 150)]],
		['a bad list at a provider for everybody', 'gmail.com', names('guess', 250)],
		['a good list', 'acme.test', names('good', 250)],
	])('%s is none', async (_, domain, list) => {
		const { clock, ask, guessers } = makeWorld();
		await ask(list.slice(0, 250), { domain });
		expect(guessers.slowed(clock.now())).toEqual([]);
	});

	test('fills no table but its own: the domain with the fewest unknown gives way', async () => {
		const { clock, ask, guessers } = makeWorld();
		await ask(names('guess', 150), { asker: 'acc_2' });
		await ask(names('guess', 150));
		for (let n = 0; n < 250; n += 1) await ask(names('guess', 2), { domain: `n${n}.test` });
		expect(guessers.slowed(clock.now()).map(({ asker }) => asker)).toEqual(['acc_2', 'acc_1']);
	});
});
