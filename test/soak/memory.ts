import { residentMb } from '../bench/processes.ts';
import { sum } from '../bench/statistics.ts';
import { liveHeapMb } from './live-heap.ts';

/**
 * Whose memory it is. What the Worker keeps alive and what the prober's process holds are judged; what `workerd` holds is
 * shown: in `wrangler dev` it grows for a Worker of one line too, in the process that runs none of our code too.
 */
export type Owner = 'live heap of the Worker' | 'prober' | 'workerd';

interface Sample {
	/** Epoch milliseconds. */
	readonly at: number;
	readonly value: number;
}

/** One owner in one process, from the process's start to its end. */
export interface Life {
	readonly owner: Owner;
	readonly pid: number;
	readonly samples: Sample[];
}

/** What is said of a life. */
export interface LifeFigures {
	readonly minutes: number;
	readonly firstMb: number;
	readonly lastMb: number;
	readonly mostMb: number;
	/** Without the first minutes, in which caches fill; null: it did not live longer. */
	readonly slope: number | null;
	/** Null: flat, or too short to tell. */
	readonly fault: string | null;
}

const MINUTE_MS = 60_000;
// Caches, compiled code and connections: what a process takes once.
const WARM_UP_MS = 2 * MINUTE_MS;
// Shorter lives are printed and not judged: a slope of a minute is noise.
const JUDGED_FROM_MS = 8 * MINUTE_MS;
// An isolate has 128 MB, a small host a gigabyte: neither may be full after a day.
const RISES_FROM: Readonly<Record<Owner, { readonly mbPerHour: number; readonly mb: number } | null>> = {
	'live heap of the Worker': { mbPerHour: 20, mb: 5 },
	prober: { mbPerHour: 200, mb: 50 },
	workerd: null,
};

/** Memory, life by life. */
export class MemoryLog {
	readonly lives: Life[] = [];

	/** What a process holds. */
	takeProcess(owner: Owner, pid: number, now: number): void {
		this.#add(owner, pid, { at: now, value: residentMb(pid) });
	}

	/** What the Worker keeps alive, if it runs in this process. */
	async takeHeap(pid: number, now: number): Promise<void> {
		this.#add('live heap of the Worker', pid, { at: now, value: (await liveHeapMb(pid)) ?? 0 });
	}

	#add(owner: Owner, pid: number, sample: Sample): void {
		if (sample.value === 0) return;
		let life = this.lives.find((one) => one.owner === owner && one.pid === pid);
		if (life === undefined) this.lives.push((life = { owner, pid, samples: [] }));
		life.samples.push(sample);
	}
}

/** The figures of a life. */
export function figuresOf({ owner, samples }: Life): LifeFigures {
	const values = samples.map(({ value }) => value);
	const [first, last] = [samples[0]?.at ?? 0, samples.at(-1)?.at ?? 0];
	const warm = samples.filter(({ at }) => at >= first + WARM_UP_MS);
	const slope = slopePerHour(warm);
	const rise = (warm.at(-1)?.value ?? 0) - (warm[0]?.value ?? 0);
	const isJudged = last - first >= JUDGED_FROM_MS;
	const least = RISES_FROM[owner];
	const rises = isJudged && least !== null && (slope ?? 0) > least.mbPerHour && rise > least.mb;
	return {
		minutes: (last - first) / MINUTE_MS,
		firstMb: values[0] ?? 0,
		lastMb: values.at(-1) ?? 0,
		mostMb: Math.max(0, ...values),
		slope,
		fault: rises ? `rises by ${(slope ?? 0).toFixed(0)} MB an hour` : null,
	};
}

/** By how much the value changes in an hour, by least squares; null for fewer than two moments. */
function slopePerHour(samples: readonly Sample[]): number | null {
	const mean = (values: readonly number[]): number => sum(values) / values.length;
	const [meanAt, meanValue] = [mean(samples.map(({ at }) => at)), mean(samples.map(({ value }) => value))];
	const spreadOfTime = sum(samples.map(({ at }) => (at - meanAt) ** 2));
	if (samples.length < 2 || spreadOfTime === 0) return null;
	const slope = sum(samples.map(({ at, value }) => (at - meanAt) * (value - meanValue))) / spreadOfTime;
	return slope * 60 * MINUTE_MS;
}
