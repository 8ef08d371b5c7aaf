import { appendFileSync } from 'node:fs';
import path from 'node:path';
import type { Reporter, TestCase, TestModule } from 'vitest/node';
import { resultsOf, summaryLine } from './run/results.ts';
import type { RunEvent, TestState } from './run/results.ts';

/**
 * Ends a run with the summary line that people and scripts read. Where RUN_EVENTS names a file, each result is appended
 * there at once, so that it survives if the run is killed.
 */
export default class SummaryReporter implements Reporter {
	readonly #events: RunEvent[] = [];
	readonly #file = process.env['RUN_EVENTS'];

	onTestModuleStart(module: TestModule): void {
		this.#tell({ kind: 'file_began', file: nameOf(module) });
	}

	onTestCaseResult(test: TestCase): void {
		const { state } = test.result();
		if (state !== 'pending') this.#tell(eventOf(test, state));
	}

	onTestModuleEnd(module: TestModule): void {
		const children = [...module.children.allTests()];
		// A test whose file failed before its turn has no result.
		for (const test of children.filter((one) => one.result().state === 'pending'))
			this.#tell(eventOf(test, 'skipped'));
		const broken = module.state() === 'failed' && !children.some((test) => test.result().state === 'failed');
		this.#tell({ kind: 'file_ended', file: nameOf(module), broken });
	}

	onTestRunEnd(_modules: readonly TestModule[], errors: readonly { readonly message: string }[]): void {
		this.#tell({ kind: 'run_ended', errors: errors.map(({ message }) => message.split('\n')[0] ?? '') });
		if (this.#file === undefined) process.stdout.write(`\n${summaryLine(resultsOf(this.#events))}\n`);
	}

	#tell(event: RunEvent): void {
		this.#events.push(event);
		if (this.#file !== undefined) appendFileSync(this.#file, `${JSON.stringify(event)}\n`);
	}
}

function nameOf(module: TestModule): string {
	return path.relative(process.cwd(), module.moduleId);
}

function eventOf(test: TestCase, state: TestState): RunEvent {
	const result = test.result();
	const note = result.state === 'skipped' ? result.note : undefined;
	return {
		kind: 'test',
		file: nameOf(test.module),
		name: test.fullName,
		state,
		...(note === undefined ? {} : { note }),
	};
}
