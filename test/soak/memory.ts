import { residentMb } from '../bench/processes.ts';
import { slopePerHour } from './figures.ts';
import type { Sample } from './figures.ts';

/** One process from its start to its end. */
export interface Life {
	readonly name: string;
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
// Over a day that is less than a small host has.
const RISES_FROM = { mbPerHour: 200, mb: 50 };

/** Memory of processes, life by life. */
export class MemoryLog {
	readonly lives: Life[] = [];

	take(name: string, pid: number, now: number): void {
		const value = residentMb(pid);
		if (value === 0) return;
		let life = this.lives.find((one) => one.name === name && one.pid === pid);
		if (life === undefined) this.lives.push((life = { name, pid, samples: [] }));
		life.samples.push({ at: now, value });
	}
}

/** The figures of a life. */
export function figuresOf({ samples }: Life): LifeFigures {
	const values = samples.map(({ value }) => value);
	const [first, last] = [samples[0]?.at ?? 0, samples.at(-1)?.at ?? 0];
	const warm = samples.filter(({ at }) => at >= first + WARM_UP_MS);
	const slope = slopePerHour(warm);
	const rise = (warm.at(-1)?.value ?? 0) - (warm[0]?.value ?? 0);
	const isJudged = last - first >= JUDGED_FROM_MS;
	const rises = isJudged && (slope ?? 0) > RISES_FROM.mbPerHour && rise > RISES_FROM.mb;
	return {
		minutes: (last - first) / MINUTE_MS,
		firstMb: values[0] ?? 0,
		lastMb: values.at(-1) ?? 0,
		mostMb: Math.max(0, ...values),
		slope,
		fault: rises ? `rises by ${(slope ?? 0).toFixed(0)} MB an hour` : null,
	};
}
