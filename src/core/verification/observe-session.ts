import type { Observation } from '../politeness/pause.ts';
import type { SessionReport } from '../smtp/session.ts';
import type { Interpretation } from './interpret-session.ts';

// The rules of `core/smtp/reply-rules/blocked.ts` that read a list's name or words.
const SAYS_LISTED: ReadonlySet<string> = new Set(['blocked.dns_list', 'blocked.listed']);

/** What a conversation shows about our standing with the host; null: nothing. */
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
