import { parseArgs } from 'node:util';
import type { ParseArgsConfig } from 'node:util';

/** The command line is invalid: the usage is shown. */
export class UsageError extends Error {
	override readonly name = 'UsageError';
}

/** Reads a command line with words beside its options. Throws `UsageError` for an option that there is not. */
export function readWords<T extends NonNullable<ParseArgsConfig['options']>>(
	args: readonly string[],
	options: T,
) {
	try {
		return parseArgs({ args: [...args], options, allowPositionals: true });
	} catch (error) {
		throw new UsageError((error as Error).message);
	}
}

/** A local queue works on one batch at a time, so parts can only run side by side within a batch. */
export const LOCAL_PARTS = 10;

/** `lifted`: our own mail servers may be asked without limit; `production`: as in production, warm-up included. */
export type ProberBudgets = 'lifted' | 'production';

const OPTIONS = {
	live: { type: 'boolean' },
	port: { type: 'string', default: '8787' },
	'persist-to': { type: 'string', default: '.wrangler/state' },
	budgets: { type: 'string', default: 'lifted' },
	parts: { type: 'string', default: String(LOCAL_PARTS) },
} as const;
// As many as Cloudflare hands out in a batch.
const PARTS_MAX = 100;

/**
 * The service that the arguments of `npm start` ask for: with real DNS and the configured egress instead of the sandbox, if
 * `--live` or a `--var DOH_URL:…` says so. What is none of ours is passed on to `wrangler dev` unchanged.
 */
export function readStartArguments(argv: readonly string[]) {
	const parsing = { options: OPTIONS, strict: false, allowPositionals: true, tokens: true } as const;
	const { values, tokens } = parseArgs({ args: [...argv], ...parsing });
	const whole = (name: 'port' | 'parts', least: number, most: number): number => {
		const number = Number(values[name] || Number.NaN);
		if (values[name] !== true && Number.isInteger(number) && number >= least && number <= most) return number;
		throw new Error(`--${name} is a number from ${least} to ${most}`);
	};
	const { live, budgets, 'persist-to': persistTo } = values;
	const port = whole('port', 0, 65_535);
	if (typeof persistTo !== 'string' || persistTo === '') throw new Error('--persist-to needs a folder');
	const parts = whole('parts', 1, PARTS_MAX);
	if (budgets !== 'lifted' && budgets !== 'production') throw new Error('--budgets is production or lifted');
	const ours = tokens.flatMap((token) =>
		token.kind === 'option' && Object.hasOwn(OPTIONS, token.name)
			? [token.index, ...(token.inlineValue === false ? [token.index + 1] : [])]
			: [],
	);
	const wrangler = argv.filter((_, index) => !ours.includes(index));
	const isLive = live !== undefined || namedVars(wrangler)['DOH_URL'] !== undefined;
	return { sandbox: isLive ? null : {}, port, persistTo, budgets, parts, wrangler } as const;
}

/** The variables given as `--var NAME:value`. */
export function namedVars(words: readonly string[]): Readonly<Record<string, string>> {
	const given = words.join('\0').matchAll(/(?:^|\0)--var[=\0]([A-Z_]+):([^\0]*)/g);
	return Object.fromEntries(Array.from(given, ([, name = '', value = '']) => [name, value]));
}
