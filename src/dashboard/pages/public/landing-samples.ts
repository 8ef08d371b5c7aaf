import { parseAddress } from '../../../core/address/parse-address.ts';
import type { Report } from '../../../core/jobs/report/report.ts';
import { decidedBy, renderResult } from '../../../core/verification/render.ts';
import type { Outcome, VerificationResult } from '../../../core/verification/render.ts';
import type { SubStatus } from '../../../core/verification/sub-status.ts';
import type { ScoreBreakdown } from '../../charts/score-waterfall.tsx';

// The samples of the front page, with invented addresses. test/unit/dashboard/landing.test.tsx checks that the service itself
// answers, scores and speaks like this.

const SAMPLE_TIME = Date.UTC(2026, 10, 21, 10);

/** An address of a catch-all domain, and its score. */
export const SCORED = 'grace.hopper@navy.example';
export const SCORE = 87;

/** One answer of each status, as the service gives it. */
export const ANSWERS: readonly [VerificationResult, ...VerificationResult[]] = [
	answer('ada@lovelace.example', 'accepted_email', {
		mxRecord: 'aspmx.l.google.com',
		smtpProvider: 'google',
		catchAll: false,
	}),
	answer('old.sales@acme.example', 'rejected_email', {
		mxRecord: 'mx.acme.example',
		catchAll: false,
	}),
	answer('jane@gmial.com', 'possible_typo', {}, 'gmail.com'),
	answer('alan@bletchley.example', 'greylisted', {
		mxRecord: 'mx.bletchley.example',
		replyCode: '450 4.2.0',
	}),
];

function answer(
	email: string,
	subStatus: SubStatus,
	more: Partial<Outcome>,
	suggestedDomain: string | null = null,
): VerificationResult {
	const parsed = parseAddress(email);
	if (!parsed.ok) throw new Error(`${email} is no address`);
	const lists = { freeEmail: false, roleAccount: false, disposable: false, noReply: false, suggestedDomain };
	return renderResult(parsed.address, lists, { ...decidedBy('smtp', subStatus), ...more }, SAMPLE_TIME);
}

/** How SCORE came about. */
export const BREAKDOWN: ScoreBreakdown = {
	base: 70,
	domain_triage: {
		score: 2,
		signals: [
			'provider:microsoft',
			'spf:ok',
			'dmarc:missing',
			'rdap_status:ok',
			'parking:none',
			'website:own',
		],
	},
	domain_age: { score: 1, signals: ['age:14y'] },
	mailbox: { score: 14, signals: ['shape:first.last', 'domain_pattern:fits'] },
	smtp: { score: 0, signals: ['randoms:accepted', 'reply:same'] },
	public_evidence: { score: 0, signals: [] },
	list: { score: 0, signals: [] },
	explanations: [
		{
			signal: 'domain_pattern:fits',
			effect: 10,
			text: 'In the list, 6 of 7 other addresses of this domain are written as first.last too.',
		},
		{ signal: 'shape:first.last', effect: 4, text: 'The mailbox name contains a known name.' },
		{
			signal: 'provider:microsoft',
			effect: 1,
			text: 'The mail server (Microsoft) accepts everybody for some domains with a catch-all, and for others that bounce later.',
		},
		{ signal: 'spf:ok', effect: 1, text: 'The domain says which servers send its mail (SPF).' },
		{ signal: 'dmarc:missing', effect: -1, text: 'The domain has no DMARC policy.' },
		{ signal: 'website:own', effect: 1, text: 'The domain has a website of its own.' },
		{ signal: 'age:14y', effect: 1, text: 'The domain was registered 14 years ago.' },
	],
	coverage: 1,
};

/** The score of xq7zr9kk at the same domain, of which only the domain speaks well. */
export const OTHER_SCORE = 61;

/** The report of a list, as its page begins. */
export const REPORT: Pick<Report, 'total' | 'counts' | 'reasons'> = {
	total: 20_000,
	counts: { deliverable: 16_954, undeliverable: 2_468, risky: 114, unknown: 464 },
	reasons: [
		{ reason: 'accepted_email', count: 16_212 },
		{ reason: 'rejected_email', count: 1_690 },
		{ reason: 'catch_all_valid', count: 742 },
		{ reason: 'no_mx_records', count: 500 },
		{ reason: 'catch_all_invalid', count: 278 },
		{ reason: 'catch_all_unresolved', count: 268 },
		{ reason: 'greylisted', count: 196 },
		{ reason: 'mailbox_full', count: 114 },
	],
};

/** A line of a conversation, and what it proves. `us` speaks to `them`. */
export interface SpokenLine {
	readonly by: 'us' | 'them';
	readonly line: string;
	readonly proves: string;
	/** One of the two answers that together decide. */
	readonly decides?: boolean;
}

export const TALK_ABOUT = { target: 'ada@lovelace.example', invented: 'k7wq2vzt9d@lovelace.example' };

/** A whole conversation about TALK_ABOUT.target. */
export const CONVERSATION: readonly SpokenLine[] = [
	{
		by: 'them',
		line: '220 mx.lovelace.example ESMTP',
		proves: 'A mail server is there and answers. Silence would be an unknown, not a dead mailbox.',
	},
	{
		by: 'us',
		line: 'EHLO probe.mailsonar.example',
		proves: 'Our real name: the operator of the server can find us, and ask to be left alone.',
	},
	{
		by: 'them',
		line: '250 mx.lovelace.example',
		proves: 'It talks to us: we are on no blocklist of theirs.',
	},
	{
		by: 'us',
		line: 'MAIL FROM:<verify@mailsonar.example>',
		proves:
			'Some servers judge the sender first. A refusal here is about us, and never blamed on the mailbox.',
	},
	{
		by: 'them',
		line: '250 2.1.0 Ok',
		proves: 'It would take mail from us. Only now does its next answer mean anything.',
	},
	{ by: 'us', line: 'RCPT TO:<ada@lovelace.example>', proves: 'The question.' },
	{
		by: 'them',
		line: '250 2.1.5 Ok',
		proves: 'Yes. By itself this proves nothing: a catch-all domain says it to everybody.',
		decides: true,
	},
	{
		by: 'us',
		line: 'RCPT TO:<k7wq2vzt9d@lovelace.example>',
		proves: 'So we ask for a name that surely does not exist.',
	},
	{
		by: 'them',
		line: '550 5.1.1 No such user',
		proves: 'No. This server tells names apart, and its yes to Ada is worth something.',
		decides: true,
	},
	{
		by: 'us',
		line: 'QUIT',
		proves: 'We leave before DATA. No message was begun, and nobody receives anything.',
	},
];
