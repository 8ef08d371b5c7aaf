import { machineOf } from '../core/politeness/mail-host.ts';
import type { Trace } from '../core/verification/trace.ts';
import type { Tried } from '../engine/question.ts';
import type { Conversations, Conversed } from './conversation.ts';
import { HostVisit, leftAlone } from './host-visit.ts';
import type { HostAnswer, HostQuestion, Stopped } from './host-visit.ts';
import type { Clock, StandingMemory } from './ports.ts';

export interface AskHostPorts {
	readonly clock: Clock;
	readonly conversations: Conversations;
	readonly standing: StandingMemory;
}

/** Where a mail host is asked. */
interface HostAt extends HostQuestion {
	/** Where it may be dialled. */
	readonly addresses: readonly string[];
	/** No host of better preference was asked before. */
	readonly isBest: boolean;
}

/** Who is told of what happens on the way. */
interface Witness {
	readonly trace: Trace;
	readonly tried: (attempt: Tried) => void;
}

/**
 * Asks one mail host about all targets, in as few connections as it bears. An answer is final once it is in; whom a
 * connection left unanswered is asked again by the next. Null: none of its addresses takes a connection.
 */
export async function askHost(
	ports: AskHostPorts,
	about: HostAt,
	witness: Witness,
): Promise<ReadonlyMap<string, HostAnswer> | null> {
	const { clock, conversations, standing } = ports;
	const { question, host, operator, isBest } = about;
	const { domain, asker, class: urgency, fresh, deadline } = question;
	const { trace } = witness;
	const visit = new HostVisit(about, (observation) => standing.observed(host, observation, asker));
	const done = (stopped: Stopped | null = null) => visit.answers(clock.now(), stopped);
	const machine = machineOf(about.addresses);
	for (const address of about.addresses) {
		for (;;) {
			const plan = visit.nextPlan(clock.now());
			if (plan === null) return done();
			const pause = visit.hasHeard && visit.isGroup ? standing.paused(host, asker) : null;
			if (pause !== null) return done(leftAlone(pause, host, urgency));
			const of = {
				domain,
				address,
				machine,
				host,
				operator: operator?.operator ?? null,
				asker,
				class: urgency,
				fresh,
			};
			const begun = clock.now();
			const conversed = await conversations.hold({ ...of, isBest, plan, deadline });
			noteAttempt({ host: host.host, address, begun, at: clock.now() }, conversed, witness);
			if (conversed.kind === 'paused') return done(leftAlone(conversed, host, urgency));
			if (conversed.kind === 'busy') return done({ kind: 'postponed', until: conversed.until });
			const { egress } = conversed;
			if (conversed.kind === 'no_connection') {
				trace({ step: 'dial', address, egress, outcome: conversed.why });
				// One that was there a moment ago had enough of us: its other addresses are no way around that.
				if (visit.hasHeard) return done();
				break;
			}
			const outcome = conversed.warm ? 'connected before' : 'connected';
			trace({ step: 'dial', address, egress, outcome });
			const { report, remembered } = conversed;
			const reading = visit.hear(report, remembered, clock.now());
			const by = { host: host.host, operator: operator?.operator ?? null };
			trace({ step: 'conversation', report, ...by, ...reading });
		}
	}
	return done();
}

/** A connection tells whether the way out leads anywhere; one that was open before does not. */
function noteAttempt(
	attempt: Pick<Tried, 'host' | 'address' | 'begun' | 'at'>,
	conversed: Conversed,
	{ tried }: Witness,
): void {
	if (conversed.kind === 'held' && !conversed.warm)
		tried({ ...attempt, egress: conversed.egress, worked: true, unexplained: false });
	if (conversed.kind !== 'no_connection') return;
	const unexplained = conversed.why === 'egress_cannot_reach';
	tried({ ...attempt, egress: conversed.egress, worked: false, unexplained });
}
