/** A local queue works on one batch at a time, so parts can only run side by side within a batch. */
export const LOCAL_PARTS = 10;

/** `lifted`: our own mail servers may be asked without limit; `production`: as in production, warm-up included. */
export type ProberBudgets = 'lifted' | 'production';

/** The arguments of `npm start`: its own switches, and the rest for `wrangler dev`. */
export interface StartArguments {
	/** Real DNS and the configured egress instead of the sandbox. */
	readonly live: boolean;
	readonly port: number;
	readonly persistTo: string;
	readonly budgets: ProberBudgets;
	/** How many parts of lists run side by side. */
	readonly parts: number;
	/** Passed on to `wrangler dev` unchanged. */
	readonly wrangler: readonly string[];
}

const DEFAULT_PORT = 8787;
const DEFAULT_STATE = '.wrangler/state';
// As many as Cloudflare hands out in a batch.
const PARTS_MAX = 100;

/** Parses the command line. A `--var DOH_URL:…` selects another DNS, and so switches the sandbox off. */
export function readStartArguments(argv: readonly string[]): StartArguments {
	const wrangler: string[] = [];
	let live = false;
	let port = DEFAULT_PORT;
	let persistTo = DEFAULT_STATE;
	let parts = LOCAL_PARTS;
	let budgets = 'lifted';
	for (let index = 0; index < argv.length; index += 1) {
		const [name, inline] = splitOnce(argv[index] ?? '', '=');
		const value = (): string => inline ?? argv[(index += 1)] ?? '';
		if (name === '--live') live = true;
		else if (name === '--port') port = Number(value() || Number.NaN);
		else if (name === '--persist-to') persistTo = value();
		else if (name === '--budgets') budgets = value();
		else if (name === '--parts') parts = Number(value() || Number.NaN);
		else {
			if (name === '--var' && (inline ?? argv[index + 1] ?? '').startsWith('DOH_URL:')) live = true;
			wrangler.push(argv[index] ?? '');
		}
	}
	if (!Number.isInteger(port) || port < 0 || port > 65_535)
		throw new Error('--port is a number from 0 to 65535');
	if (persistTo === '') throw new Error('--persist-to needs a folder');
	if (!Number.isInteger(parts) || parts < 1 || parts > PARTS_MAX)
		throw new Error(`--parts is a number from 1 to ${PARTS_MAX}`);
	if (budgets !== 'lifted' && budgets !== 'production') throw new Error('--budgets is production or lifted');
	return { live, port, persistTo, budgets, parts, wrangler };
}

function splitOnce(text: string, separator: string): [string, string | undefined] {
	const at = text.indexOf(separator);
	return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}
