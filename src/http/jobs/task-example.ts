import { domainFindings, measuredOf } from '../../core/catchall/domain.ts';
import { readInvented } from '../../core/catchall/evidence.ts';
import { judgeAddress } from '../../core/catchall/judge.ts';
import type { Judgement } from '../../core/catchall/judge.ts';
import { finding } from '../../core/catchall/table.ts';
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

/** As `mailboxFinding` says of `jane`; called here it would load its dictionary at each cold start. */
export const JANE = finding('name', 'The mailbox name contains a known name.', 'shape:first');

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
		measuredAt: MEASURED_AT,
		spf: 'ok',
		dmarc: 'reject',
		parking: { kind: 'none' },
		website: 'own',
		registration: { kind: 'registered', since: REGISTERED_AT, expiresAt: null, holds: [] },
		published: null,
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
		findings: [JANE, ...domainFindings(facts, localPart)],
		measured: new Set(['mailbox' as const, ...measuredOf(facts)]),
		registrationEnded: false,
		ageNotTold: false,
		ownOutcome: null,
	} as const;
	return judgeAddress(evidence);
}
