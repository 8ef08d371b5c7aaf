import { textTable } from '../src/lib/text.ts';

/** A prober as the operators' API tells of it. */
export type ToldProber =
	| {
			readonly prober: string;
			readonly draining: boolean;
			readonly connections: number;
			readonly waiting: number;
			readonly stateFails: boolean;
			readonly stateSetAsideAt: string | null;
			readonly egresses: readonly string[];
			readonly paused: readonly {
				readonly egress: string;
				readonly operator: string;
				readonly only: string | null;
				readonly why: string;
				readonly until: string;
			}[];
			readonly operators?: readonly {
				readonly egress: string;
				readonly operator: string;
				readonly standing: { readonly kind: string; readonly share: number };
				readonly connections: number;
				readonly backlog: number;
				readonly perMinute: number;
				readonly perDay: number;
				readonly leftThisMinute: number;
				readonly leftToday: number;
				readonly usedToday: { readonly visitors: number; readonly trials: number; readonly accounts: number };
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

const BUDGET_HEAD = [
	'SOURCE ADDRESS',
	'OPERATOR',
	'STANDING',
	'CONNECTIONS',
	'WAITING',
	'LEFT THIS MINUTE',
	'LEFT TODAY',
	'USED TODAY BY ACCOUNTS, TRIALS, VISITORS',
];

/**
 * All probers as a table with a line for each source address, and one for each operator that it leaves alone. Below, for
 * the operators that were asked of late, what is left of their budgets.
 */
export function egressTable(probers: readonly ToldProber[]): string {
	if (probers.length === 0) return 'No prober is configured: set PROBERS';
	const budgets = probers.flatMap(budgetsOf);
	const tables = [
		[HEAD, ...probers.flatMap(rowsOf)],
		...(budgets.length > 0 ? [[BUDGET_HEAD, ...budgets]] : []),
	];
	return tables.map(textTable).join('\n\n');
}

function budgetsOf(told: ToldProber): readonly (readonly string[])[] {
	if ('silent' in told) return [];
	return (told.operators ?? []).map((asked) => {
		const { kind, share } = asked.standing;
		return [
			asked.egress,
			asked.operator,
			share === 1 ? kind : `${kind}, at ${Math.round(share * 100)} %`,
			String(asked.connections),
			String(asked.backlog),
			`${asked.leftThisMinute} of ${asked.perMinute}`,
			`${asked.leftToday} of ${asked.perDay}`,
			[asked.usedToday.accounts, asked.usedToday.trials, asked.usedToday.visitors].join(', '),
		];
	});
}

/** What is forgotten is learnt again, slowly: worth knowing until the next start. */
function diskOf({ stateFails, stateSetAsideAt }: Exclude<ToldProber, { silent: string }>): string {
	if (stateFails) return 'FAILS';
	return stateSetAsideAt === null ? 'ok' : `set aside ${stateSetAsideAt}`;
}

function rowsOf(told: ToldProber): readonly (readonly string[])[] {
	if ('silent' in told) return [[told.prober, SILENT[told.silent] ?? told.silent]];
	const own = [
		told.prober,
		told.draining ? 'drains' : 'works',
		String(told.connections),
		String(told.waiting),
		diskOf(told),
	];
	// What it paused by a way out that it has no more is told too.
	const egresses = [...new Set([...told.egresses, ...told.paused.map(({ egress }) => egress)])];
	const lines = egresses.flatMap((egress) => {
		const paused = told.paused.filter((party) => party.egress === egress);
		if (paused.length === 0) return [[egress, '–', '–']];
		return paused.map(({ operator, only, why, until }) => {
			const whose = only === null ? operator : `${operator}, for ${only}`;
			return [egress, whose, `${until} (${why.replaceAll('_', ' ')})`];
		});
	});
	return lines.map((line, index) => [...(index === 0 ? own : own.map(() => '')), ...line]);
}
