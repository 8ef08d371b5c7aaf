import { expect, test } from 'vitest';
import { listFacts } from '../../../src/engine/refusal.ts';
import { addressOf } from '../../support/unit/mail-servers.ts';

test.each([
	[
		'info@gmail.com',
		{ freeEmail: true, roleAccount: true, disposable: false, noReply: false, suggestedDomain: null },
	],
	[
		'noreply@x.test',
		{ freeEmail: false, roleAccount: true, disposable: false, noReply: true, suggestedDomain: null },
	],
	[
		'ada@gmail.con',
		{ freeEmail: false, roleAccount: false, disposable: false, noReply: false, suggestedDomain: 'gmail.com' },
	],
])('the lists know of %s', (email, facts) => {
	expect(listFacts(addressOf(email))).toMatchObject(facts);
});
