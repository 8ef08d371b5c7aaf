import { expect, test } from 'vitest';
import { budgetOf } from '../../src/core/turns/budget.ts';
import { LOOPBACK } from '../sandbox/listener.ts';
import { KNOWS_NOBODY, startAttackedServer, startAttackedWorld, times } from './attacked.ts';

// A large operator answers QUIT when it finds the time, and until then the connection is one of those that it allows.
const GOODBYE_MS = 300;
// Connections at once are production's; a connection is given up after a few refusals.
const BUDGETS = { google: { recipientsPerMinute: 6_000, connectionsPerMinute: 600 } };

test('an operator that takes its time over a goodbye never sees more connections than it allows', async () => {
	const google = await startAttackedServer(LOOPBACK, KNOWS_NOBODY, GOODBYE_MS);
	const vars = { PROBER_BUDGETS: JSON.stringify(BUDGETS) };
	await using world = await startAttackedWorld({ only: google, vars });
	const asked = Array.from({ length: 12 }, (_, account) =>
		world.ask({
			domain: 'gmail.com',
			host: 'gmail-smtp-in.l.google.com',
			targets: times(40, (n) => `nobody.${account}.${n}@gmail.com`),
			asker: `acc_${account}`,
			class: 'list',
			budgetMs: 8_000,
			at: [google.address],
		}),
	);
	await Promise.all(asked);
	expect(google.connections.length).toBeGreaterThan(budgetOf('google').connections);
	expect(google.mostOpen).toBeLessThanOrEqual(budgetOf('google').connections);
});
