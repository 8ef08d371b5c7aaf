import { COMMAND_TIMEOUT_MS } from '../core/smtp/limits.ts';
import type { SmtpSession } from '../core/smtp/session.ts';
import type { Clock, Connection } from './ports.ts';

export const CONNECT_TIMEOUT_MS = 8_000;
// Less than this is not enough for a conversation on a real path.
export const CONVERSATION_MS_MIN = 2_000;

/**
 * Leads one SMTP conversation over an open connection to its end, and leaves the connection as it is then. `deadline`
 * (epoch ms) bounds the whole of it, however the server drips its bytes.
 *
 * @param heard called when something was said
 */
export async function carryOn(
	clock: Clock,
	connection: Connection,
	session: SmtpSession,
	deadline: number,
	heard: () => void = () => {},
): Promise<void> {
	session.tick(clock.now());
	let toWrite = session.open();
	let repliesHeard = -1;
	let patienceEnds = 0;
	heard();
	for (;;) {
		if (toWrite.length > 0) await connection.write(toWrite);
		if (session.ended) return;
		// Counted per reply, not per read: a byte a second is no answer.
		if (session.repliesHeard > repliesHeard) patienceEnds = clock.now() + session.patienceMs;
		({ repliesHeard } = session);
		const read = await connection.read(Math.max(0, Math.min(patienceEnds, deadline) - clock.now()));
		session.tick(clock.now());
		if (read.kind !== 'bytes') return session.giveUp(read.kind);
		toWrite = session.receive(read.bytes);
		heard();
		if (session.wantsHandshake) {
			const limitMs = Math.max(0, Math.min(COMMAND_TIMEOUT_MS, deadline - clock.now()));
			toWrite = session.handshook((await connection.secure?.(limitMs)) ?? 'failed');
		}
	}
}
