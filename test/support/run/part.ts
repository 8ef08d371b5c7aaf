import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Part } from './plan.ts';
import { parseEvents, resultsOf, withFailure } from './results.ts';
import type { Results } from './results.ts';

// Far more than any part takes, so that a part that hangs fails by name instead of hanging the run.
const ENDS_WITHIN_MS = 25 * 60_000;
const LEAVES_WITHIN_MS = 10_000;

/** The files that a part leaves on disk, however it ends. */
interface Traces {
	readonly events: string;
	readonly output: string;
	/** How the part ended. */
	readonly end: string;
}

export function tracesOf(folder: string, { name }: Part): Traces {
	const base = path.join(folder, name.replaceAll(/[^a-z0-9-]+/g, '-'));
	return { events: `${base}.jsonl`, output: `${base}.log`, end: `${base}.end` };
}

/** Runs a part in a process group of its own, and writes its traces. */
export async function runPart(folder: string, part: Part, signal: AbortSignal): Promise<void> {
	const { events, output, end } = tracesOf(folder, part);
	const child = spawn(part.program, part.args, {
		detached: true,
		stdio: ['ignore', 'pipe', 'pipe'],
		env: { ...process.env, RUN_EVENTS: events },
	});
	const log = createWriteStream(output);
	for (const stream of [child.stdout, child.stderr]) stream.pipe(log, { end: false });
	const tell = (word: NodeJS.Signals): void => {
		try {
			if (child.pid !== undefined) process.kill(-child.pid, word);
		} catch {
			// No process of the group is left.
		}
	};
	const timers: NodeJS.Timeout[] = [];
	const stop = (): void => {
		tell('SIGTERM');
		timers.push(setTimeout(() => tell('SIGKILL'), LEAVES_WITHIN_MS));
	};
	timers.push(setTimeout(stop, ENDS_WITHIN_MS));
	signal.addEventListener('abort', stop);
	try {
		const closed = new Promise((resolve) => child.once('close', resolve));
		// Rejects if the program cannot be started.
		const [code, word] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
		// Processes left in the group have no more work to do, but hold the pipes open.
		tell('SIGKILL');
		await closed;
		writeFileSync(end, word ?? `exit code ${code}`);
	} catch (error) {
		writeFileSync(end, String(error));
	} finally {
		for (const timer of timers) clearTimeout(timer);
		signal.removeEventListener('abort', stop);
		log.end();
		await once(log, 'finish');
	}
}

const FINE = 'exit code 0';

/** The results of a part, read from its traces. */
export function resultsOfPart(folder: string, part: Part): Results {
	const { events, end } = tracesOf(folder, part);
	const how = existsSync(end) ? readFileSync(end, 'utf8') : 'it never came to its end';
	const results = resultsOf(parseEvents(existsSync(events) ? readFileSync(events, 'utf8') : ''));
	if (part.kind === 'check') return how === FINE ? results : withFailure(results, `${part.name}: ${how}`);
	if (results.ended && (how === FINE || results.failed > 0)) return results;
	const where = results.unfinished.length === 0 ? '' : `, in ${results.unfinished.join(' and ')}`;
	const kept = `${results.passed} tests had passed`;
	return withFailure(results, `${part.name} broke off (${how}${where}; ${kept})`);
}
