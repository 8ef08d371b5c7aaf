import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Measured, Question, RunnerSettings } from './protocol.ts';

const SCRIPT = join(import.meta.dirname, 'runner.ts');

/** The process in which contenders run, one question at a time. */
export interface Runner {
	/** Throws what the contender threw. */
	measure(question: Question): Promise<Extract<Measured, { failure: null }>>;
	end(): void;
}

/** Starts it. */
export function startRunner(settings: RunnerSettings): Runner {
	const child = fork(SCRIPT, [JSON.stringify(settings)], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
	const died = once(child, 'exit').then(([code]) => {
		throw new Error(`The process of the contenders ended with ${String(code)}`);
	});
	// Its end is no failure while nobody waits for it.
	died.catch(() => undefined);
	return {
		async measure(question) {
			child.send(question);
			const [measured] = (await Promise.race([once(child, 'message'), died])) as [Measured];
			if (measured.failure === null) return measured;
			throw new Error(`${question.contender}: ${measured.failure}`);
		},
		end: () => void child.kill(),
	};
}
