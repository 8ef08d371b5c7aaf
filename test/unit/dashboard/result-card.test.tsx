import { expect, test } from 'vitest';
import { ResultCard } from '../../../src/dashboard/parts/result-card.tsx';
import type { Outcome } from '../../../src/core/verification/render.ts';
import type { SubStatus } from '../../../src/core/verification/sub-status.ts';
import { htmlOf } from '../../support/dashboard/pages.tsx';
import { result } from '../../support/dashboard/samples.ts';

/** The facts of a card as words: `Answered by: mx.acme.example`. */
async function factsOf(
	subStatus: SubStatus,
	answeredBy: string | undefined,
	more: Partial<Outcome> = {},
): Promise<readonly string[]> {
	const answer = result('ada@acme.example', subStatus, {
		mxRecord: 'mx1.acme.example',
		smtpProvider: null,
		...more,
	});
	const card = await htmlOf(
		<ResultCard result={answer} answeredBy={answeredBy} charged={null} breakdown={null} brief />,
	);
	return [...card.matchAll(/<dt>(.*?)<\/dt><dd[^>]*>(.*?)<\/dd>/g)].map(
		([, name, value = '']) => `${name}: ${value.replaceAll(/<[^>]*>/g, '')}`,
	);
}

test.each<[SubStatus, string | undefined, Partial<Outcome>, string[]]>([
	['accepted_email', 'mx1.acme.example', {}, ['Answered by: mx1.acme.example']],
	[
		'accepted_email',
		'mx1.acme.example',
		{ smtpProvider: 'google' },
		['Answered by: mx1.acme.example, Google'],
	],
	// The domain's first host was out: it did not answer.
	[
		'rejected_email',
		'mx2.acme.example',
		{},
		['Answered by: mx2.acme.example', 'Mail server: mx1.acme.example'],
	],
	['greylisted', 'mx1.acme.example', {}, ['Answered by: mx1.acme.example']],
	['timeout', undefined, {}, ['Answered by: Nobody', 'Mail server: mx1.acme.example']],
	['no_connect', undefined, {}, ['Answered by: Nobody', 'Mail server: mx1.acme.example']],
	['rate_limited', undefined, {}, ['Answered by: Nobody', 'Mail server: mx1.acme.example']],
	['dns_error', undefined, { method: 'dns', mxRecord: null }, ['Answered by: Nobody']],
	[
		'invalid_domain',
		undefined,
		{ method: 'dns', mxRecord: null },
		['Answered by: The name servers of acme.example; no mail server was asked'],
	],
	[
		'disposable',
		undefined,
		{ method: 'list', mxRecord: null },
		['Answered by: Our lists of domains; no mail server was asked'],
	],
])(
	'%s, answered by %s: the card names who answered, and nobody else',
	async (subStatus, answeredBy, more, told) => {
		const facts = await factsOf(subStatus, answeredBy, more);
		expect(facts.filter((fact) => /^(?:Answered by|Mail server):/.test(fact))).toEqual(told);
	},
);
