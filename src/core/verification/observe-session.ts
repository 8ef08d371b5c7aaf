import type { Observation } from '../politeness/pause.ts';
import type { SessionReport } from '../smtp/session.ts';
import type { Interpretation } from './interpret-session.ts';

/** What a conversation shows about our standing with the host; null: nothing. */
export function observeSession(
	{ target }: Interpretation,
	{ stage }: Pick<SessionReport, 'stage'>,
	domain: string,
): Observation | null {
	if (target.kind !== 'unknown') return { kind: 'served' };
	const { why } = target;
	return why === 'probe_blocked' || why === 'rate_limited' ? { kind: 'refused', why, stage, domain } : null;
}
