import { expect, inject, test } from 'vitest';
import { webReader } from '../../../src/net/public-web.ts';
import { registryReader } from '../../../src/net/rdap-client.ts';
import { fakeClock } from '../../support/unit/fake-clock.ts';

// What is judged of each redirect: test/unit/net.

test('the runtime leaves redirects to us: one in a circle, to plain http on loopback, is not followed once', async () => {
	const asked: string[] = [];
	const records = { look: async () => ({ kind: 'no_data' }) as const };
	const web = webReader({ userAgent: 'Mailsonar', ownHost: null }, records, (url, init) => {
		asked.push(url);
		return fetch(url, init);
	});
	const bootstrapUrl = inject('workerBindings')['RDAP_BOOTSTRAP_URL']!;
	const registrationOf = registryReader({ bootstrapUrl, spacingMs: 0 }, web, fakeClock());
	const told = await registrationOf('rdap-loop.test', 3_000);
	expect([told, asked.filter((url) => url !== bootstrapUrl).length]).toEqual(['not_told', 1]);
});
