import { judgeAddress } from '../../core/catchall/judge.ts';
import type { Judgement } from '../../core/catchall/breakdown.ts';
import { finding } from '../../core/catchall/table.ts';
import { findMailOperator } from '../../core/mail-operators/find-operator.ts';
import type { TargetFinding } from '../../core/verification/interpret-session.ts';

// The scorecard's judgement of two addresses of one catch-all domain, so that no example can contradict it. The
// evidence is made up; the judgement is the one that such evidence gets.

/** The domain of the examples, and the host that takes its mail. */
export const CATCH_ALL_DOMAIN = 'catch-all.example';
export const CATCH_ALL_MX = 'aspmx.l.google.com';
const MEASURED_AT = Date.UTC(2026, 6, 1, 10);
const REGISTERED_AT = Date.UTC(2011, 2, 1);

/** As `mailboxFinding` says of `jane`; called here it would load its dictionary at each cold start. */
export const JANE = finding('name', '', 'shape:first');

/** A mailbox that the mail server accepts like invented ones. */
export const ACCEPTED_JUDGEMENT = judge('jane', { kind: 'accepted', certainly: false });
/** A mailbox that the mail server refuses, as it refuses no invented one. */
export const REFUSED_JUDGEMENT = judge('joe', { kind: 'rejected', why: 'rejected_email' });

function judge(localPart: string, target: TargetFinding): Judgement {
	const operator = findMailOperator([CATCH_ALL_MX]);
	const replyCode = target.kind === 'accepted' ? '250 2.1.5' : '550 5.1.1';
	const interpretation = { target, invented: 'accepted', advice: 'final', rule: null, replyCode } as const;
	const ok = ['250 ok', '250 ok'] as const;
	const words = { target: target.kind === 'accepted' ? ok : null, invented: ok };
	const facts = {
		domain: CATCH_ALL_DOMAIN,
		measuredAt: MEASURED_AT,
		spf: 'ok',
		dmarc: 'reject',
		parking: { kind: 'none' },
		website: 'own',
		registration: { since: REGISTERED_AT, holds: [] },
		published: null,
	} as const;
	const evidence = {
		localPart,
		route: { kind: 'hosts', hosts: [CATCH_ALL_MX], implicit: false },
		heard: {
			kind: 'heard',
			host: CATCH_ALL_MX,
			interpretation,
			words,
			readings: ['accepted', 'accepted', 'accepted'],
			viaBackup: false,
			operator,
			secured: false,
		},
		control: null,
		lists: { disposable: false, suggestedDomain: null },
		findings: [JANE],
		facts,
		ownOutcome: null,
	} as const;
	return judgeAddress(evidence);
}
