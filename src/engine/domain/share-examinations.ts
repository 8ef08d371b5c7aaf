import type { DomainFacts } from '../../core/catchall/domain-facts.ts';
import type { ExpiringMap } from '../../lib/expiring-map.ts';
import { EXAMINATION_MS_MAX } from './examine-domain.ts';
import type { JudgePorts } from '../judge-catch-all.ts';
import type { Clock } from '../ports.ts';
import { withinTime } from './within-time.ts';

type ExamineDomain = JudgePorts['examineDomain'];

/** Examinations under way, by domain and first mail host. */
export type RunningExaminations = ExpiringMap<Promise<DomainFacts>>;

// An examination that is late by more than this has ended with its Worker invocation.
const MARGIN_MS = 500;

/**
 * Shares one examination between simultaneous requests for the same domain: single calls, and parts of a task, which
 * start together. Later requests find the facts in the cache. An examination that is short of time is not shared, and
 * one that never ends is not waited for.
 */
export function shareExaminations(
	clock: Clock,
	running: RunningExaminations,
	examine: ExamineDomain,
): ExamineDomain {
	return async (domain, question) => {
		const key = `${domain}/${question.mailHosts[0] ?? ''}`;
		const begun = clock.now();
		const other = running.get(key, begun);
		if (other !== undefined) {
			const patience = Math.min(EXAMINATION_MS_MAX + MARGIN_MS, question.deadline - begun);
			const facts = await withinTime(clock, patience, () => other);
			if (facts !== null) return facts;
		}
		const examination = examine(domain, question);
		const now = clock.now();
		if (question.deadline - now < EXAMINATION_MS_MAX) return examination;
		running.set(key, examination, now + EXAMINATION_MS_MAX + MARGIN_MS);
		const facts = await examination;
		if (running.get(key, clock.now()) === examination) running.set(key, examination, 0);
		return facts;
	};
}
