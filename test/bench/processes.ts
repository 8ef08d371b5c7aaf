import { readdirSync, readFileSync } from 'node:fs';
import { sum } from './statistics.ts';

// What the runtime costs the machine, as Linux tells it; elsewhere nothing is told.

const SAMPLE_MS = 200;
const MB = 1024;
// Linux reports processor time in hundredths of a second to everybody.
const TICK_MS = 10;

/** What the workerd processes below a process used meanwhile; null where there is no /proc. */
export interface Used {
	/** The most that all of them together held in memory at one moment. */
	readonly peakMb: number;
	readonly idleMb: number;
	readonly cpuMs: number;
}

/** Watches the workerd processes that descend from `root` while the work goes on. */
export async function watchRuntime<T>(
	root: number,
	work: () => Promise<T>,
): Promise<{ result: T; used: Used | null }> {
	const before = look(root);
	let peakMb = before?.residentMb ?? 0;
	const timer = setInterval(() => {
		peakMb = Math.max(peakMb, look(root)?.residentMb ?? 0);
	}, SAMPLE_MS);
	try {
		const result = await work();
		const after = look(root);
		if (before === null || after === null) return { result, used: null };
		return { result, used: { peakMb, idleMb: before.residentMb, cpuMs: after.cpuMs - before.cpuMs } };
	} finally {
		clearInterval(timer);
	}
}

function look(root: number): { residentMb: number; cpuMs: number } | null {
	const members = workerdsBelow(root);
	if (members === null) return null;
	return {
		residentMb: sum(members.map(({ pid }) => residentMb(pid))),
		cpuMs: sum(members.map(({ ticks }) => ticks)) * TICK_MS,
	};
}

/** The workerd processes that descend from `root`. */
export function workerdsBelow(root: number): readonly Process[] | null {
	return familyOf(root)?.filter(({ name }) => name === 'workerd') ?? null;
}

/** `root` and all processes that descend from it. */
export function familyOf(root: number): readonly Process[] | null {
	const processes = readProcesses();
	if (processes === null) return null;
	const family = new Set([root]);
	// A child may stand before its parent in the list, so it is walked until nobody new is found.
	for (let size = 0; size !== family.size;) {
		size = family.size;
		for (const { pid, parent } of processes) if (family.has(parent)) family.add(pid);
	}
	return processes.filter(({ pid }) => family.has(pid));
}

export interface Process {
	readonly pid: number;
	readonly parent: number;
	readonly name: string;
	/** Of user and system time. */
	readonly ticks: number;
}

/** All processes that can be read, as proc_pid_stat(5) describes them. */
function readProcesses(): readonly Process[] | null {
	try {
		return readdirSync('/proc')
			.filter((name) => /^\d+$/.test(name))
			.flatMap((name) => {
				const text = readOrEmpty(`/proc/${name}/stat`);
				const [, command = '', rest = ''] = /^\d+ \((.*)\) (.*)$/s.exec(text) ?? [];
				const fields = rest.split(' ').map(Number);
				// Without the first two: parent is the fourth field of all, user and system time the 14th and 15th.
				const ticks = (fields[11] ?? 0) + (fields[12] ?? 0);
				return text === '' ? [] : [{ pid: Number(name), parent: fields[1] ?? 0, name: command, ticks }];
			});
	} catch {
		return null;
	}
}

/** What a process holds in memory; 0: it has ended, or there is no /proc. */
export function residentMb(pid: number): number {
	const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readOrEmpty(`/proc/${pid}/status`))?.[1];
	return Number(kilobytes ?? 0) / MB;
}

/** A process may end between being listed and being read. */
export function readOrEmpty(file: string): string {
	try {
		return readFileSync(file, 'utf8');
	} catch {
		return '';
	}
}
