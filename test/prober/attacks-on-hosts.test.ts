import { expect, test } from 'vitest';
import { budgetOf } from '../../src/core/turns/budget.ts';
import { mostWithin, startAttackedWorld, times } from './attacked.ts';

// One customer's names against a mail server of a stranger, whom nobody warned. The worlds wait side by side.

const MINUTE_MS = 60_000;
const STRANGER = '198.18.200.9';
const { recipientsPerMinute, connectionsPerMinute } = budgetOf(null);

test.concurrent('46 names with one more address each ask a stranger’s server no more than one name does', async () => {
	await using world = await startAttackedWorld();
	const stranger = await world.server(STRANGER);
	const questions = Array.from({ length: 46 }, (_, n) =>
		world.ask({
			domain: `name${n}.test`,
			targets: times(21, (m) => `ada${m}@name${n}.test`),
			asker: 'acc_attacker',
			class: 'list',
			// The second sorts first, and is never dialled.
			at: [STRANGER, `198.18.0.${n + 1}`],
		}),
	);
	await Promise.all(questions);
	const asked = stranger.recipients.map(({ at }) => at);
	expect(mostWithin(asked, MINUTE_MS)).toBeLessThanOrEqual(recipientsPerMinute);
	expect(stranger.connections.length).toBeLessThanOrEqual(connectionsPerMinute);
});

test.concurrent('names for each machine of a stranger’s network ask that network little more than one machine', async () => {
	await using world = await startAttackedWorld();
	const addresses = times(40, (n) => `198.18.77.${n + 1}`);
	const servers = await Promise.all(addresses.map((address) => world.server(address)));
	const questions = servers.map(({ address }, n) =>
		world.ask({
			domain: `machine${n}.test`,
			targets: times(20, (m) => `ada${m}@machine${n}.test`),
			asker: 'acc_attacker',
			class: 'list',
			at: [address],
		}),
	);
	await Promise.all(questions);
	const asked = servers.flatMap(({ recipients }) => recipients.map(({ at }) => at));
	expect(mostWithin(asked, MINUTE_MS)).toBeLessThanOrEqual(5 * recipientsPerMinute);
	const connected = servers.flatMap(({ connections }) => connections);
	expect(mostWithin(connected, MINUTE_MS)).toBeLessThanOrEqual(5 * connectionsPerMinute);
});

test.concurrent('a record set that names another’s machine and dials its own takes nothing of the other’s budget', async () => {
	await using world = await startAttackedWorld({ isWarm: false });
	// It sorts first, and none of the attacker's questions dials it.
	const victim = await world.server('198.18.0.9');
	const own = await world.server(STRANGER);
	for (let n = 0; n < 8; n += 1)
		await world.ask({
			domain: 'attacker.test',
			targets: [`ada${n}@attacker.test`],
			asker: 'acc_attacker',
			budgetMs: 4_000,
			at: [own.address, victim.address],
		});
	const customers = ['victim.test', 'neighbour.test'].map((domain) =>
		world.ask({ domain, targets: [`ada@${domain}`], asker: 'acc_customer', at: [victim.address] }),
	);
	expect(await Promise.all(customers)).toEqual([['heard'], ['heard']]);
});
