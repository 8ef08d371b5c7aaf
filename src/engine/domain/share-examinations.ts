import type { DomainFacts } from '../../core/catchall/domain-facts.ts';
import type { ExpiringMap } from '../../lib/expiring-map.ts';
import { LOOK_MS_MAX } from './examine-domain.ts';
import type { JudgePorts } from '../judge-catch-all.ts';
import type { Clock } from '../ports.ts';
import { withinTime } from './within-time.ts';

type Look = JudgePorts['examineDomain'];

/** Looks that are on their way, by domain and first mail host. */
export type RunningLooks = ExpiringMap<Promise<DomainFacts>>;

// What is late by more than this has died with the invocation that it belonged to.
const MARGIN_MS = 500;

/**
 * Makes one look of several at the same domain at the same time: the parts of a task, which begin together, and calls
 * that come together. Afterwards the cache knows. A look that is short of time, or that never ends, is nobody else's.
 */
export function shareLooks(clock: Clock, running: RunningLooks, look: Look): Look {
	return async (domain, question) => {
		const key = `${domain}/${question.mailHosts[0] ?? ''}`;
		const begun = clock.now();
		const other = running.get(key, begun);
		if (other !== undefined) {
			const patience = Math.min(LOOK_MS_MAX + MARGIN_MS, question.deadline - begun);
			const facts = await withinTime(clock, patience, () => other);
			if (facts !== null) return facts;
		}
		const own = look(domain, question);
		const now = clock.now();
		if (question.deadline - now < LOOK_MS_MAX) return own;
		running.set(key, own, now + LOOK_MS_MAX + MARGIN_MS);
		const facts = await own;
		if (running.get(key, clock.now()) === own) running.set(key, own, 0);
		return facts;
	};
}
