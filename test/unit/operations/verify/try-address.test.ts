import { expect, test } from 'vitest';
import type { Asker } from '../../../../src/core/politeness/mail-host.ts';
import { decidedBy, renderResult } from '../../../../src/core/verification/render.ts';
import { listFacts } from '../../../../src/engine/examine-address.ts';
import { tryAddress } from '../../../../src/operations/verify/try-address.ts';
import { fakeClock } from '../../../support/unit/fake-clock.ts';
import { addressOf } from '../../../support/unit/mail-servers.ts';

const ADA = addressOf('ada@x.test');

/** One attempt, where there is room for it or none. */
async function tryOnce(hasRoom: boolean): Promise<{ kind: string; askers: readonly Asker[] }> {
	const askers: Asker[] = [];
	const result = renderResult(ADA, listFacts(ADA), decidedBy('smtp', 'accepted_email'), 0);
	const { kind } = await tryAddress(
		{
			clock: fakeClock(),
			attempts: {
				look: () => Promise.resolve(null),
				count: () => Promise.resolve({ admitted: hasRoom, endsAt: 1 }),
				forget: () => Promise.resolve(),
				sweep: () => Promise.resolve(),
			},
			examine: (_, asker) => {
				askers.push(asker);
				return Promise.resolve({ result, breakdown: null });
			},
		},
		{ address: ADA, client: '192.0.2.1' },
	);
	return { kind, askers };
}

test('an address is tried anonymously, and its observations do not count for accounts', async () => {
	expect(await tryOnce(true)).toEqual({ kind: 'answered', askers: [null] });
});

test('and not at all where there is no room', async () => {
	expect(await tryOnce(false)).toEqual({ kind: 'throttled', askers: [] });
});
