import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { proberSchema } from '../src/prober/config.ts';
import type { ProberBudgets } from './arguments.ts';
import { startChild } from './child.ts';
import type { Child } from './child.ts';

const MAIN = 'src/prober/main.ts';
const VARIABLES = Object.keys(proberSchema.shape);

/** Of a prober whose mail servers all run on this machine, unless it has its own. */
const OWN_WORLD = {
	// A made-up identity will do. Elsewhere it gets the source address listed, so there is no default.
	HELO_NAME: 'probe.mailsonar.test',
	MAIL_FROM: 'verify@probe.mailsonar.test',
	// No server of the Internet is asked about a world of our own.
	PROBER_CONTROL: 'none',
};
// Mail servers of our own have no owner to protect, and a list of thousands must not take the day that strangers are
// owed.
const LIFTED = { connectionsPerMinute: 60_000, recipientsPerMinute: 600_000, recipientsPerDay: 100_000_000 };
const PATIENCE = { PROBER_BUDGETS: JSON.stringify({ all: LIFTED }), PROBER_WARM: 'all' };

/** A prober on this machine. */
export interface LocalProber extends Child {
	/** The value for PROBERS, with the token. */
	readonly probers: string;
	readonly token: string;
	/** Kills the process without a shutdown, as a crash would. */
	kill(): Promise<void>;
}

/** The prober's variables; null: others are named, it is switched off, or HELO_NAME or MAIL_FROM is missing. */
export function proberVariables(vars: Readonly<Record<string, string>>): Record<string, string> | null {
	if (vars['PROBERS'] !== undefined || vars['SMTP_EGRESS'] === '') return null;
	const named = Object.entries(vars).filter(([name, value]) => VARIABLES.includes(name) && value !== '');
	const variables: Record<string, string> = Object.fromEntries(named);
	const { HELO_NAME, MAIL_FROM } = { ...(isOwnWorld(variables) ? OWN_WORLD : {}), ...variables };
	return HELO_NAME === undefined || MAIL_FROM === undefined ? null : variables;
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
function programOf({ fileBlocks, execArgv: more = [] }: LocalProberOptions) {
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
			...Object.fromEntries(VARIABLES.map((name) => [name, ''])),
			...(isOwnWorld(vars) ? OWN_WORLD : {}),
			...(budgets === 'lifted' && isOwnWorld(vars) ? PATIENCE : {}),
			...vars,
			PROBER_TOKEN: token,
			PROBER_LISTEN: `127.0.0.1:${port}`,
			PROBER_STATE: join(stateFolder, 'prober.sqlite'),
			NODE_COMPILE_CACHE: 'node_modules/.cache/mailsonar-prober',
		},
		urlIn: (message) => (message as { readonly url?: string }).url,
		shows: () => output === 'show',
		leaveBy: 'SIGKILL',
	});
	const kill = async (): Promise<void> => {
		prober.process.kill('SIGKILL');
		await prober.ended;
	};
	const probers = `http://${token}@${new URL(prober.url).host}`;
	return { ...prober, probers, token, kill };
}
