import { startChild } from './child.ts';
import type { Child } from './child.ts';

/** Wrangler's script, relative to the project's root, where all tools run. */
export const WRANGLER = 'node_modules/wrangler/bin/wrangler.js';

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

/** Starts `wrangler dev` on loopback and resolves when it answers. */
export async function startWranglerDev(options: WranglerDevOptions): Promise<Child> {
	const { config, port, persistTo, more, output } = options;
	const args = [
		'dev',
		`--config=${config}`,
		'--ip=127.0.0.1',
		`--port=${port}`,
		'--inspector-port=0',
		`--persist-to=${persistTo}`,
		'--show-interactive-dev-session=false',
		...(more.some((word) => word.startsWith('--log-level')) ? [] : ['--log-level', 'warn']),
		...more,
	];
	return startChild(WRANGLER, args, {
		name: 'wrangler dev',
		stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
		env: { ...process.env, ...WRANGLER_ENVIRONMENT },
		urlIn: (message) => {
			const text = typeof message === 'string' ? message : '{}';
			const { event, ip, port: found } = JSON.parse(text) as Readonly<Record<string, unknown>>;
			return event === 'DEV_SERVER_READY' ? `http://${String(ip)}:${String(found)}` : undefined;
		},
		// The output of a start is only shown if it fails, and a hint about triggering the cron would hide our curl line.
		shows: (text, isReady) => output === 'show' && isReady && !text.includes('/cdn-cgi/local/scheduled'),
		leaveBy: 'SIGTERM',
	});
}
