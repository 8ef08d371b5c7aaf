import { readName } from '../core/turns/names.ts';
import { pausedBecause, UNBLEMISHED } from '../core/turns/pause.ts';
import type { Standing } from '../core/turns/pause.ts';
import { OPERATORS_MAX, PAUSED_MAX } from '../wire/prober-state.ts';
import type { WireOperator, WireState } from '../wire/prober-state.ts';
import type { ProberMemory } from './memory.ts';
import type { Turns } from './turns/turns.ts';

/** How each source address stands to each operator that was asked of late, what is left of the budget, and who waits. */
export function stateOfOperators(
	groups: ReturnType<Turns['overview']>,
	memory: Pick<ProberMemory, 'standing'>,
	now: number,
): WireOperator[] {
	return groups
		.toSorted((a, b) => b.backlog - a.backlog)
		.slice(0, OPERATORS_MAX)
		.map(({ name, party, ...figures }) => ({
			...figures,
			operator: party,
			standing: standingOf(memory.standing(name) ?? UNBLEMISHED, now),
		}));
}

function standingOf(standing: Standing, now: number): WireOperator['standing'] {
	const { pause, factor, struckAt, listedSince } = standing;
	return {
		kind: kindOf(standing, now),
		share: factor,
		refusals: struckAt === null ? 0 : 1,
		until: pause?.until ?? null,
		listedSince,
	};
}

function kindOf({ pause, factor, listedSince }: Standing, now: number): WireOperator['standing']['kind'] {
	if (pause !== null && now < pause.until) return listedSince === null ? 'paused' : 'quarantined';
	if (pause !== null) return 'trying';
	return factor < 1 ? 'slowed' : 'good';
}

/** The parties that are left alone at `now`, of the standings by name: first those that every asker waits for, then the longest pauses. */
export function pausedParties(
	standings: readonly { readonly name: string; readonly standing: Standing }[],
	now: number,
): WireState['paused'] {
	return standings
		.flatMap(({ name, standing }) => {
			const pause = pausedBecause(standing, now);
			const of = readName(name);
			return pause === null || of === null ? [] : [{ ...of, ...pause }];
		})
		.toSorted((a, b) => Number(a.only !== null) - Number(b.only !== null) || b.until - a.until)
		.slice(0, PAUSED_MAX);
}
