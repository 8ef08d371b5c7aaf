/** What a run tells while it goes on, one event a line, so that whatever ends it leaves what was found out before. */
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

/** What came of a run, or of several. */
export interface Results {
	readonly passed: number;
	readonly failed: number;
	readonly skipped: number;
	/** What went wrong, each in a line. */
	readonly failures: readonly string[];
	/** Why tests were skipped, with how many each. */
	readonly reasons: ReadonlyMap<string, number>;
	/** Files that began and did not end. */
	readonly unfinished: readonly string[];
	/** Whether the run came to its end by itself. */
	readonly ended: boolean;
}

/** Of a test that is skipped without one: its file prints it. */
export const NO_REASON = 'for the reason printed';

/** Counts a run by its events. */
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
			// A file that could not even be read, or whose preparations failed, has no test to fail.
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

/** The results with one failure more, which is no test's. */
export function withFailure(results: Results, failure: string): Results {
	return { ...results, failed: results.failed + 1, failures: [...results.failures, failure] };
}

/** Several results as one. */
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

/** The one line that people and machines look for. */
export function summaryLine({ passed, failed, skipped }: Results): string {
	return `${passed} passed, ${failed} failed${skipped === 0 ? '' : `, ${skipped} skipped`}`;
}

/** Reads events from lines; one that was cut off by the end of its writer is left out. */
export function parseEvents(text: string): readonly RunEvent[] {
	return text.split('\n').flatMap((line) => {
		try {
			return line === '' ? [] : [JSON.parse(line) as RunEvent];
		} catch {
			return [];
		}
	});
}
