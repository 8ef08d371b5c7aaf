import { expect, test } from 'vitest';
import { ResultCard } from '../../../src/dashboard/parts/result-card.tsx';
import type { Outcome } from '../../../src/core/verification/render.ts';
import type { SubStatus } from '../../../src/core/verification/sub-status.ts';
import { SUB_STATUSES } from '../../../src/core/verification/sub-status.ts';
import { PAGES, htmlOf } from '../../support/dashboard/pages.tsx';
import { result } from '../../support/dashboard/samples.ts';
import { viewed } from '../../support/dashboard/viewed.tsx';

const SILENT = (Object.keys(SUB_STATUSES) as SubStatus[]).filter(
	(one) => SUB_STATUSES[one].status === 'unknown',
);

/** The card of an answer about ada@acme.example. */
function cardOf(
	subStatus: SubStatus,
	more: Partial<Outcome> = {},
	props: Partial<Parameters<typeof ResultCard>[0]> = {},
): Promise<string> {
	const answer = result('ada@acme.example', subStatus, { mxRecord: 'mx1.acme.example', ...more });
	const card = <ResultCard tryAt="/try" result={answer} charged={null} breakdown={null} {...props} />;
	return htmlOf(viewed(card));
}

/** The facts of a card as words: `Answered by: mx.acme.example`. */
async function factsOf(subStatus: SubStatus, answeredBy: string | undefined, more: Partial<Outcome> = {}) {
	const card = await cardOf(subStatus, { smtpProvider: null, ...more }, { answeredBy });
	return [...card.matchAll(/<dt>(.*?)<\/dt><dd[^>]*>(.*?)<\/dd>/g)].map(
		([, name, value = '']) => `${name}: ${value.replaceAll(/<[^>]*>/g, '')}`,
	);
}

const MX = 'mx1.acme.example';
const NO_HOST = { method: 'list', mxRecord: null } as const;
const DNS = { method: 'dns', mxRecord: null } as const;

test.each<[SubStatus, string | undefined, Partial<Outcome>, answeredBy: string, hasMailServer: boolean]>([
	['accepted_email', MX, {}, MX, false],
	['accepted_email', MX, { smtpProvider: 'google' }, `${MX}, Google`, false],
	// The domain's first host was out: it did not answer.
	['rejected_email', 'mx2.acme.example', {}, 'mx2.acme.example', true],
	['greylisted', MX, {}, MX, false],
	['timeout', undefined, {}, 'No answer from the mail server', true],
	['no_connect', undefined, {}, 'No mail server could be reached', true],
	['rate_limited', undefined, {}, 'No answer from the mail server', true],
	// It said yes, as to everybody.
	['catch_all_unresolved', undefined, { catchAll: true }, 'A mail server of acme.example', true],
	['accepts_everything', undefined, {}, 'No mail server was asked', true],
	['opted_out', undefined, NO_HOST, 'No mail server was asked', false],
	['unexpected_error', undefined, {}, 'No answer: it failed on our side', true],
	['dns_error', undefined, DNS, 'The name servers of acme.example gave no usable answer', false],
	['invalid_domain', undefined, DNS, 'The name servers of acme.example; no mail server was asked', false],
	['disposable', undefined, NO_HOST, 'Our lists of domains; no mail server was asked', false],
])(
	'%s, answered by %s: the card names who answered, and nobody else',
	async (subStatus, by, more, words, mx) => {
		const facts = await factsOf(subStatus, by, more);
		expect(facts.filter((fact) => /^(?:Answered by|Mail server):/.test(fact))).toEqual([
			`Answered by: ${words}`,
			...(mx ? [`Mail server: ${MX}`] : []),
		]);
	},
);

// Who did not answer said nothing: the card must not put words in the mouth of a server that was silent or never asked.
test.each(SILENT.filter((one) => one !== 'catch_all_unresolved'))(
	'%s without a reply: the card never says that a server said anything',
	async (subStatus) => {
		const card = await cardOf(subStatus, {}, { charged: 0 });
		const words = card.slice(0, card.indexOf('<details')).replaceAll(/<[^>]*>/g, ' ');
		expect(words).not.toMatch(/\b(?:said|says no|told us|spoke)\b/);
		expect(words).toMatch(/No answer|No mail server|The name servers/);
	},
);

test('a row of a list whose server put us off is no server without an answer', async () => {
	const answer = result('ada@acme.example', 'greylisted', { replyCode: '450 4.2.0' });
	const evidence = [{ step: 'rcpt', at_ms: 0, code: 450, enhanced: '4.2.0' }] as const;
	const card = await cardOf('greylisted', {}, { result: { ...answer, evidence } });
	expect(card).not.toContain('No answer');
	expect(card).toContain('A mail server of');
});

test('the address that was probably meant is a button that verifies it', async () => {
	const button =
		/action="\/dashboard\/verify"[^>]*>(?:<input[^>]*>)?<button[^>]*name="email" value="jane@gmail\.com"/;
	expect(await htmlOf(PAGES['verify-typo'])).toMatch(button);
});

test('a verification alone says why a list may come to another score', async () => {
	expect(await htmlOf(PAGES['verify-catch-all'])).toContain(
		'A single verification has nothing to compare with.',
	);
});

test.each([
	['550 5.7.1', 'Asking again will hardly help'],
	['450 4.3.2', 'Verify the address again later'],
])('advises to come back to a mail server after %s only where that may help', async (replyCode, advice) => {
	expect(await cardOf('unavailable_smtp', { replyCode }, { answeredBy: MX })).toContain(advice);
});

test('only an address that the name servers or its mail server refuse is said to bounce', async () => {
	const bouncing: SubStatus[] = [];
	for (const subStatus of Object.keys(SUB_STATUSES) as SubStatus[]) {
		if ((await cardOf(subStatus)).includes('will bounce')) bouncing.push(subStatus);
	}
	const dns = 'invalid_domain no_mx_records does_not_accept_mail unroutable_mx';
	expect(bouncing).toEqual([...dns.split(' '), 'rejected_email', 'mailbox_disabled']);
});
