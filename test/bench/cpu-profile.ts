import { sum } from './statistics.ts';

interface CallFrame {
	readonly functionName: string;
	readonly url: string;
	/** From 0, as the column. */
	readonly lineNumber: number;
	readonly columnNumber: number;
}

/** The part of a profile as V8 writes it that we read. Times are in microseconds. */
export interface CpuProfile {
	readonly nodes: readonly { readonly id: number; readonly callFrame: CallFrame }[];
	readonly samples: readonly number[];
	readonly timeDeltas: readonly number[];
}

const US_PER_MS = 1000;
const IDLE = '(idle)';

/** Milliseconds that each function was busy by itself, the busiest first; functions of one name are one. */
export function selfMs(
	{ nodes, samples, timeDeltas }: CpuProfile,
	nameOf: (frame: CallFrame) => string = ({ functionName }) => functionName,
): ReadonlyMap<string, number> {
	const names = new Map(nodes.map(({ id, callFrame }) => [id, nameOf(callFrame) || '(anonymous)']));
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
