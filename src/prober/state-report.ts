import { everybodysName } from '../core/politeness/mail-host.ts';
import type { Standing } from '../core/politeness/pause.ts';
import type { Budgets } from './budgets.ts';
import type { Lines } from './lines.ts';

/** What there is to be told of. */
interface Told {
	readonly egresses: readonly { readonly label: string }[];
	readonly budgets: Pick<Budgets, 'warmthOf'>;
	readonly lines: Pick<Lines, 'overview'>;
	readonly standings: readonly { readonly name: string; readonly standing: Standing }[];
	readonly now: number;
}

/**
 * How each source address stands to each operator, for whoever looks after the prober: how much of the budget is left,
 * who waits, until when all is promised, and what was refused. No address of anybody.
 */
export function stateOf({ egresses, budgets, lines, standings, now }: Told) {
	const byName = new Map(standings.map(({ name, standing }) => [name, standing]));
	return {
		egresses: egresses.map(({ label }) => ({ name: label, warmth: budgets.warmthOf(label) })),
		operators: lines.overview().map(({ bookedUntil, ...group }) => {
			const standing = byName.get(everybodysName(group)) ?? null;
			return { ...group, bookedUntil: timeOf(bookedUntil), standing: standingOf(standing, now) };
		}),
		standings: standings.map(({ name, standing }) => ({ name, ...standingOf(standing, now) })),
	};
}

function standingOf(standing: Standing | null, now: number) {
	if (standing === null)
		return { kind: 'good', share: 1, refused: 0, until: null, why: null, listedSince: null };
	const { pause, share, refused, struckAt, listedSince } = standing;
	const isPaused = pause !== null && now < pause.until;
	const rest = pause === null ? (share < 1 ? 'slowed' : 'doubtful') : 'trying';
	const kind = isPaused ? (listedSince === null ? 'paused' : 'quarantined') : rest;
	return {
		kind,
		share,
		refused: refused + (struckAt === null ? 0 : 1),
		until: timeOf(pause?.until ?? null),
		why: pause?.why ?? null,
		listedSince: timeOf(listedSince),
	};
}

function timeOf(ms: number | null): string | null {
	return ms === null ? null : new Date(ms).toISOString();
}
