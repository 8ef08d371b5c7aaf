import { vi } from 'vitest';
import { ops } from '../../tools/ops.ts';

/** Runs `npm run ops -- …` in this process: as a program of its own it would take longer to start than to work. */
export async function runOps(words: readonly string[], env: Readonly<Record<string, string>> = {}) {
	const printed = { log: '', error: '' };
	for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
	for (const stream of ['log', 'error'] as const)
		vi.spyOn(console, stream).mockImplementation((text: string) => void (printed[stream] += `${text}\n`));
	try {
		const code = await ops(words);
		return { code, stdout: printed.log, stderr: printed.error };
	} finally {
		vi.unstubAllEnvs();
		vi.restoreAllMocks();
	}
}
