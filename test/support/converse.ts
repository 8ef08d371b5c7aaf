import { SmtpSession } from '../../src/core/smtp/session.ts';
import type { SessionPlan, SessionReport } from '../../src/core/smtp/session.ts';
import { carryOn, hangUp } from '../../src/prober/conversation.ts';
import type { Clock } from '../../src/lib/time.ts';
import type { Connection } from '../../src/prober/dial/egress-dialer.ts';

/** Holds one conversation over an open connection, as the prober does, and leaves. `deadline` in epoch milliseconds. */
export async function converse(
	clock: Clock,
	connection: Connection,
	plan: SessionPlan,
	deadline: number,
): Promise<SessionReport> {
	const session = new SmtpSession(plan, null, () => clock.now());
	await carryOn(clock, connection, session, deadline);
	await hangUp({ connection, session });
	return session.report();
}
