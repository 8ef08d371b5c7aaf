import type { OperatorName } from '../../core/mail-operators/operators.ts';
import type { LineState, SessionReport, SmtpSession } from '../../core/smtp/session.ts';
import { interpretSession } from '../../core/verification/interpret-session.ts';
import type { Place } from './places.ts';
import type { Connection, SenderIdentity } from '../ports.ts';

/** An open connection between two conversations. */
export interface Idle {
	readonly connection: Connection;
	readonly identity: SenderIdentity;
	readonly egress: string;
	readonly state: LineState;
	readonly session: SmtpSession;
}

/** A connection that the prober holds, or a place for one that is being opened. */
export interface Line extends Place {
	idleSince: number | null;
	isClosing: boolean;
	left: number;
	/** The share whose question uses it, or used it last. */
	share: string;
	/** The party of the host that it was asked for last. */
	party: string;
	idle: Idle | null;
	/** Ends the wait for its next use. */
	patience: AbortController | null;
}

/** A server that said something, or hung up, without a question is of no more use: what it says next answers nothing. */
export async function isStillThere(idle: Idle): Promise<Idle | null> {
	const { kind } = await idle.connection.read(0);
	if (kind === 'timeout') return idle;
	void idle.connection.close();
	return null;
}

/** Says goodbye out of courtesy, and closes without waiting for the answer. */
export async function hangUp(connection: Connection, session: Pick<SmtpSession, 'farewell'>): Promise<void> {
	const farewell = session.farewell();
	try {
		if (farewell.length > 0) await connection.write(farewell);
	} finally {
		await connection.close();
	}
}

/** Postscreen answers truly to those who come again: the connection that it put off stays put off (4.3.2). */
export function isDeferring(report: SessionReport, operator: OperatorName | null): boolean {
	return report.targets.some(
		(_, index) => interpretSession(report, operator, index).advice === 'ask_again_soon',
	);
}

/** An old connection brought no answer, which is about the connection. */
export function isStale({ targets, end }: SessionReport): boolean {
	return (
		end.kind !== 'smtputf8_missing' &&
		end.kind !== 'tls_failed' &&
		targets.every(({ reply }) => reply === null)
	);
}
