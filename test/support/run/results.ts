/** What a run reports as it goes on, one event per line, so that the results so far survive if it is killed. */
export type RunEvent =
	| { readonly kind: 'file_began'; readonly file: string }
	| {
			readonly kind: 'test';
			readonly file: string;
			readonly name: string;
			readonly state: TestState;
			readonly note?: string;
	  }
	| { readonly kind: 'file_ended'; readonly file: string; readonly broken: boolean }
	| { readonly kind: 'run_ended'; readonly errors: readonly string[] };

export type TestState = 'passed' | 'failed' | 'skipped';

/** The results of a run, or of several. */
export interface Results {
	readonly passed: number;
	readonly failed: number;
	readonly skipped: number;
	/** One line for each failure. */
	readonly failures: readonly string[];
	/** The reasons why tests were skipped, with the number of tests. */
	readonly reasons: ReadonlyMap<string, number>;
	/** Files that began but did not end. */
	readonly unfinished: readonly string[];
	/** Whether the run ended by itself. */
	readonly ended: boolean;
}

/** The reason of a test that is skipped without one: its file prints it. */
export const NO_REASON = 'for the reason printed';

/** Computes the results from a run's events. */
export function resultsOf(events: readonly RunEvent[]): Results {
	const counts = { passed: 0, failed: 0, skipped: 0 };
	const failures: string[] = [];
	const reasons = new Map<string, number>();
	const open = new Set<string>();
	let ended = false;
	for (const event of events) {
		if (event.kind === 'file_began') open.add(event.file);
		else if (event.kind === 'test') {
			counts[event.state] += 1;
			if (event.state === 'failed') failures.push(`${event.file}: ${event.name}`);
			if (event.state === 'skipped') {
				const reason = event.note ?? NO_REASON;
				reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
			}
		} else if (event.kind === 'file_ended') {
			open.delete(event.file);
			// A file that could not be loaded or whose setup failed has no test that could fail.
			if (event.broken) failures.push(`${event.file} could not be run`);
			if (event.broken) counts.failed += 1;
		} else {
			ended = true;
			counts.failed += event.errors.length;
			failures.push(...event.errors);
		}
	}
	return { ...counts, failures, reasons, unfinished: [...open], ended };
}

/** The results with one more failure, which is not a test's. */
export function withFailure(results: Results, failure: string): Results {
	return { ...results, failed: results.failed + 1, failures: [...results.failures, failure] };
}

/** The sum of several results. */
export function sumOf(all: readonly Results[]): Results {
	const add = (of: (results: Results) => number): number => all.reduce((sum, one) => sum + of(one), 0);
	const reasons = new Map<string, number>();
	for (const [reason, count] of all.flatMap((one) => [...one.reasons]))
		reasons.set(reason, (reasons.get(reason) ?? 0) + count);
	return {
		passed: add(({ passed }) => passed),
		failed: add(({ failed }) => failed),
		skipped: add(({ skipped }) => skipped),
		failures: all.flatMap(({ failures }) => failures),
		reasons,
		unfinished: all.flatMap(({ unfinished }) => unfinished),
		ended: all.every(({ ended }) => ended),
	};
}

/** The last line of a run, which people and scripts read. */
export function summaryLine({ passed, failed, skipped }: Results): string {
	return `${passed} passed, ${failed} failed${skipped === 0 ? '' : `, ${skipped} skipped`}`;
}

/** Parses events from lines. A line cut off when its writer died is skipped. */
export function parseEvents(text: string): readonly RunEvent[] {
	return text.split('\n').flatMap((line) => {
		try {
			return line === '' ? [] : [JSON.parse(line) as RunEvent];
		} catch {
			return [];
		}
	});
}
