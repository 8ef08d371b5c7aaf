import type { Reporter, TestModule, TestRunEndReason } from 'vitest/node';

/** Ends a run with the reasons of what was skipped, and with the line that people and scripts read. */
export default class SummaryReporter implements Reporter {
	onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[], _reason: TestRunEndReason): void {
		const counts = { passed: 0, failed: errors.length, skipped: 0 };
		const reasons = new Map<string, number>();
		for (const module of modules) {
			const results = [...module.children.allTests()].map((test) => test.result());
			for (const result of results) {
				// A test whose file failed before its turn has no result.
				const state = result.state === 'pending' ? 'skipped' : result.state;
				counts[state] += 1;
				if (state !== 'skipped') continue;
				const reason = (result.state === 'skipped' ? result.note : undefined) ?? 'for the reason printed';
				reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
			}
			// A file that could not be loaded, or whose setup failed, has no test that could fail.
			if (module.state() === 'failed' && !results.some(({ state }) => state === 'failed')) counts.failed += 1;
		}
		for (const [reason, count] of reasons) process.stdout.write(`  ${count} skipped: ${reason}\n`);
		const { passed, failed, skipped } = counts;
		process.stdout.write(
			`\n${passed} passed, ${failed} failed${skipped === 0 ? '' : `, ${skipped} skipped`}\n`,
		);
	}
}
