import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { SANDBOX_RANGE, startSandbox } from '../test/sandbox/world.ts';
import type { Sandbox, SandboxOptions } from '../test/sandbox/world.ts';
import { proberVariables, startLocalProber } from './local-prober.ts';
import type { LocalProber } from './local-prober.ts';
import { LOCAL_PARTS, namedVars } from './arguments.ts';
import type { ProberBudgets } from './arguments.ts';
import { ensureDevVars, operatorToken } from './dev-vars.ts';
import { applyMigrations } from './local-migrations.ts';
import { startWranglerDev } from './wrangler-dev.ts';

const CONFIG = 'wrangler.toml';

export interface LocalServiceOptions {
	/** Options of the sandbox to start with the service; null: real DNS, or what `wrangler` configures. */
	readonly sandbox?: SandboxOptions | null;
	/** 0, or left out: any free port. */
	readonly port?: number;
	readonly persistTo: string;
	/** The prober's budgets towards mail servers on this machine; left out: lifted. */
	readonly budgets?: ProberBudgets;
	/** How many parts of lists run side by side; left out: ten. */
	readonly parts?: number;
	/** Further arguments for `wrangler dev`. */
	readonly wrangler?: readonly string[];
	/** Variables of the Worker; those in `wrangler` take precedence. */
	readonly vars?: Readonly<Record<string, string>>;
	/** Where the Worker's log goes; left out: nowhere. */
	readonly output?: 'show' | 'hide';
}

export type LocalService = Awaited<ReturnType<typeof startLocalService>>;

/** Makes secrets and tables, starts the sandbox mail world, a prober and `wrangler dev`, and resolves when all answer. */
export async function startLocalService(options: LocalServiceOptions) {
	const { persistTo, port = 0, output = 'hide', parts = LOCAL_PARTS, budgets = 'lifted' } = options;
	const { wrangler: words = [] } = options;
	/** The operator's. */
	const token = operatorToken(ensureDevVars());
	const config = writeLocalConfig(parts);
	applyMigrations(persistTo, config);
	const sandbox = options.sandbox === null ? null : await startSandbox(options.sandbox);
	const given = { ...(sandbox === null ? {} : sandboxVars(sandbox)), ...options.vars };
	const named = namedVars(words);
	/** Null: PROBERS names others, or there is no way to reach mail servers. */
	let prober: LocalProber | null = null;
	try {
		const asking = proberVariables({ ...given, ...named });
		prober = asking && (await startLocalProber(asking, { stateFolder: persistTo, output, budgets }));
		// The registry of this machine takes any number of questions.
		const pace = budgets === 'lifted' && sandbox !== null ? { RDAP_SPACING_MS: '0' } : {};
		const vars = { ...pace, ...given, ...(prober === null ? {} : { PROBERS: prober.probers }) };
		const flags = Object.entries(vars).flatMap(([name, value]) =>
			name in named ? [] : ['--var', `${name}:${value}`],
		);
		const more = [...flags, ...words];
		const wrangler = await startWranglerDev({ config, port, persistTo, more, output });
		const stop = async (): Promise<void> => {
			await wrangler.stop();
			await prober?.stop();
			await sandbox?.close();
		};
		return { ...wrangler, token, sandbox, prober, stop };
	} catch (error) {
		await prober?.stop();
		await sandbox?.close();
		throw error;
	}
}

function sandboxVars(sandbox: Sandbox): Record<string, string> {
	return {
		DOH_URL: sandbox.dohUrl,
		RDAP_BOOTSTRAP_URL: `${sandbox.rdapUrl}/dns.json`,
		SMTP_EGRESS: sandbox.socksUrl,
		PROBER_CONTROL: sandbox.control,
		// The sandbox's servers have addresses of the benchmarking block (RFC 2544), which no host of the Internet
		// has.
		ALLOW_PRIVATE_MX: SANDBOX_RANGE,
	};
}

/** Writes the configuration with larger batches. Several services may start at once, so it is replaced atomically. */
function writeLocalConfig(parts: number): string {
	// A run of all tests builds the Worker once for all its services (test/run.ts).
	const isBuilt = process.env['WORKER_BUILT'] === 'yes';
	// In the folder of the real one, whose paths are relative; another service may start beside this one.
	const config = `wrangler.local.${parts}${isBuilt ? '.built' : ''}.toml`;
	const text = readFileSync(CONFIG, 'utf8')
		.replaceAll('max_batch_size = 1', `max_batch_size = ${parts}`)
		.replace(isBuilt ? /^\[build\]\n(?:\w.*\n)+/m : '', '');
	if (existsSync(config) && readFileSync(config, 'utf8') === text) return config;
	const written = `${config}.${process.pid}`;
	writeFileSync(written, text);
	renameSync(written, config);
	return config;
}
