import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { sum } from '../support/statistics.ts';

// What the runtime costs the machine, as Linux tells it in /proc.

const SAMPLE_MS = 200;
const MB = 1024;
// Linux reports processor time in hundredths of a second to everybody.
const TICK_MS = 10;

/** What the workerd processes below a process used meanwhile. */
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
): Promise<{ readonly result: T; readonly used: Used }> {
	const memory = (): number => sum(workerdsBelow(root).map(({ pid }) => residentMb(pid)));
	const cpuMs = (): number => sum(workerdsBelow(root).map(({ ticks }) => ticks)) * TICK_MS;
	const [idleMb, before] = [memory(), cpuMs()];
	let peakMb = idleMb;
	const timer = setInterval(() => (peakMb = Math.max(peakMb, memory())), SAMPLE_MS);
	try {
		const result = await work();
		return { result, used: { peakMb, idleMb, cpuMs: cpuMs() - before } };
	} finally {
		clearInterval(timer);
	}
}

function workerdsBelow(root: number): readonly Process[] {
	return familyOf(root).filter(({ name }) => name === 'workerd');
}

/** `root` and all processes that descend from it. */
export function familyOf(root: number): readonly Process[] {
	const processes = readProcesses();
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
function readProcesses(): readonly Process[] {
	const names = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
	return names.flatMap((name) => {
		const text = readOrEmpty(`/proc/${name}/stat`);
		const [, command = '', rest = ''] = /^\d+ \((.*)\) (.*)$/s.exec(text) ?? [];
		const fields = rest.split(' ').map(Number);
		// Without the first two: parent is the fourth field of all, user and system time the 14th and 15th.
		const ticks = (fields[11] ?? 0) + (fields[12] ?? 0);
		return text === '' ? [] : [{ pid: Number(name), parent: fields[1] ?? 0, name: command, ticks }];
	});
}

/** What a process holds in memory; 0: it has ended. */
export function residentMb(pid: number): number {
	const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readOrEmpty(`/proc/${pid}/status`))?.[1];
	return Number(kilobytes ?? 0) / MB;
}

function readOrEmpty(file: string): string {
	return orElse('', () => readFileSync(file, 'utf8'));
}

/** A process may end, and a file of its may be closed, between being listed and being read. */
function orElse<T>(missing: T, read: () => T): T {
	try {
		return read();
	} catch {
		return missing;
	}
}

const LISTENING = '0A';
const LOOPBACK = '0100007F';
const PATIENCE_MS = 2_000;

/** Ports on loopback that the workerds below `root` listen at, as proc_net_tcp(5) tells them. */
export function portsOf(root: number): readonly number[] {
	const inodes = new Set(workerdsBelow(root).flatMap(({ pid }) => socketsOf(pid)));
	return readOrEmpty('/proc/net/tcp')
		.split('\n')
		.map((line) => line.trim().split(/\s+/))
		.filter(([, local = '', , state, , , , , , inode = '']) => {
			return local.startsWith(`${LOOPBACK}:`) && state === LISTENING && inodes.has(inode);
		})
		.map(([, local = '']) => Number.parseInt(local.slice(LOOPBACK.length + 1), 16));
}

function socketsOf(pid: number): readonly string[] {
	const folder = `/proc/${pid}/fd`;
	const inodeOf = (fd: string): readonly string[] =>
		/^socket:\[(\d+)\]$/.exec(orElse('', () => readlinkSync(`${folder}/${fd}`)))?.slice(1) ?? [];
	return orElse([], () => readdirSync(folder)).flatMap(inodeOf);
}

/**
 * Where the runtime below `root` answers `path` as it does at `url`, without the Worker that `wrangler dev` puts before ours,
 * for reloading. No deployed Worker has one before it, and it is as slow as everything else together.
 */
export async function runtimeUrl(url: string, root: number, path: string): Promise<string> {
	for (const port of portsOf(root)) {
		const candidate = `http://127.0.0.1:${port}`;
		if (candidate === url) continue;
		const signal = AbortSignal.timeout(PATIENCE_MS);
		// Not HTTP, or not for us.
		const response = await fetch(`${candidate}${path}`, { signal }).catch(() => null);
		await response?.body?.cancel();
		if (response?.status === 200) return candidate;
	}
	throw new Error(`the runtime of ${url} answers at no port of its own`);
}
