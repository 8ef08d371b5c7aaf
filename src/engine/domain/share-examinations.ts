import type { DomainFacts } from '../../core/catchall/domain-facts.ts';
import type { ExpiringMap } from '../../lib/expiring-map.ts';
import { EXAMINATION_MS_MAX } from './examine-domain.ts';
import type { JudgePorts } from '../judge-catch-all.ts';
import type { Clock } from '../ports.ts';
import { withinTime } from './within-time.ts';

type ExamineDomain = JudgePorts['examineDomain'];

/** Examinations under way, by domain and first mail host. */
export type RunningExaminations = ExpiringMap<Promise<DomainFacts>>;

// An examination that is late by more than this has died with its invocation.
const MARGIN_MS = 500;

/**
 * Shares one examination between requests for the same domain at the same time: parts of a task, which begin together,
 * and simultaneous calls. Later requests find the facts in the cache. An examination that is short of time or never ends
 * is not shared.
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
		const own = examine(domain, question);
		const now = clock.now();
		if (question.deadline - now < EXAMINATION_MS_MAX) return own;
		running.set(key, own, now + EXAMINATION_MS_MAX + MARGIN_MS);
		const facts = await own;
		if (running.get(key, clock.now()) === own) running.set(key, own, 0);
		return facts;
	};
}
