import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { expect } from 'vitest';
import { eventually } from '../support/patience.ts';

const open = new Set<ProcessGroup>();
// Nothing else reaches a group of its own when the process of the tests is ended from outside.
process.once('exit', () => {
	for (const group of open) group.signalAll('SIGKILL');
});
process.once('SIGTERM', () => process.exit(143));

/** A command in a process group of its own, as a terminal would start it: signals can reach all of it at once. */
export class ProcessGroup {
	readonly #child: ChildProcess;
	/** The leader's exit code, once it ended and all it printed was read; null after a signal. */
	readonly exitCode: Promise<number | null>;
	output = '';

	constructor(command: string, args: readonly string[]) {
		// `detached` makes the child the leader of a new group; nothing else of it is detached from us.
		this.#child = spawn(command, args, { detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
		for (const stream of [this.#child.stdout, this.#child.stderr])
			stream?.setEncoding('utf8').on('data', (chunk: string) => (this.output += chunk));
		// Not `exit`: what it printed last may still be on its way then.
		this.exitCode = once(this.#child, 'close').then(([code]: (number | null)[]) => code ?? null);
		open.add(this);
		// Its number may belong to somebody else later.
		void this.exitCode.then(() => this.members().length === 0 && open.delete(this));
	}

	/** Waits until the output matches, which it must before the leader ends. */
	async printed(pattern: RegExp): Promise<void> {
		await Promise.race([this.exitCode, eventually(() => expect(this.output).toMatch(pattern))]);
		expect(this.output).toMatch(pattern);
	}

	/** Waits until the words are printed, or are part of the command line of one of its processes. */
	async shows(words: string): Promise<void> {
		await eventually(() => expect([this.output, ...this.members()].join('\n')).toContain(words));
	}

	/** As Ctrl-C does it: every process of the group gets the signal. */
	signalAll(signal: NodeJS.Signals): void {
		try {
			process.kill(-this.#leader, signal);
		} catch {
			// Nobody of the group is left.
		}
	}

	signalLeader(signal: NodeJS.Signals): void {
		this.#child.kill(signal);
	}

	/** Who of the group is alive, as `ps` tells it. */
	members(): string[] {
		const { stdout } = spawnSync('ps', ['-A', '-o', 'pgid=,stat=,pid=,args='], { encoding: 'utf8' });
		return stdout.split('\n').filter((line) => {
			const [group, state = ''] = line.trim().split(/\s+/);
			return Number(group) === this.#leader && !state.startsWith('Z');
		});
	}

	/** Waits until nobody of the group is left. */
	async gone(): Promise<void> {
		await eventually(() => expect(this.members()).toEqual([]));
		open.delete(this);
	}

	/** Ends all of it at once and without a chance to tidy up. */
	async kill(): Promise<void> {
		this.signalAll('SIGKILL');
		await this.gone();
	}

	get #leader(): number {
		const { pid } = this.#child;
		if (pid === undefined) throw new Error('the command could not be started');
		return pid;
	}
}

/** Waits for the whole welcome of `npm start`. */
export async function readWelcome(group: ProcessGroup) {
	await group.printed(/Ctrl-C ends everything/);
	const word = (pattern: RegExp): string => pattern.exec(group.output)?.[1] ?? '';
	return {
		url: word(/^Mailsonar +(http:\S+)$/m),
		accountId: word(/^Account +(\S+)$/m),
		apiKey: word(/^API key +(\S+)$/m),
	};
}
