import type { CatchAllEvidence } from '../../../src/core/catchall/evidence.ts';
import { compareReplies } from '../../../src/core/catchall/reply-difference.ts';
import type { Wording } from '../../../src/core/catchall/reply-difference.ts';
import { findMailOperator } from '../../../src/core/mail-operators/find-operator.ts';
import type { Finding } from '../../../src/core/verification/finding.ts';
import { interpretSession, readInvented } from '../../../src/core/verification/interpret-session.ts';
import { makeReply, makeReport, wordsIn } from './session-report.ts';
import type { Heard } from './session-report.ts';

export const OK = '250 2.1.5 ok';
export const NO_SUCH_USER = '550 5.1.1 no such user';

export const GOOGLE = 'aspmx.l.google.com';
export const PROOFPOINT = 'mxa-0050be01.gslb.pphosted.com';
export const MIMECAST = 'eu-smtp-inbound-1.mimecast.com';
export const YAHOO = 'mta5.am0.yahoodns.net';

export interface Told extends Heard {
	/** The MX host that answered. */
	readonly host?: string;
	readonly implicit?: boolean;
	readonly viaBackup?: boolean;
	/** Replaces the conversation. */
	readonly probe?: Finding;
	/** The answer to an invented recipient that was asked first, in another conversation. */
	readonly control?: string;
	readonly rest?: Partial<CatchAllEvidence>;
}

/** Evidence about ada@x.test. By default the server accepted it and three invented recipients. */
export function makeEvidence(told: Told = {}): CatchAllEvidence {
	const { host = 'mail.x.test', implicit = false, viaBackup = false, control } = told;
	const operator = implicit ? null : findMailOperator([host]);
	const report = makeReport({ target: OK, invented: [OK, OK, OK], ...told });
	const interpretation = interpretSession(report, operator?.operator ?? null);
	return {
		route: { kind: 'hosts', hosts: [host], implicit },
		heard: told.probe ?? {
			kind: 'heard',
			host,
			interpretation,
			words: wordsIn(report),
			readings: readInvented(report, operator?.operator ?? null),
			viaBackup,
			operator,
			secured: false,
		},
		control: control === undefined ? null : wordsOfControl(control),
		lists: { disposable: false, suggestedDomain: null },
		findings: [],
		measured: new Set(['auth', 'parking', 'age', 'mailbox']),
		registrationEnded: false,
		ageNotTold: false,
		ownOutcome: null,
		...told.rest,
	};
}

/** The words for an invented recipient that was asked first. */
export function wordsOfControl(written: string): Wording | null {
	return compareReplies({ recipient: 'wvu@x.test', reply: makeReply(written) }, { invented: [] }).target;
}
