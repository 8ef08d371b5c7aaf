import { expect, test } from 'vitest';
import { examineAddress } from '../../../src/engine/examine-address.ts';
import type { Prober } from '../../../src/engine/ports.ts';
import { fakeClock } from '../../support/unit/fake-clock.ts';
import { fakeLookups } from '../../support/unit/fake-lookups.ts';
import { fakeResolver, PUBLIC_ONLY } from '../../support/unit/fake-resolver.ts';
import { NO_DOUBT } from '../../support/unit/no-doubt.ts';
import { addressOf, fakeRandomness } from '../../support/unit/mail-servers.ts';

test.each([
	['an invented recipient was accepted', 'invented', 250, ['x.test']],
	['an invented recipient was refused', 'invented', 550, []],
	['only the address itself was accepted', 'ada', 250, []],
])('while the mail host is asked, the domain is looked up if %s', async (_, recipient, code, lookedUp) => {
	const lookups = fakeLookups();
	let early: readonly string[] = [];
	const prober: Prober = {
		ask: async (_question, hear) => {
			const reply = { code, enhanced: null, lines: ['as it says'] };
			hear?.({ kind: 'replied', host: 'mx1.x.test', recipient: `${recipient}@x.test`, reply });
			early = [...lookups.asked];
			return { answers: [{ kind: 'no_connect', egress: 'e', tried: 1 }], trace: [], tried: [] };
		},
	};
	const ports = {
		...lookups,
		clock: fakeClock(),
		resolver: fakeResolver({ 'x.test': { mx: ['10 mx1.x.test'] }, 'mx1.x.test': { a: ['8.8.8.1'] } }),
		prober,
		randomness: fakeRandomness(),
		domainMemory: NO_DOUBT,
		addressPolicy: PUBLIC_ONLY,
	};
	const settings = { budgetMs: 15_000 };
	await examineAddress(ports, settings, addressOf('ada@x.test'), 'acc_1');
	expect(early).toEqual(lookedUp);
	expect(lookups.asked).toEqual(lookedUp);
});
