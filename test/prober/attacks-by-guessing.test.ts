import { expect, test } from 'vitest';
import { KNOWS_ADA, startAttackedWorld, times } from './attacked.ts';

// Budgets are lifted: what is tried here is only how many names of a company an account may guess.

// As the rules of src/core/turns: a list of guesses is slowed after a hundred unknown mailboxes.
const GUESSES_BEFORE_SLOW = 100;
// In one question of a list, before its answers are known, and what a slow list may ask within the test.
const UNDER_WAY = 100;

test('guesses behind hundreds of tagged spellings of one mailbox are slowed like others', async () => {
	await using world = await startAttackedWorld({ budgets: 'lifted' });
	const company = await world.server('198.18.3.1', KNOWS_ADA);
	const ask = (targets: readonly string[]) =>
		world.ask({
			domain: 'company.test',
			targets: [...targets],
			asker: 'acc_guesser',
			class: 'list',
			at: [company.address],
		});
	const at = (name: string): string => `${name}@company.test`;
	await ask(times(200, (n) => at(`ada+${n}`)));
	for (let part = 0; part < 12; part += 1) {
		const guesses = times(50, (n) => at(`guess${part * 50 + n}`));
		const tagged = times(35, (n) => at(`ada+${200 + part * 35 + n}`));
		await ask([...guesses, ...tagged]);
	}
	const guessed = new Set(
		company.recipients.map(({ name }) => name).filter((name) => name.startsWith('guess')),
	);
	expect(guessed.size).toBeLessThanOrEqual(GUESSES_BEFORE_SLOW + UNDER_WAY);
});

test('guesses divided among the accounts of one owner are slowed like those of one account', async () => {
	await using world = await startAttackedWorld({ budgets: 'lifted' });
	const company = await world.server('198.18.3.1', KNOWS_ADA);
	for (let part = 0; part < 12; part += 1)
		await world.ask({
			domain: 'company.test',
			targets: times(50, (n) => `guess${part * 50 + n}@company.test`),
			asker: `acc_guesser${part}`,
			owner: '3f0a',
			class: 'list',
			at: [company.address],
		});
	expect(company.recipients.length).toBeLessThanOrEqual(GUESSES_BEFORE_SLOW + UNDER_WAY);
});
