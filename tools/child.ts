import { fork } from 'node:child_process';
import type { ChildProcess, ForkOptions } from 'node:child_process';

// Wrangler takes three seconds on a machine that does nothing else.
const READY_MINUTES = 5;
const STOP_MS = 10_000;

/** A program of ours that answers at an address. */
export interface Child {
	readonly url: string;
	/** With a channel to it. */
	readonly process: ChildProcess;
	/** Resolves when it has ended, by itself or by `stop`. */
	readonly ended: Promise<number | null>;
	/** Sends SIGTERM, and SIGKILL if that does not help. It ends its own children. */
	stop(): Promise<void>;
}

interface ChildOptions extends Pick<ForkOptions, 'stdio' | 'env' | 'execPath' | 'execArgv'> {
	/** In errors. */
	readonly name: string;
	/** The address in a message of the child, once it answers there; undefined in other messages. */
	readonly urlIn: (message: unknown) => string | undefined;
	/** Whether a piece of its output is printed. */
	readonly shows: (text: string, isReady: boolean) => boolean;
	/** Sent if our process ends first: the child must not be left running. */
	readonly leaveBy: 'SIGTERM' | 'SIGKILL';
}

/** Starts a program of Node and resolves when it answers. */
export async function startChild(
	main: string,
	args: readonly string[],
	{ name, urlIn, shows, leaveBy, ...how }: ChildOptions,
): Promise<Child> {
	const child = fork(main, args, how);
	let isReady = false;
	let tail = '';
	for (const stream of [child.stdout, child.stderr])
		stream?.on('data', (chunk: Buffer) => {
			tail = (tail + chunk.toString()).slice(-4_000);
			if (shows(chunk.toString(), isReady)) process.stderr.write(chunk);
		});
	const ended = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
	const leave = (): void => void child.kill(leaveBy);
	process.once('exit', leave);
	void ended.then(() => process.off('exit', leave));
	const stop = async (): Promise<void> => {
		child.kill('SIGTERM');
		const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
		await ended;
		clearTimeout(timer);
	};
	const { promise, resolve, reject } = Promise.withResolvers<string>();
	child.on('message', (message) => {
		const url = urlIn(message);
		if (url !== undefined) resolve(url);
	});
	void ended.then((code) => reject(new Error(`${name} ended with ${code}:\n${tail}`)));
	const late = (): void => reject(new Error(`${name} is not ready after ${READY_MINUTES} minutes:\n${tail}`));
	const timer = setTimeout(late, READY_MINUTES * 60_000);
	try {
		const url = await promise;
		isReady = true;
		return { url, process: child, ended, stop };
	} catch (error) {
		await stop();
		throw error;
	} finally {
		clearTimeout(timer);
	}
}
