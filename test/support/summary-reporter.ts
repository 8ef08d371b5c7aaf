import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Reporter, TestModule, TestRunEndReason } from 'vitest/node';

/** The seconds of each test file, a file a project. */
const SECONDS = 'node_modules/.cache/mailsonar-seconds';

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
		noteSeconds(modules);
		for (const [reason, count] of reasons) process.stdout.write(`  ${count} skipped: ${reason}\n`);
		const { passed, failed, skipped } = counts;
		process.stdout.write(
			`\n${passed} passed, ${failed} failed${skipped === 0 ? '' : `, ${skipped} skipped`}\n`,
		);
	}
}

/** Writes down what each file took, the slowest first. */
function noteSeconds(modules: readonly TestModule[]): void {
	mkdirSync(SECONDS, { recursive: true });
	for (const [project, files] of Map.groupBy(modules, ({ project: { name } }) => name)) {
		const lines = files
			.map((file) => ({ file: file.relativeModuleId, seconds: file.diagnostic().duration / 1_000 }))
			.toSorted((a, b) => b.seconds - a.seconds)
			.map(({ file, seconds }) => `${seconds.toFixed(1)} ${file}\n`);
		writeFileSync(path.join(SECONDS, `${project}.txt`), lines.join(''));
	}
}
