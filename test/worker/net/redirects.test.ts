import { expect, inject, test } from 'vitest';
import { CheckedWeb } from '../../../src/net/public-web.ts';
import { RdapClient } from '../../../src/net/rdap-client.ts';
import { fakeClock } from '../../support/unit/fake-clock.ts';

// What is judged of each redirect: test/unit/net.

test('the runtime leaves redirects to us: one in a circle, to plain http on loopback, is not followed once', async () => {
	const asked: string[] = [];
	const records = { look: async () => ({ kind: 'no_data' }) as const };
	const web = new CheckedWeb({ userAgent: 'Mailsonar', ownHost: null }, records, (url, init) => {
		asked.push(url);
		return fetch(url, init);
	});
	const bootstrapUrl = inject('workerBindings')['RDAP_BOOTSTRAP_URL']!;
	const client = new RdapClient({ bootstrapUrl, spacingMs: 0 }, web, fakeClock());
	const reply = await client.ask(bootstrapUrl.replace('dns.json', ''), 'rdap-loop.test', 3_000);
	expect([reply, asked.length]).toEqual([{ kind: 'unavailable' }, 1]);
});
