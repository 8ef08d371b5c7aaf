import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import type { ProberBudgets } from './arguments.ts';
import { startChild } from './child.ts';
import type { Child } from './child.ts';

const MAIN = 'src/prober/main.ts';

/** The variables of the prober. The Worker reads ALLOW_PRIVATE_MX too. */
export const PROBER_VARIABLES: readonly string[] = [
	'SMTP_EGRESS',
	'SMTP_PORT',
	'HELO_NAME',
	'MAIL_FROM',
	'ALLOW_PRIVATE_MX',
	'PROBER_BUDGETS',
	'PROBER_WARM',
	'PROBER_CONTROL',
];

// A made-up identity will do if all mail servers run on this machine. Elsewhere it gets the source address listed, so
// there is no default.
const IDENTITY_OF_TESTS = { HELO_NAME: 'probe.mailsonar.test', MAIL_FROM: 'verify@probe.mailsonar.test' };

// Mail servers of our own have no owner to protect, and a list of thousands must not take the day that strangers are
// owed.
const BUDGETS_OF_TESTS = JSON.stringify({
	all: {
		connectionsPerMinute: 60_000,
		recipientsPerMinute: 600_000,
		recipientsPerDay: 100_000_000,
	},
});
// No server of the Internet is asked about a world of our own.
const CONTROL_OF_TESTS = { PROBER_CONTROL: 'none' };
const PATIENCE_OF_TESTS = { PROBER_BUDGETS: BUDGETS_OF_TESTS, PROBER_WARM: 'all' };

/** A prober on this machine. */
export interface LocalProber extends Child {
	/** The value for PROBERS, with the token. */
	readonly probers: string;
	readonly token: string;
	readonly pid: number;
	/** Kills the process without a shutdown, as a crash would. */
	kill(): Promise<void>;
}

/** The prober's variables; null: it is switched off, or HELO_NAME or MAIL_FROM is missing. */
export function proberVariables(vars: Readonly<Record<string, string>>): Record<string, string> | null {
	if (vars['SMTP_EGRESS'] === '') return null;
	const named = PROBER_VARIABLES.flatMap((name) => {
		const value = vars[name] ?? '';
		return value === '' ? [] : [[name, value] as const];
	});
	const variables = { ...(isOwnWorld(vars) ? IDENTITY_OF_TESTS : {}), ...Object.fromEntries(named) };
	return 'HELO_NAME' in variables && 'MAIL_FROM' in variables ? variables : null;
}

function isOwnWorld(vars: Readonly<Record<string, string>>): boolean {
	return (
		(vars['ALLOW_PRIVATE_MX'] ?? 'false') !== 'false' || /@?(?:127\.|\[::1\])/.test(vars['SMTP_EGRESS'] ?? '')
	);
}

export interface LocalProberOptions {
	readonly stateFolder: string;
	readonly output: 'show' | 'hide';
	/** Left out: lifted towards mail servers on this machine. */
	readonly budgets?: ProberBudgets;
	/** Left out: any free port. */
	readonly port?: number;
	/** Left out: a random token. */
	readonly token?: string;
	/** A full disk: no file may be longer than so many blocks of `ulimit -f`. */
	readonly fileBlocks?: number;
	/** More arguments of Node. */
	readonly execArgv?: readonly string[];
}

/** Node, by a shell that limits its files first. */
function programOf({ fileBlocks, execArgv: more = [] }: LocalProberOptions): {
	execPath?: string;
	execArgv: string[];
} {
	const execArgv = ['--disable-warning=ExperimentalWarning', '--max-semi-space-size=2', ...more];
	if (fileBlocks === undefined) return { execArgv };
	const limited = `ulimit -f ${fileBlocks}; exec "$0" "$@"`;
	return { execPath: '/bin/sh', execArgv: ['-c', limited, process.execPath, ...execArgv] };
}

/** Starts a prober on loopback and resolves when it takes questions. */
export async function startLocalProber(
	vars: Readonly<Record<string, string>>,
	options: LocalProberOptions,
): Promise<LocalProber> {
	const { stateFolder, output, budgets = 'lifted', port = 0 } = options;
	const { token = randomBytes(24).toString('hex') } = options;
	mkdirSync(stateFolder, { recursive: true });
	const prober = await startChild(MAIN, [], {
		name: 'The prober',
		stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
		...programOf(options),
		env: {
			...process.env,
			...Object.fromEntries(PROBER_VARIABLES.map((name) => [name, ''])),
			...(isOwnWorld(vars) ? CONTROL_OF_TESTS : {}),
			...(budgets === 'lifted' && isOwnWorld(vars) ? PATIENCE_OF_TESTS : {}),
			...vars,
			PROBER_TOKEN: token,
			PROBER_LISTEN: `127.0.0.1:${port}`,
			PROBER_STATE: join(stateFolder, 'prober.sqlite'),
			NODE_COMPILE_CACHE: 'node_modules/.cache/mailsonar-prober',
		},
		urlIn: (message) => (message as { readonly url?: string }).url,
		shows: () => output === 'show',
		leaveBy: 'SIGKILL',
		stopMs: 5_000,
	});
	const kill = async (): Promise<void> => {
		prober.process.kill('SIGKILL');
		await prober.ended;
	};
	const probers = `http://${token}@${new URL(prober.url).host}`;
	return { ...prober, probers, token, pid: prober.process.pid ?? 0, kill };
}
