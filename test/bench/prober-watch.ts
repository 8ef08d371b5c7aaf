import { performance } from 'node:perf_hooks';
import process from 'node:process';

// Loaded into the prober before its own code: it tells whoever started it what the process used since it was asked last.

/** What a process used. */
export interface ProcessUsed {
	readonly cpuMs: number;
	/** The most that it held in memory, of samples. */
	readonly peakMb: number;
	/** How late the event loop was, in milliseconds, of a sample each hundredth of a second. */
	readonly lateMs: readonly number[];
	/** How much of that its own work was: the rest, the machine gave the processor to others. */
	readonly ownMs: readonly number[];
}

const SAMPLE_MS = 10;
const MEMORY_EVERY = 10;
const MB = 1024 ** 2;

/** Processor time of the thread that runs the event loop, in milliseconds. */
function loopMs(): number {
	const { user, system } = process.threadCpuUsage();
	return (user + system) / 1000;
}

function nothing(): { peakMb: number; lateMs: number[]; ownMs: number[] } {
	return { peakMb: 0, lateMs: [], ownMs: [] };
}

function watch(): void {
	let used = nothing();
	let cpu = process.cpuUsage();
	let [dueAt, worked] = [performance.now() + SAMPLE_MS, loopMs()];
	const sample = (): void => {
		const [now, workedNow] = [performance.now(), loopMs()];
		const late = Math.max(0, now - dueAt);
		used.lateMs.push(late);
		used.ownMs.push(Math.min(late, workedNow - worked));
		if (used.lateMs.length % MEMORY_EVERY === 1)
			used.peakMb = Math.max(used.peakMb, process.memoryUsage.rss() / MB);
		[dueAt, worked] = [performance.now() + SAMPLE_MS, loopMs()];
		setTimeout(sample, SAMPLE_MS).unref();
	};
	sample();
	process.on('message', () => {
		const { user, system } = process.cpuUsage(cpu);
		process.send?.({ ...used, cpuMs: (user + system) / 1000 } satisfies ProcessUsed);
		[used, cpu] = [nothing(), process.cpuUsage()];
	});
}

if (process.send !== undefined) watch();
