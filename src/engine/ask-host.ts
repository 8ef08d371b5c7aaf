import { partyOfHost } from '../core/outages/parties.ts';
import type { PauseReason } from '../core/politeness/pause.ts';
import type { Trace } from '../core/verification/trace.ts';
import type { Conversations, Conversed } from './conversations-port.ts';
import { converseHere } from './converse.ts';
import { HostVisit } from './host-visit.ts';
import type { HostAnswer, HostQuestion } from './host-visit.ts';
import type { Clock, Dialer, StandingMemory, WaysOut } from './ports.ts';

export interface AskHostPorts {
	readonly clock: Clock;
	readonly dialer: Dialer;
	readonly standing: StandingMemory;
	/** Left out: nobody watches. */
	readonly waysOut?: WaysOut;
}

/** Where and by whom a mail host is asked. */
interface HostAt extends HostQuestion {
	/** Where it may be dialled. */
	readonly addresses: readonly string[];
	/** Who holds the conversations; null: they are held from here. */
	readonly exchanger: Conversations | null;
	/** No host of better preference was asked before. */
	readonly isBest: boolean;
}

/**
 * Asks one mail host about all targets, in as few connections as it bears. An answer is final once it is in; whom a
 * connection left unanswered is asked again by the next. Null: none of its addresses takes a connection.
 */
export async function askHost(
	ports: AskHostPorts,
	about: HostAt,
	trace: Trace,
): Promise<ReadonlyMap<string, HostAnswer> | null> {
	const { clock, dialer, standing } = ports;
	const { question, host, operator, exchanger, isBest } = about;
	const { domain, asker, urgency, deadline } = question;
	const visit = new HostVisit(about, (observation) => standing.observed(host, observation, asker));
	const done = (paused: PauseReason | null = null) => visit.answers(clock.now(), paused);
	for (const address of about.addresses) {
		for (;;) {
			const plan = visit.nextPlan(clock.now());
			if (plan === null) return done();
			const why = visit.hasHeard && visit.isGroup ? standing.paused(host, asker) : null;
			if (why !== null) return done(why);
			const of = { domain, address, host, operator: operator?.operator ?? null, asker };
			const request = { ...of, isBest, plan, deadline };
			const begun = clock.now();
			let conversed: Conversed | 'unavailable' = 'unavailable';
			if (exchanger !== null) conversed = await exchanger.hold(request);
			// What befalls the exchanger is nobody's answer, and for one address somebody waits.
			if (conversed === 'unavailable' || (conversed.kind === 'busy' && urgency === 'single'))
				conversed = await converseHere(clock, dialer, request);
			watch(ports, about, { address, conversed, begun });
			if (conversed.kind === 'paused') return done(conversed.why);
			if (conversed.kind === 'busy') return done('rate_limited');
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
			const interpretation = visit.hear(report, remembered, clock.now());
			trace({ step: 'conversation', report, interpretation, operator: operator?.operator ?? null });
		}
	}
	return done();
}

/** A connection tells whether the way out leads anywhere; one that was open before does not. */
function watch(
	{ clock, waysOut }: AskHostPorts,
	{ host, operator }: HostAt,
	tried: { readonly address: string; readonly conversed: Conversed; readonly begun: number },
): void {
	const { address, conversed, begun } = tried;
	const worked = conversed.kind === 'held';
	if (worked ? conversed.warm : conversed.kind !== 'no_connection') return;
	const party = partyOfHost(host.party, address, operator);
	const unexplained = conversed.kind === 'no_connection' && conversed.why === 'egress_cannot_reach';
	waysOut?.tried(host.egress, { ...party, begun, at: clock.now(), worked, unexplained });
}
