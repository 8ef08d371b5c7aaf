import { expect, test } from 'vitest';
import { canonicalEmail } from '../../../src/core/mail-operators/operators.ts';
import { addressOf } from '../../support/unit/mail-servers.ts';

// One spelling for all names of a mailbox, by the rules that its operator documents.

test.each<[string, string | null, string]>([
	['Jane.Doe+news@gmail.com', null, 'janedoe@gmail.com'],
	['jane.doe@googlemail.com', 'google', 'janedoe@gmail.com'],
	['Jane.Doe+news@outlook.com', null, 'jane.doe@outlook.com'],
	['Jane.Doe+news@hotmail.fr', null, 'jane.doe@hotmail.fr'],
	['Jane+news@icloud.com', null, 'jane@icloud.com'],
	// At a company's own domain dots count, whoever runs the servers.
	['Jane.Doe+news@acme.test', 'google', 'jane.doe@acme.test'],
	['Jane.Doe+news@acme.test', 'microsoft', 'jane.doe@acme.test'],
	['Jane+news@bücher.test', 'fastmail', 'jane@bücher.test'],
	// Nothing is known: every letter may matter.
	['Jane.Doe+news@acme.test', null, 'Jane.Doe+news@acme.test'],
	['Jane.Doe+news@acme.test', 'strato', 'Jane.Doe+news@acme.test'],
	['+news@gmail.com', null, '+news@gmail.com'],
	['"Jane+news"@gmail.com', null, '"Jane+news"@gmail.com'],
])('%s, at %s, is the mailbox %s', (email, provider, canonical) => {
	expect(canonicalEmail(addressOf(email), provider)).toBe(canonical);
});

test('a canonical address is its own', () => {
	for (const email of ['j.a.n.e+x@gmail.com', 'A+b@live.com', 'Z@acme.test']) {
		const once = canonicalEmail(addressOf(email), null);
		expect(canonicalEmail(addressOf(once), null)).toBe(once);
	}
});
