import { textTable } from '../src/lib/text-table.ts';

/** A prober as the operators' API tells of it. */
export type ToldProber =
	| {
			readonly prober: string;
			readonly draining: boolean;
			readonly connections: number;
			readonly waiting: number;
			readonly stateFails: boolean;
			readonly egresses: readonly string[];
			readonly paused: readonly {
				readonly egress: string;
				readonly operator: string;
				readonly asker: string | null;
				readonly why: string;
				readonly until: string;
			}[];
	  }
	| { readonly prober: string; readonly silent: string };

const HEAD = [
	'PROBER',
	'STATE',
	'CONNECTIONS',
	'WAITING',
	'DISK',
	'SOURCE ADDRESS',
	'OPERATOR',
	'LEFT ALONE UNTIL',
];
const SILENT: Readonly<Record<string, string>> = {
	silent: 'does not answer',
	unreachable: 'cannot be reached',
	refuses_token: 'refuses our token',
	nonsense: 'answers nonsense',
};

/** All probers as one table: a line for each source address, and one for each operator that it leaves alone. */
export function egressTable(probers: readonly ToldProber[]): string {
	if (probers.length === 0) return 'No prober is configured: set PROBERS';
	return textTable([HEAD, ...probers.flatMap(rowsOf)]);
}

function rowsOf(told: ToldProber): readonly (readonly string[])[] {
	if ('silent' in told) return [[told.prober, SILENT[told.silent] ?? told.silent]];
	const own = [
		told.prober,
		told.draining ? 'drains' : 'works',
		String(told.connections),
		String(told.waiting),
		told.stateFails ? 'FAILS' : 'ok',
	];
	// What it paused by a way out that it has no more is told too.
	const egresses = [...new Set([...told.egresses, ...told.paused.map(({ egress }) => egress)])];
	const lines = egresses.flatMap((egress) => {
		const paused = told.paused.filter((party) => party.egress === egress);
		if (paused.length === 0) return [[egress, '–', '–']];
		return paused.map(({ operator, asker, why, until }) => {
			const whose = asker === null ? operator : `${operator}, for ${asker}`;
			return [egress, whose, `${until} (${why.replaceAll('_', ' ')})`];
		});
	});
	return lines.map((line, index) => [...(index === 0 ? own : own.map(() => '')), ...line]);
}
