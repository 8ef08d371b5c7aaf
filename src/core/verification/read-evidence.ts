import { MODEL } from '../catchall/table.ts';
import { finished } from './evidence.ts';
import type { Evidence, TimedStep } from './evidence.ts';
import { SUB_STATUSES } from './sub-status.ts';
import type { TraceEvent } from './trace.ts';

/** A step of the trace, and when it happened (epoch ms). */
export interface TimedEvent {
	readonly event: TraceEvent;
	readonly at: number;
}

/** The steps of an examination that began at this time (epoch ms), in order. */
export function evidenceOf(events: readonly TimedEvent[], begun: number): readonly Evidence[] {
	const steps = finished(events.flatMap(stepsOf));
	const times = inOrder(steps.map(({ at }) => at));
	return steps.map(({ at, ...step }, index) => ({
		...step,
		at_ms: Math.max(0, Math.round((times[index] ?? at) - begun)),
	}));
}

/** A prober notes a connection when its conversation is over: it was before that. */
function inOrder(times: readonly number[]): readonly number[] {
	let next = Infinity;
	return times
		.toReversed()
		.map((at) => (next = Math.min(next, at)))
		.toReversed();
}

function stepsOf({ event, at }: TimedEvent): readonly TimedStep[] {
	switch (event.step) {
		case 'lists':
			return [{ step: 'list', at, text: listWords(event.facts), source: 'lists' }];
		case 'route': {
			const { route, operator } = event;
			const rule =
				operator === null ? {} : { rule: `operator.${operator.operator}`, source: 'mail-operators' };
			if (route.kind !== 'hosts') return [{ step: 'dns', at, text: route.kind, ...rule }];
			const text = route.implicit ? 'no MX: the domain itself' : `MX ${route.hosts.join(', ')}`;
			return [{ step: 'dns', at, text, ...rule }];
		}
		case 'host':
			return [{ step: 'dns', at, host: event.host, text: event.found }];
		case 'asked':
			return event.evidence;
		case 'score':
			return [{ step: 'score', at, text: `${event.score} of 100: ${event.verdict}`, source: MODEL }];
		case 'decision':
			return [{ step: 'rule', at, rule: event.subStatus, text: SUB_STATUSES[event.subStatus].reason }];
	}
}

function listWords(facts: Extract<TraceEvent, { step: 'lists' }>['facts']): string {
	const words = [
		facts.disposable ? 'disposable domain' : null,
		facts.freeEmail ? 'free provider' : null,
		facts.roleAccount ? 'role account' : null,
		facts.noReply ? 'no-reply' : null,
		facts.suggestedDomain === null ? null : `probably meant ${facts.suggestedDomain}`,
	].filter((word) => word !== null);
	return words.join(', ') || 'nothing known';
}
