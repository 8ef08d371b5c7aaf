import { readStandingName } from '../core/politeness/mail-host.ts';
import { pausedBecause } from '../core/politeness/pause.ts';
import type { Standing } from '../core/politeness/pause.ts';
import { PAUSED_MAX } from '../wire/prober-state.ts';
import type { WireState } from '../wire/prober-state.ts';

/** Who is left alone at `now`, of the standings by name: what holds everybody up first, then the longest pauses. */
export function pausedParties(
	standings: readonly { readonly name: string; readonly standing: Standing }[],
	now: number,
): WireState['paused'] {
	return standings
		.flatMap(({ name, standing }) => {
			const pause = pausedBecause(standing, now);
			const of = readStandingName(name);
			return pause === null || of === null ? [] : [{ ...of, ...pause }];
		})
		.toSorted((a, b) => Number(a.asker !== null) - Number(b.asker !== null) || b.until - a.until)
		.slice(0, PAUSED_MAX);
}
