import { z } from 'zod';
import { portsOf } from '../bench/runtime-url.ts';

// What a Worker's code keeps alive, as the runtime's own inspector tells it right after a garbage collection. What the
// process as a whole holds says little about that: a Worker of one line takes half a gigabyte in `wrangler dev`.

const MB = 1024 * 1024;
const PATIENCE_MS = 10_000;
// Wrangler's name for the Worker that it was started with; the others are of its own.
const OURS = /^core:user:(?!dev-registry)/;

const targets = z.array(z.object({ id: z.string(), webSocketDebuggerUrl: z.string() }));
const usage = z.object({
	usedSize: z.number(),
	embedderHeapUsedSize: z.number(),
	backingStorageSize: z.number(),
});

/** Megabytes that the Worker in this process keeps alive; null: no Worker of ours runs in it, or it does not tell. */
export async function liveHeapMb(pid: number): Promise<number | null> {
	for (const port of portsOf(pid)) {
		const url = await inspectorOf(port);
		if (url !== null) return collectAndWeigh(url).catch(() => null);
	}
	return null;
}

/** Where the inspector behind a port speaks of our Worker; null: it is none, or does not know it. */
async function inspectorOf(port: number): Promise<string | null> {
	try {
		const response = await fetch(`http://127.0.0.1:${port}/json/list`, {
			signal: AbortSignal.timeout(PATIENCE_MS),
		});
		const told = targets.safeParse(await response.json());
		return told.data?.find(({ id }) => OURS.test(id))?.webSocketDebuggerUrl ?? null;
	} catch {
		return null;
	}
}

/** By the Chrome DevTools Protocol: collects garbage, then asks what is left. */
async function collectAndWeigh(url: string): Promise<number> {
	const socket = new WebSocket(url);
	try {
		await heard(socket, 'open');
		for (const [id, method] of ['HeapProfiler.enable', 'HeapProfiler.collectGarbage'].entries())
			await command(socket, id, method);
		const used = usage.parse(await command(socket, 9, 'Runtime.getHeapUsage'));
		return (used.usedSize + used.embedderHeapUsedSize + used.backingStorageSize) / MB;
	} finally {
		socket.close();
	}
}

async function command(socket: WebSocket, id: number, method: string): Promise<unknown> {
	const answered = heard(socket, 'message', (data) => (JSON.parse(data) as { id?: number }).id === id);
	socket.send(JSON.stringify({ id, method }));
	return (JSON.parse(await answered) as { result?: unknown }).result;
}

/** The next event of the kind that fits; rejects when it does not come in time. */
function heard(
	socket: WebSocket,
	kind: 'open' | 'message',
	fits = (_data: string): boolean => true,
): Promise<string> {
	return new Promise((resolve, reject) => {
		const over = new AbortController();
		const { signal } = over;
		const late = setTimeout(() => end(() => reject(new Error(`no ${kind} from the inspector`))), PATIENCE_MS);
		function end(settle: () => void): void {
			clearTimeout(late);
			over.abort();
			settle();
		}
		socket.addEventListener('error', () => end(() => reject(new Error('the inspector hung up'))), { signal });
		socket.addEventListener(
			kind,
			(event) => {
				const data = 'data' in event ? String(event.data) : '';
				if (fits(data)) end(() => resolve(data));
			},
			{ signal },
		);
	});
}
