import { NO_DNS_FACTS } from '../../core/catchall/domain-facts.ts';
import { measuredOf } from '../../core/catchall/breakdown.ts';
import { domainSignals } from '../../core/catchall/domain-signals.ts';
import { readInvented } from '../../core/catchall/evidence.ts';
import { DEFAULT_THRESHOLDS, judgeAddress } from '../../core/catchall/judge.ts';
import type { Judgement } from '../../core/catchall/judge.ts';
import type { Signal } from '../../core/catchall/scorecard.ts';
import { MAILBOX_WEIGHTS } from '../../core/catchall/mailbox/mailbox-signals.ts';
import { findMailOperator } from '../../core/mail-operators/find-operator.ts';
import type { SmtpReply } from '../../core/smtp/reply-reader.ts';
import { interpretSession } from '../../core/verification/interpret-session.ts';

// The scorecard's judgement of two addresses of one catch-all domain, so that no example can contradict it. The
// evidence is made up; the judgement is the one that such evidence gets.

/** The domain of the examples, and the host that takes its mail. */
export const CATCH_ALL_DOMAIN = 'catch-all.example';
export const CATCH_ALL_MX = 'aspmx.l.google.com';
const MEASURED_AT = Date.UTC(2026, 6, 1, 10);
const REGISTERED_AT = Date.UTC(2011, 2, 1);

const OK: SmtpReply = { code: 250, enhanced: '2.1.5', lines: ['2.1.5 OK'] };
const NO_SUCH_USER: SmtpReply = { code: 550, enhanced: '5.1.1', lines: ['5.1.1 No such user'] };

/** As `mailboxSignals` says of `jane`; called here it would load its dictionary at each cold start. */
export const JANE_SIGNAL: Signal = {
	group: 'mailbox',
	label: 'shape:first',
	points: MAILBOX_WEIGHTS.one_name,
	text: 'The mailbox name contains a known name.',
};

/** A mailbox that the mail server accepts like invented ones. */
export const ACCEPTED_JUDGEMENT = judge('jane', OK);
/** A mailbox that the mail server refuses, as it refuses no invented one. */
export const REFUSED_JUDGEMENT = judge('joe', NO_SUCH_USER);

function judge(localPart: string, reply: SmtpReply): Judgement {
	const operator = findMailOperator([CATCH_ALL_MX]);
	const invented = ['qzxw4', 'vkpd7', 'wjhb2'].map((name) => ({
		recipient: `${name}@${CATCH_ALL_DOMAIN}`,
		reply: OK,
	}));
	const report = {
		sender: 'probe@mailsonar.example',
		end: { kind: 'complete' },
		stage: 'rcpt',
		targets: [{ recipient: `${localPart}@${CATCH_ALL_DOMAIN}`, reply }],
		invented,
		pipelined: true,
		secured: true,
		keywords: ['STARTTLS'],
		transcript: ['S: 220 mx.google.com ESMTP'],
		times: [MEASURED_AT],
		heloName: 'mailsonar.example',
		roundTrips: 3,
		tally: { asked: 0, rejected: 0 },
		perTransaction: 20,
	} as const;
	const interpretation = interpretSession(report, operator?.operator ?? null);
	const facts = {
		domain: CATCH_ALL_DOMAIN,
		registrable: CATCH_ALL_DOMAIN,
		measuredAt: MEASURED_AT,
		dns: { ...NO_DNS_FACTS, spf: 'ok', dmarc: 'reject', parking: { kind: 'none' } },
		mtaSts: null,
		website: 'own',
		registration: {
			kind: 'registered',
			since: REGISTERED_AT,
			reregisteredAt: null,
			transferredAt: null,
			expiresAt: null,
			holds: [],
		},
		publishedInDns: null,
		publishedOnSite: null,
	} as const;
	const evidence = {
		mail: {
			kind: 'hosts',
			hosts: [CATCH_ALL_MX],
			implicit: false,
			probe: { kind: 'heard', interpretation, report, viaBackup: false, operator },
		},
		invented: readInvented(report, operator?.operator ?? null),
		control: null,
		lists: { disposable: false, suggestedDomain: null },
		signals: [...domainSignals(facts), JANE_SIGNAL],
		measured: new Set([...measuredOf(facts), 'mailbox' as const]),
		registrationEnded: false,
		ageNotTold: false,
		ownOutcome: null,
	} as const;
	return judgeAddress(evidence, DEFAULT_THRESHOLDS);
}
