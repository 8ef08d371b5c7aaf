import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { LOOPBACK, openListener } from '../../sandbox/listener.ts';
import { WAIT_MS } from '../patience.ts';

/** A server in a process of its own. */
export interface ChildServer {
	readonly port: number;
	close(): Promise<void>;
}

export interface ChildCommand {
	readonly program: string;
	readonly args: readonly string[];
	readonly cwd?: string;
}

const STARTS_MAX = 3;

/** Whether a program can be run at all. */
export function isInstalled(program: string): boolean {
	return spawnSync('sh', ['-c', 'command -v "$1"', 'sh', program], { stdio: 'ignore' }).status === 0;
}

/**
 * Starts a server on a free port and waits until it accepts connections. It stays in our process group, so that Ctrl-C
 * also ends it. If another process takes the port first, another port is tried.
 */
export async function startChildServer(command: (port: number) => ChildCommand): Promise<ChildServer> {
	let failure: unknown;
	for (let start = 0; start < STARTS_MAX; start += 1) {
		const port = await freePort();
		try {
			return await startOnce(command(port), port);
		} catch (error) {
			failure = error;
		}
	}
	throw failure;
}

/** A port that is free at the moment. */
async function freePort(): Promise<number> {
	const listener = await openListener(createServer());
	await listener.close();
	return listener.port;
}

async function startOnce({ program, args, ...where }: ChildCommand, port: number): Promise<ChildServer> {
	const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'], ...where });
	let complaints = '';
	child.stderr.setEncoding('utf8').on('data', (text: string) => (complaints += text));
	child.on('error', (error) => (complaints += error.message));
	const killNow = (): void => void child.kill('SIGKILL');
	process.once('exit', killNow);
	const close = async (): Promise<void> => {
		process.off('exit', killNow);
		if (hasEnded(child)) return;
		const exited = once(child, 'exit');
		child.kill('SIGTERM');
		const timer = setTimeout(killNow, 2_000);
		await exited;
		clearTimeout(timer);
	};
	const patienceEnds = performance.now() + WAIT_MS;
	while (!(await takesConnections(port))) {
		if (hasEnded(child) || performance.now() > patienceEnds) {
			await close();
			throw new Error(`${program} does not start: ${complaints}`);
		}
		await pause(20);
	}
	return { port, close };
}

/** Or never began. */
function hasEnded(child: ChildProcess): boolean {
	return child.pid === undefined || child.exitCode !== null || child.signalCode !== null;
}

async function takesConnections(port: number): Promise<boolean> {
	const socket = connect({ port, host: LOOPBACK });
	try {
		await once(socket, 'connect');
		return true;
	} catch {
		return false;
	} finally {
		socket.destroy();
	}
}
