import { readdirSync, readlinkSync } from 'node:fs';
import { readOrEmpty, workerdsBelow } from './processes.ts';

// `wrangler dev` puts a Worker of its own before ours, for reloading, which no deployed Worker has before it. It is as
// slow as everything else together, so what it takes is measured by going around it.

const LISTENING = '0A';
const LOOPBACK = '0100007F';
const PATIENCE_MS = 2_000;

/**
 * Where the runtime below `root` (a pid) answers `path` as it does at `url`, without wrangler's Worker before it; `url`
 * where no such port is found (without /proc).
 */
export async function runtimeUrl(url: string, root: number, path: string): Promise<string> {
	for (const port of portsOf(root)) {
		const candidate = `http://127.0.0.1:${port}`;
		if (candidate === url) continue;
		if (await answers(`${candidate}${path}`)) return candidate;
	}
	return url;
}

async function answers(url: string): Promise<boolean> {
	try {
		const response = await fetch(url, { signal: AbortSignal.timeout(PATIENCE_MS) });
		await response.arrayBuffer();
		return response.status === 200;
	} catch {
		// Not HTTP, or not for us.
		return false;
	}
}

/** Ports on loopback that workerd listens at, as proc_net_tcp(5) tells them. */
export function portsOf(root: number): readonly number[] {
	const inodes = new Set((workerdsBelow(root) ?? []).flatMap(({ pid }) => socketsOf(pid)));
	return readOrEmpty('/proc/net/tcp')
		.split('\n')
		.map((line) => line.trim().split(/\s+/))
		.filter(([, local = '', , state, , , , , , inode = '']) => {
			return local.startsWith(`${LOOPBACK}:`) && state === LISTENING && inodes.has(inode);
		})
		.map(([, local = '']) => Number.parseInt(local.slice(LOOPBACK.length + 1), 16));
}

function socketsOf(pid: number): readonly string[] {
	try {
		return readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
			const inode = /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1];
			return inode === undefined ? [] : [inode];
		});
	} catch {
		// It ended meanwhile.
		return [];
	}
}
