import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { portsOf, residentMb } from '../bench/processes.ts';
import { median } from '../support/statistics.ts';

/**
 * Whose memory it is. What the Worker keeps alive and what the prober's process holds are judged; what `workerd` holds is
 * shown: in `wrangler dev` it grows for a Worker of one line too, in the process that runs none of our code too.
 */
export type Owner = 'live heap of the Worker' | 'prober' | 'workerd';

/** One owner in one process, from the process's start to its end. */
export interface Life {
	readonly owner: Owner;
	readonly pid: number;
	/** Epoch milliseconds, and megabytes. */
	readonly samples: { readonly at: number; readonly mb: number }[];
}

const MINUTE_MS = 60_000;
// Caches, compiled code and connections: what a process takes once.
const WARM_UP_MS = 2 * MINUTE_MS;
// Shorter lives are printed and not judged: what changes in a minute is noise.
const JUDGED_FROM_MS = 8 * MINUTE_MS;
// An isolate has 128 MB, a small host a gigabyte: neither may be full after a day.
const RISES_FROM: Readonly<Record<Owner, { readonly mbPerHour: number; readonly mb: number } | null>> = {
	'live heap of the Worker': { mbPerHour: 20, mb: 5 },
	prober: { mbPerHour: 200, mb: 50 },
	workerd: null,
};

/** Adds what an owner holds in a process now to its life. */
export async function sampleMemory(lives: Life[], owner: Owner, pid: number): Promise<void> {
	const mb = owner === 'live heap of the Worker' ? await liveHeapMb(pid) : residentMb(pid);
	if (mb === 0) return;
	let life = lives.find((one) => one.owner === owner && one.pid === pid);
	if (life === undefined) lives.push((life = { owner, pid, samples: [] }));
	life.samples.push({ at: Date.now(), mb });
}

/** A life's minutes, and by how much it rises in an hour once it is warm; null: it was too short. */
export function figuresOf({ owner, samples }: Life) {
	const [first, last] = [samples[0]?.at ?? 0, samples.at(-1)?.at ?? 0];
	const warm = samples.filter(({ at }) => at >= first + WARM_UP_MS);
	// A collection of the inspector's leaves garbage, up to twice what lives: the least of each half is alive.
	const half = Math.ceil(warm.length / 2);
	const halves = [warm.slice(0, half), warm.slice(-half)] as const;
	const [before = 0, after = 0] = halves.map((some) => Math.min(...some.map(({ mb }) => mb)));
	const [early = 0, late = 0] = halves.map((some) => median(some.map(({ at }) => at)));
	const [rise, hours] = [after - before, (late - early) / (60 * MINUTE_MS)];
	const mbPerHour = hours > 0 ? rise / hours : null;
	const least = last - first < JUDGED_FROM_MS ? null : RISES_FROM[owner];
	const rises = least !== null && (mbPerHour ?? 0) > least.mbPerHour && rise > least.mb;
	return {
		minutes: (last - first) / MINUTE_MS,
		mbPerHour,
		fault: rises ? `rises by ${(mbPerHour ?? 0).toFixed(0)} MB an hour` : null,
	};
}

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

/** Megabytes; 0: no Worker of ours runs in the process, or it does not tell. */
async function liveHeapMb(pid: number): Promise<number> {
	for (const port of portsOf(pid)) {
		try {
			const signal = AbortSignal.timeout(PATIENCE_MS);
			const told = await (await fetch(`http://127.0.0.1:${port}/json/list`, { signal })).json();
			const ours = targets.parse(told).find(({ id }) => OURS.test(id));
			if (ours !== undefined) return await collectAndWeigh(ours.webSocketDebuggerUrl);
		} catch {
			// No inspector, or one that is busy.
		}
	}
	return 0;
}

/** By the Chrome DevTools Protocol: collects garbage, then asks what is left. */
async function collectAndWeigh(url: string): Promise<number> {
	const methods = ['HeapProfiler.enable', 'HeapProfiler.collectGarbage', 'Runtime.getHeapUsage'];
	const socket = new WebSocket(url);
	const { promise, resolve, reject } = Promise.withResolvers<unknown>();
	socket.addEventListener('error', () => reject(new Error('the inspector hung up')));
	// It answers them in their order.
	socket.addEventListener('open', () => {
		for (const [id, method] of methods.entries()) socket.send(JSON.stringify({ id, method }));
	});
	socket.addEventListener('message', ({ data }) => {
		const { id, result } = JSON.parse(String(data)) as { id?: number; result?: unknown };
		if (id === methods.length - 1) resolve(result);
	});
	try {
		const late = pause(PATIENCE_MS, null, { ref: false });
		const used = usage.parse(await Promise.race([promise, late]));
		return (used.usedSize + used.embedderHeapUsedSize + used.backingStorageSize) / MB;
	} finally {
		socket.close();
	}
}
