import { judgeAddress } from '../../../src/core/catchall/judge.ts';
import type { CatchAllEvidence } from '../../../src/core/catchall/judge.ts';
import type { Judgement } from '../../../src/core/catchall/breakdown.ts';
import { wordingOf } from '../../../src/core/catchall/reply-difference.ts';
import type { Wording } from '../../../src/core/catchall/reply-difference.ts';
import { findMailOperator } from '../../../src/core/mail-operators/operators.ts';
import { decide } from '../../../src/core/verification/decide.ts';
import { readSession } from '../../../src/core/verification/interpret-session.ts';
import type { SubStatus } from '../../../src/core/verification/sub-status.ts';
import { makeFacts, registration } from './domain-facts.ts';
import { makeReply, makeReport, wordsIn } from './session-report.ts';
import type { Heard } from './session-report.ts';

export const HOSTS = {
	google: 'aspmx.l.google.com',
	strato: 'smtpin.rzone.de',
	m365: 'acme-com.mail.protection.outlook.com',
	proofpoint: 'mxa-0050be01.gslb.pphosted.com',
	mimecast: 'eu-smtp-inbound-1.mimecast.com',
	yahoo: 'mta5.am0.yahoodns.net',
	comcast: 'mx1.comcast.net',
	own: 'mail.x.test',
} as const;

export const REPLIES = {
	ok: '250 2.1.5 ok',
	local: '250 2.1.5 local recipient ok',
	unverified: '252 cannot verify',
	gone: '550 5.1.1 no such user',
	disabled: '550 5.2.1 mailbox disabled',
	blocked: '554 5.7.1 Service unavailable; Client host [192.0.2.1] blocked using zen.spamhaus.org',
	greylisted: '450 4.2.0 Greylisted, come back later',
	temporary: '451 4.3.0 temporary lookup failure',
	put_off: '451 Recipient temporarily unavailable',
	limited: '452 4.5.3 too many recipients',
	policy: '550 5.7.1 Access denied',
	strange: '550 xyzzy',
	tls: '530 5.7.0 Must issue a STARTTLS command first',
	full: '552 5.2.2 mailbox full',
	full_for_now: '452 4.2.2 over quota',
	busy: '450 4.2.1 The user you are trying to contact is receiving mail too quickly',
	silence: null,
} as const;

export interface Told extends Heard {
	/** The MX host that answered. */
	readonly host?: string;
	readonly viaBackup?: boolean;
	/** Replaces the conversation. */
	readonly answer?: SubStatus;
	/** The answer to an invented recipient that was asked first, in another conversation. */
	readonly control?: string;
	readonly rest?: Partial<CatchAllEvidence>;
}

/** Everything but the website was looked at, and moves no score. */
export const NEUTRAL = makeFacts({
	spf: 'several',
	dmarc: 'none',
	parking: { kind: 'none' },
	registration: registration({ age: 700 }),
});

/** The judgement of ada@x.test. By default the server accepted it and three invented recipients. */
export function judge(told: Told = {}): Judgement {
	const { ok } = REPLIES;
	const { host = HOSTS.own, viaBackup = false, answer, control, rest = {} } = told;
	const operator = findMailOperator([host]);
	const report = makeReport({ target: ok, invented: [ok, ok, ok], ...told });
	const { targets, readings } = readSession(report, operator?.operator ?? null);
	const { interpretation } = targets[0]!;
	const words = wordsIn(report);
	const heard = { kind: 'heard', host, interpretation, words, readings, viaBackup, secured: false } as const;
	const { suggestedDomain = null } = rest.lists ?? {};
	return judgeAddress({
		localPart: 'ada',
		heard: answer === undefined ? heard : null,
		decided: answer ?? decide(heard, operator, suggestedDomain !== null)?.subStatus ?? null,
		operator,
		control: control === undefined ? null : wordsOfControl(control),
		lists: { disposable: false, suggestedDomain: null },
		findings: [],
		facts: NEUTRAL,
		ownOutcome: null,
		...rest,
	});
}

/** The words for an invented recipient that was asked first. */
export function wordsOfControl(written: string): Wording | null {
	return wordingOf({ recipient: 'wvu@x.test', reply: makeReply(written) });
}
