import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';

/** Wrangler's script, relative to the project's root, where all tools run. */
export const WRANGLER = 'node_modules/wrangler/bin/wrangler.js';
// It takes three seconds on a machine that does nothing else.
const READY_TIMEOUT_MS = 5 * 60_000;
const STOP_TIMEOUT_MS = 10_000;

/** Switches off metrics, requests to the Internet, and local tooling that would halve the speed. */
export const WRANGLER_ENVIRONMENT = {
	CI: '1',
	WRANGLER_SEND_METRICS: 'false',
	CLOUDFLARE_CF_FETCH_ENABLED: 'false',
	X_LOCAL_OBSERVABILITY: 'false',
	X_LOCAL_EXPLORER: 'false',
};

export interface WranglerDevOptions {
	readonly config: string;
	/** 0: any free port. */
	readonly port: number;
	readonly persistTo: string;
	/** Further arguments. */
	readonly more: readonly string[];
	/** Where the Worker's log goes. */
	readonly output: 'show' | 'hide';
}

/** A running `wrangler dev`. */
export interface WranglerDev {
	readonly url: string;
	readonly process: ChildProcess;
	/** Resolves when it ended, by itself or by `stop`. */
	readonly ended: Promise<number | null>;
	stop(): Promise<void>;
}

/** Starts `wrangler dev` on loopback and resolves when it answers. */
export async function startWranglerDev(options: WranglerDevOptions): Promise<WranglerDev> {
	const { config, port, persistTo, more, output } = options;
	const child = fork(
		WRANGLER,
		[
			'dev',
			`--config=${config}`,
			'--ip=127.0.0.1',
			`--port=${port}`,
			'--inspector-port=0',
			`--persist-to=${persistTo}`,
			'--show-interactive-dev-session=false',
			...(more.some((word) => word.startsWith('--log-level')) ? [] : ['--log-level', 'warn']),
			...more,
		],
		{ stdio: ['ignore', 'pipe', 'pipe', 'ipc'], env: { ...process.env, ...WRANGLER_ENVIRONMENT } },
	);
	const followed = followOutput(child);
	const ended = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
	// If our process ends early, Wrangler must not be left running.
	const leave = (): void => void child.kill('SIGTERM');
	process.once('exit', leave);
	void ended.then(() => process.off('exit', leave));
	const stop = (): Promise<void> => stopChild(child, ended);
	try {
		const url = await ready(child, ended, followed.tail);
		// Wrangler's output during the start is only shown if the start fails.
		if (output === 'show') followed.show();
		return { url, process: child, ended, stop };
	} catch (error) {
		await stop();
		throw error;
	}
}

/** Keeps the end of the child's output for error messages, and prints the output from the call of `show` on. */
function followOutput(child: ChildProcess): { tail: () => string; show: () => void } {
	let tail = '';
	let isShowing = false;
	for (const stream of [child.stdout, child.stderr]) {
		stream?.on('data', (chunk: Buffer) => {
			tail = (tail + chunk.toString()).slice(-4_000);
			// Wrangler's hint about triggering the cron would hide our own curl line.
			if (isShowing && !chunk.includes('/cdn-cgi/local/scheduled')) process.stderr.write(chunk);
		});
	}
	const show = (): void => {
		isShowing = true;
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
			() => reject(new Error(`wrangler dev is not ready after five minutes:\n${tail()}`)),
			READY_TIMEOUT_MS,
		);
	});
	try {
		return await Promise.race([announced, failed, late]);
	} finally {
		clearTimeout(timer);
	}
}

/** Sends SIGTERM, and SIGKILL if that does not help. Wrangler ends its own children. */
async function stopChild(child: ChildProcess, ended: Promise<number | null>): Promise<void> {
	if (child.exitCode !== null || child.signalCode !== null) return;
	child.kill('SIGTERM');
	const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
	await ended;
	clearTimeout(timer);
}
