import { fork, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { SANDBOX_RANGE, startSandbox } from '../test/sandbox/world.ts';
import type { Sandbox, SandboxOptions } from '../test/sandbox/world.ts';

const WRANGLER = 'node_modules/wrangler/bin/wrangler.js';
const CONFIG = 'wrangler.toml';
// Beside the real one, because every path in it is relative to its folder.
const LOCAL_CONFIG = 'wrangler.local.toml';
// A local queue works on one batch at a time, so its parts run side by side in one.
const LOCAL_BATCH = 10;
const READY_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 10_000;

// No metrics, no look-ups of the outside world, and none of the local tooling that costs half the speed.
const ENVIRONMENT = {
	CI: '1',
	WRANGLER_SEND_METRICS: 'false',
	CLOUDFLARE_CF_FETCH_ENABLED: 'false',
	X_LOCAL_OBSERVABILITY: 'false',
	X_LOCAL_EXPLORER: 'false',
};

export interface LocalServiceOptions {
	/** `own` starts a sandbox with the service; null: the real world, or what `wrangler` names. */
	readonly sandbox: SandboxOptions | null;
	/** 0: any free port. */
	readonly port: number;
	readonly persistTo: string;
	/** Further arguments for `wrangler dev`. */
	readonly wrangler: readonly string[];
	/** Variables of the Worker; those of `wrangler` win. */
	readonly vars: Readonly<Record<string, string>>;
	/** Where the Worker's log goes. */
	readonly output: 'show' | 'hide';
}

export interface LocalService {
	readonly url: string;
	readonly sandbox: Sandbox | null;
	readonly process: ChildProcess;
	/** Resolves when the service ended, by itself or by `stop`. */
	readonly ended: Promise<number | null>;
	stop(): Promise<void>;
}

/** Applies the migrations, starts the sandbox mail world and `wrangler dev`, and resolves when both answer. */
export async function startLocalService(options: LocalServiceOptions): Promise<LocalService> {
	writeLocalConfig();
	applyMigrations(options.persistTo);
	const sandbox = options.sandbox === null ? null : await startSandbox(options.sandbox);
	const vars = { ...(sandbox === null ? {} : sandboxVars(sandbox)), ...options.vars };
	const named = namedVars(options.wrangler);
	const flags = Object.entries(vars).flatMap(([name, value]) =>
		named.has(name) ? [] : ['--var', `${name}:${value}`],
	);
	const child = fork(
		WRANGLER,
		[
			'dev',
			`--config=${LOCAL_CONFIG}`,
			'--ip=127.0.0.1',
			`--port=${options.port}`,
			'--inspector-port=0',
			`--persist-to=${options.persistTo}`,
			'--show-interactive-dev-session=false',
			...(options.wrangler.some((word) => word.startsWith('--log-level')) ? [] : ['--log-level', 'warn']),
			...flags,
			...options.wrangler,
		],
		{ stdio: ['ignore', 'pipe', 'pipe', 'ipc'], env: { ...process.env, ...ENVIRONMENT } },
	);
	const output = followOutput(child);
	const ended = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
	const stop = async (): Promise<void> => {
		await stopChild(child, ended);
		await sandbox?.close();
	};
	try {
		const url = await ready(child, ended, output.tail);
		// What wrangler says while it starts is for whoever builds this: it is shown when the start fails.
		if (options.output === 'show') output.show();
		return { url, sandbox, process: child, ended, stop };
	} catch (error) {
		await stop();
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
		// The sandbox's servers have addresses of the benchmarking block (RFC 2544), which nobody else has.
		ALLOW_PRIVATE_MX: SANDBOX_RANGE,
	};
}

/** Names given as `--var NAME:value`: the caller's own word wins over ours. */
function namedVars(words: readonly string[]): ReadonlySet<string> {
	const names = words.flatMap((word, index) => {
		const inline = /^--var=([A-Z_]+):/.exec(word)?.[1];
		const following = words[index - 1] === '--var' ? /^([A-Z_]+):/.exec(word)?.[1] : undefined;
		return [inline ?? following ?? []].flat();
	});
	return new Set(names);
}

/** The configuration with larger batches. Written only where it differs: several services may start at once. */
function writeLocalConfig(): void {
	const text = readFileSync(CONFIG, 'utf8').replaceAll(
		'max_batch_size = 1',
		`max_batch_size = ${LOCAL_BATCH}`,
	);
	if (!existsSync(LOCAL_CONFIG) || readFileSync(LOCAL_CONFIG, 'utf8') !== text)
		writeFileSync(LOCAL_CONFIG, text);
}

function applyMigrations(persistTo: string): void {
	const args = [
		WRANGLER,
		'd1',
		'migrations',
		'apply',
		'DB',
		'--local',
		'--persist-to',
		persistTo,
		'--config',
		LOCAL_CONFIG,
	];
	const applied = spawnSync(process.execPath, args, {
		encoding: 'utf8',
		env: { ...process.env, ...ENVIRONMENT },
	});
	if (applied.status !== 0)
		throw new Error(`The migrations could not be applied:\n${applied.stdout}${applied.stderr}`);
}

/** Keeps the last of what the child prints for an error message, and shows it from `show` on. */
function followOutput(child: ChildProcess): { tail: () => string; show: () => void } {
	let tail = '';
	let shown = false;
	for (const stream of [child.stdout, child.stderr]) {
		stream?.on('data', (chunk: Buffer) => {
			tail = (tail + chunk.toString()).slice(-4_000);
			// Its hint at trying the cron by hand stands in the way of our own curl line.
			if (shown && !chunk.includes('/cdn-cgi/local/scheduled')) process.stderr.write(chunk);
		});
	}
	const show = (): void => {
		shown = true;
	};
	return { tail: () => tail, show };
}

async function ready(
	child: ChildProcess,
	ended: Promise<number | null>,
	tail: () => string,
): Promise<string> {
	let timer: ReturnType<typeof setTimeout> | undefined;
	const announced = new Promise<string>((resolve) => {
		child.on('message', (message) => {
			const event = JSON.parse(typeof message === 'string' ? message : '{}') as {
				event?: string;
				ip?: string;
				port?: number;
			};
			if (event.event === 'DEV_SERVER_READY') resolve(`http://${event.ip}:${event.port}`);
		});
	});
	const failed = ended.then((code) => {
		throw new Error(`wrangler dev ended with ${code}:\n${tail()}`);
	});
	const late = new Promise<never>((_, reject) => {
		timer = setTimeout(
			() => reject(new Error(`wrangler dev is not ready after a minute:\n${tail()}`)),
			READY_TIMEOUT_MS,
		);
	});
	try {
		return await Promise.race([announced, failed, late]);
	} finally {
		clearTimeout(timer);
	}
}

/** Asks politely, then insists. Wrangler takes its own children along. */
async function stopChild(child: ChildProcess, ended: Promise<number | null>): Promise<void> {
	if (child.exitCode !== null || child.signalCode !== null) return;
	child.kill('SIGTERM');
	const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
	await ended;
	clearTimeout(timer);
}
