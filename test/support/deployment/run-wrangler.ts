import { spawnSync } from 'node:child_process';
import { WRANGLER, WRANGLER_ENVIRONMENT } from '../../../tools/wrangler-dev.ts';

/** Runs the pinned Wrangler in the project’s root, without telling anybody. */
export function wrangler(args: readonly string[]): {
	readonly status: number | null;
	readonly stdout: string;
} {
	return spawnSync(process.execPath, [WRANGLER, ...args], {
		encoding: 'utf8',
		env: { ...process.env, ...WRANGLER_ENVIRONMENT },
	});
}
