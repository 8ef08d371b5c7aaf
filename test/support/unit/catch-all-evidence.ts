import type { CatchAllEvidence, MailProbe } from '../../../src/core/catchall/evidence.ts';
import { readInvented } from '../../../src/core/catchall/evidence.ts';
import type { Signal, SignalGroup } from '../../../src/core/catchall/scorecard.ts';
import { findMailOperator } from '../../../src/core/mail-operators/find-operator.ts';
import { interpretSession } from '../../../src/core/verification/interpret-session.ts';
import { makeReply, makeReport } from './session-report.ts';
import type { Heard } from './session-report.ts';

export const OK = '250 2.1.5 ok';
export const NO_SUCH_USER = '550 5.1.1 no such user';

export const GOOGLE = 'aspmx.l.google.com';
export const PROOFPOINT = 'mxa-0050be01.gslb.pphosted.com';
export const MIMECAST = 'eu-smtp-inbound-1.mimecast.com';
export const YAHOO = 'mta5.am0.yahoodns.net';

/** A signal of any group. */
export const makeSignal = (group: SignalGroup, points: number, label = `${group}:any`): Signal => ({
	group,
	label,
	points,
	text: `What ${label} says.`,
});

export interface Told extends Heard {
	/** The MX host that answered. */
	readonly host?: string;
	readonly hosts?: number;
	readonly implicit?: boolean;
	readonly viaBackup?: boolean;
	readonly greeting?: string;
	/** Replaces the conversation. */
	readonly probe?: MailProbe;
	/** The answer to an invented recipient that was asked first, in another conversation. */
	readonly control?: string;
	readonly rest?: Partial<CatchAllEvidence>;
}

/** Evidence about ada@x.test. By default the server accepted it and three invented recipients. */
export function makeEvidence(told: Told = {}): CatchAllEvidence {
	const { host = 'mail.x.test', implicit = false, viaBackup = false, control } = told;
	const operator = implicit ? null : findMailOperator([host]);
	const report = {
		...makeReport({ target: OK, invented: [OK, OK, OK], keywords: ['STARTTLS'], ...told }),
		transcript: [`S: ${told.greeting ?? '220 mail.x.test ESMTP'}`],
	};
	const interpretation = interpretSession(report, operator?.operator ?? null);
	const hosts = Array.from({ length: told.hosts ?? 1 }, (_, at) => (at === 0 ? host : `b${at}.x.test`));
	return {
		mail: {
			kind: 'hosts',
			hosts,
			implicit,
			probe: told.probe ?? { kind: 'heard', interpretation, report, viaBackup, operator },
		},
		invented: readInvented(report, operator?.operator ?? null),
		control: control === undefined ? null : { recipient: 'wvu@x.test', reply: makeReply(control) },
		lists: { disposable: false, suggestedDomain: null },
		signals: [],
		measured: new Set(['auth', 'parking', 'age', 'mailbox']),
		registrationEnded: false,
		ageNotTold: false,
		ownOutcome: null,
		...told.rest,
	};
}
