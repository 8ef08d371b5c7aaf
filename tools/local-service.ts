import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { SANDBOX_RANGE, startSandbox } from '../test/sandbox/world.ts';
import type { Sandbox, SandboxOptions } from '../test/sandbox/world.ts';
import { applyMigrations } from './local-migrations.ts';
import { startWranglerDev } from './wrangler-dev.ts';
import type { WranglerDev } from './wrangler-dev.ts';

const CONFIG = 'wrangler.toml';
// In the same folder as the real one, because all paths in it are relative.
const LOCAL_CONFIG = 'wrangler.local.toml';
// A local queue processes one batch at a time, so parts can only run in parallel within a batch.
const LOCAL_BATCH = 10;

export interface LocalServiceOptions {
	/** Options of the sandbox to start with the service; null: real DNS, or what `wrangler` configures. */
	readonly sandbox: SandboxOptions | null;
	/** 0: any free port. */
	readonly port: number;
	readonly persistTo: string;
	/** Further arguments for `wrangler dev`. */
	readonly wrangler: readonly string[];
	/** Variables of the Worker; those in `wrangler` take precedence. */
	readonly vars: Readonly<Record<string, string>>;
	/** Where the Worker's log goes. */
	readonly output: 'show' | 'hide';
}

export interface LocalService extends WranglerDev {
	readonly sandbox: Sandbox | null;
}

/** Applies the migrations, starts the sandbox mail world and `wrangler dev`, and resolves when both answer. */
export async function startLocalService(options: LocalServiceOptions): Promise<LocalService> {
	writeLocalConfig();
	applyMigrations(options.persistTo, LOCAL_CONFIG);
	const sandbox = options.sandbox === null ? null : await startSandbox(options.sandbox);
	const vars = { ...(sandbox === null ? {} : sandboxVars(sandbox)), ...options.vars };
	const named = namedVars(options.wrangler);
	const flags = Object.entries(vars).flatMap(([name, value]) =>
		named.has(name) ? [] : ['--var', `${name}:${value}`],
	);
	try {
		const { port, persistTo, output } = options;
		const more = [...flags, ...options.wrangler];
		const wrangler = await startWranglerDev({ config: LOCAL_CONFIG, port, persistTo, more, output });
		const stop = async (): Promise<void> => {
			await wrangler.stop();
			await sandbox?.close();
		};
		return { ...wrangler, sandbox, stop };
	} catch (error) {
		await sandbox?.close();
		throw error;
	}
}

function sandboxVars(sandbox: Sandbox): Record<string, string> {
	return {
		DOH_URL: sandbox.dohUrl,
		RDAP_BOOTSTRAP_URL: `${sandbox.rdapUrl}/dns.json`,
		SMTP_EGRESS: sandbox.socksUrl,
		HELO_NAME: 'probe.mailsonar.test',
		MAIL_FROM: 'verify@probe.mailsonar.test',
		// The sandbox's servers have addresses of the benchmarking block (RFC 2544), which no public host has.
		ALLOW_PRIVATE_MX: SANDBOX_RANGE,
	};
}

/** Names given as `--var NAME:value`, which take precedence over our variables. */
function namedVars(words: readonly string[]): ReadonlySet<string> {
	const names = words.flatMap((word, index) => {
		const inline = /^--var=([A-Z_]+):/.exec(word)?.[1];
		const following = words[index - 1] === '--var' ? /^([A-Z_]+):/.exec(word)?.[1] : undefined;
		return [inline ?? following ?? []].flat();
	});
	return new Set(names);
}

/** Writes the configuration with larger batches. Several services may start at once, so it is replaced atomically. */
function writeLocalConfig(): void {
	const text = readFileSync(CONFIG, 'utf8').replaceAll(
		'max_batch_size = 1',
		`max_batch_size = ${LOCAL_BATCH}`,
	);
	if (existsSync(LOCAL_CONFIG) && readFileSync(LOCAL_CONFIG, 'utf8') === text) return;
	const written = `${LOCAL_CONFIG}.${process.pid}`;
	writeFileSync(written, text);
	renameSync(written, LOCAL_CONFIG);
}
