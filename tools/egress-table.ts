import { textTable } from '../src/lib/text.ts';
import type { WireOperator, WireState } from '../src/wire/prober-state.ts';

type Paused = WireState['paused'][number];

/** A prober as the operators' API tells of it: moments are texts there. */
export type ToldProber =
	| (Pick<WireState, 'draining' | 'connections' | 'waiting' | 'stateFails' | 'egresses'> & {
			readonly prober: string;
			readonly stateSetAsideAt: string | null;
			readonly paused: readonly (Omit<Paused, 'until'> & { readonly until: string })[];
			readonly operators?: readonly WireOperator[];
	  })
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

/** Each column about an operator that was asked of late: its head, and its cell. */
const BUDGETS: readonly (readonly [string, (asked: WireOperator) => string])[] = [
	['SOURCE ADDRESS', ({ egress }) => egress],
	['OPERATOR', ({ operator }) => operator],
	[
		'STANDING',
		({ standing: { kind, share } }) => (share === 1 ? kind : `${kind}, at ${Math.round(share * 100)} %`),
	],
	['CONNECTIONS', ({ connections }) => String(connections)],
	['WAITING', ({ backlog }) => String(backlog)],
	['LEFT THIS MINUTE', ({ leftThisMinute, perMinute }) => `${leftThisMinute} of ${perMinute}`],
	['LEFT TODAY', ({ leftToday, perDay }) => `${leftToday} of ${perDay}`],
	[
		'USED TODAY BY ACCOUNTS, TRIALS, VISITORS',
		({ usedToday: { accounts, trials, visitors } }) => [accounts, trials, visitors].join(', '),
	],
	['MOST TODAY', ({ mostToday }) => mostToday.map((each) => each.join(' ')).join(', ')],
];

/**
 * All probers as a table with a line for each source address, and one for each operator that it leaves alone. Below, for
 * the operators that were asked of late, what is left of their budgets.
 */
export function egressTable(probers: readonly ToldProber[]): string {
	if (probers.length === 0) return 'No prober is configured: set PROBERS';
	const asked = probers.flatMap((one) => ('silent' in one ? [] : (one.operators ?? [])));
	const budgets = asked.map((one) => BUDGETS.map(([, cell]) => cell(one)));
	const tables = [
		[HEAD, ...probers.flatMap(rowsOf)],
		...(budgets.length > 0 ? [[BUDGETS.map(([head]) => head), ...budgets]] : []),
	];
	return tables.map(textTable).join('\n\n');
}

/** A prober with a failing disk learns its limits again after a restart, slowly: worth knowing until then. */
function diskOf({ stateFails, stateSetAsideAt }: Exclude<ToldProber, { silent: string }>): string {
	if (stateFails) return 'FAILS';
	return stateSetAsideAt === null ? 'ok' : `set aside ${stateSetAsideAt}`;
}

function rowsOf(prober: ToldProber): readonly (readonly string[])[] {
	if ('silent' in prober) return [[prober.prober, SILENT[prober.silent] ?? prober.silent]];
	const cells = [
		prober.prober,
		prober.draining ? 'drains' : 'works',
		String(prober.connections),
		String(prober.waiting),
		diskOf(prober),
	];
	// Its pauses by a way out that it no longer has are shown, too.
	const egresses = [...new Set([...prober.egresses, ...prober.paused.map(({ egress }) => egress)])];
	const lines = egresses.flatMap((egress) => {
		const paused = prober.paused.filter((party) => party.egress === egress);
		if (paused.length === 0) return [[egress, '–', '–']];
		return paused.map(({ operator, only, why, until }) => {
			const whose = only === null ? operator : `${operator}, for ${only}`;
			return [egress, whose, `${until} (${why.replaceAll('_', ' ')})`];
		});
	});
	return lines.map((line, index) => [...(index === 0 ? cells : cells.map(() => '')), ...line]);
}
