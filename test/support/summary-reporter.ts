import type { Reporter, TestModule } from 'vitest/node';

/** Closes a run with the one line that people and machines look for. */
export default class SummaryReporter implements Reporter {
	onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
		let passed = 0;
		let failed = errors.length;
		let skipped = 0;
		for (const module of modules) {
			// A file that could not even be read has no tests to fail.
			if (module.state() === 'failed' && [...module.children.allTests()].length === 0) failed += 1;
			for (const test of module.children.allTests()) {
				const { state } = test.result();
				if (state === 'passed') passed += 1;
				else if (state === 'failed') failed += 1;
				else skipped += 1;
			}
		}
		const line = skipped === 0 ? '' : `, ${skipped} skipped`;
		process.stdout.write(`\n${passed} passed, ${failed} failed${line}\n`);
	}
}
