import type { Observation } from '../politeness/pause.ts';
import type { SessionReport } from '../smtp/session.ts';
import type { Interpretation } from './interpret-session.ts';

// Rules of `core/smtp/reply-rules/blocked.ts` that recognise a block list by its name or wording.
const SAYS_LISTED: ReadonlySet<string> = new Set(['blocked.dns_list', 'blocked.listed']);

/** Returns what a conversation shows about our standing with the host, or null. */
export function observeSession(
	{ target, rule }: Interpretation,
	{ stage }: Pick<SessionReport, 'stage'>,
	domain: string,
): Observation | null {
	if (target.kind !== 'unknown') return { kind: 'served' };
	const { why } = target;
	if (why !== 'probe_blocked' && why !== 'rate_limited') return null;
	const refused = { kind: 'refused', why, stage, domain } as const;
	return rule !== null && SAYS_LISTED.has(rule) ? { ...refused, listed: true } : refused;
}
