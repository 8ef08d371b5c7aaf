import { expect, test } from 'vitest';
import { findMailOperator } from '../../../src/core/mail-operators/find-operator.ts';
import { coveringOptOut } from '../../../src/core/lists/opt-outs.ts';
import { leadsToOptedOut, unasked } from '../../../src/engine/unasked.ts';
import { listFacts } from '../../../src/engine/examine-address.ts';
import { addressOf } from '../../support/unit/mail-servers.ts';

const optOuts = {
	covers: (name: string) =>
		Promise.resolve(coveringOptOut(name, new Set(['acme.test', 'google.com'])) !== null),
};
const routeTo = (hosts: readonly string[], implicit = false) => ({ kind: 'hosts', hosts, implicit }) as const;

test.each<[string, ReturnType<typeof routeTo>, boolean]>([
	['a host of its own', routeTo(['mx.acme.test']), true],
	['a backup of its own', routeTo(['mx.other.test', 'mx.acme.test']), true],
	['itself, without MX', routeTo(['acme.test'], true), true],
	['somebody else', routeTo(['mx.other.test']), false],
	// Half of the world is there, and did not ask.
	['an operator that we know', routeTo(['aspmx.l.google.com']), false],
])('a route to %s leads to who opted out: %s', async (_, route, leads) => {
	expect(findMailOperator(['aspmx.l.google.com'])).not.toBeNull();
	expect(await leadsToOptedOut({ optOuts }, route)).toBe(leads);
});

test('a task scores such an address by its name alone, and decides nothing', () => {
	const address = addressOf('jane.doe@acme.test');
	const thresholds = { validFrom: 88, invalidBelow: 45 };
	const manner = { deep: 'always', sourceList: null } as const;
	const about = { address, lists: listFacts(address) };
	const { outcome, judgement } = unasked({ thresholds }, about, 'opted_out', manner);
	expect(outcome).toMatchObject({ subStatus: 'opted_out', method: 'list' });
	expect(judgement).toMatchObject({ verdict: 'unknown', subStatus: 'opted_out' });
});
