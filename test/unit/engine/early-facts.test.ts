import { expect, test } from 'vitest';
import type { Prober } from '../../../src/engine/ports.ts';
import { fakeLookups } from '../../support/unit/fake-lookups.ts';
import { examineAlone, portsOf } from '../../support/unit/examine-alone.ts';
import { addressOf } from '../../support/unit/mail-servers.ts';

test.each([
	['it shows itself as a catch-all', true, ['x.test']],
	['it does not', false, []],
])('while the mail host is asked, the domain is looked up if %s', async (_, isCatchAll, lookedUp) => {
	const lookups = fakeLookups();
	let early: readonly string[] = [];
	const prober: Prober = {
		ask: async (_question, foundCatchAll) => {
			if (isCatchAll) foundCatchAll?.();
			early = [...lookups.asked];
			return {
				answers: [{ kind: 'no_connect', tried: 1 }],
				evidence: [],
				recipients: 0,
			};
		},
	};
	const zones = { 'x.test': { mx: ['10 mx1.x.test'] }, 'mx1.x.test': { a: ['8.8.8.1'] } };
	await examineAlone(portsOf(zones, prober, { lookups }), addressOf('ada@x.test'));
	expect(early).toEqual(lookedUp);
	expect(lookups.asked).toEqual(lookedUp);
});
