import { sum } from './statistics.ts';

/** The part of a profile as V8 writes it that we read. Times are in microseconds. */
export interface CpuProfile {
	readonly nodes: readonly { readonly id: number; readonly callFrame: { readonly functionName: string } }[];
	readonly samples: readonly number[];
	readonly timeDeltas: readonly number[];
}

const US_PER_MS = 1000;
const IDLE = '(idle)';

/** Milliseconds that each function was busy by itself, the busiest first; functions of one name are one. */
export function selfMs({ nodes, samples, timeDeltas }: CpuProfile): ReadonlyMap<string, number> {
	const names = new Map(nodes.map(({ id, callFrame }) => [id, callFrame.functionName || '(anonymous)']));
	const times = new Map<string, number>();
	for (const [i, id] of samples.entries()) {
		const name = names.get(id) ?? '';
		if (name !== IDLE) times.set(name, (times.get(name) ?? 0) + (timeDeltas[i] ?? 0) / US_PER_MS);
	}
	return new Map([...times].toSorted(([, a], [, b]) => b - a));
}

/** Milliseconds in which anything was done. */
export function busyMs(profile: CpuProfile): number {
	return sum([...selfMs(profile).values()]);
}
