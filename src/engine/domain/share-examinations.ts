import type { DomainFacts } from '../../core/catchall/domain.ts';
import type { ExpiringMap } from '../../lib/expiring-map.ts';
import type { JudgePorts } from '../case.ts';
import type { Clock } from '../ports.ts';
import { EXAMINATION_MS_MAX } from './examine-domain.ts';
import { withinTime } from './within-time.ts';

// An examination that is late by more than this has ended with its Worker invocation.
const MARGIN_MS = 500;

/**
 * Shares one examination between simultaneous requests for a domain: the parts of a task start together, and a registry
 * takes one question a second. One that is short of time is not shared, and one that never ends is not waited for.
 */
export function shareExaminations(
	clock: Clock,
	running: ExpiringMap<Promise<DomainFacts>>,
	examine: JudgePorts['examineDomain'],
): JudgePorts['examineDomain'] {
	return async (domain, deadline) => {
		const begun = clock.now();
		const other = running.get(domain, begun);
		const patienceMs = Math.min(EXAMINATION_MS_MAX + MARGIN_MS, deadline - begun);
		const shared = other === undefined ? null : await withinTime(clock, patienceMs, () => other);
		if (shared !== null) return shared;
		const examination = examine(domain, deadline);
		const now = clock.now();
		if (deadline - now >= EXAMINATION_MS_MAX)
			running.set(domain, examination, now + EXAMINATION_MS_MAX + MARGIN_MS);
		return examination;
	};
}
