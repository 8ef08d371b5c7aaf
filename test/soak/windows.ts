/** What an answer said of its window, and when. */
export interface WindowedAnswer {
	readonly status: number;
	/** Epoch milliseconds at which the whole answer was there. */
	readonly receivedAt: number;
	readonly limit: number;
	readonly remaining: number;
	readonly resetSeconds: number;
	readonly retryAfter: number | null;
}

/** How many were let in and refused, over all windows. */
export interface WindowsSeen {
	readonly windows: number;
	readonly admitted: number;
	readonly refused: number;
	/** What does not agree with the limit, in words. */
	readonly faults: readonly string[];
}

/**
 * Holds the answers of one category of an account against its limit. Windows are told apart by the end that the answers
 * name: two ends are a whole window apart, and each answer misses its own by its latency and a rounded second.
 */
export function lookAtWindows(
	answers: readonly WindowedAnswer[],
	limit: number,
	windowMs: number,
): WindowsSeen {
	const windows = inWindows(answers, windowMs);
	const faults = windows.flatMap((window, nth) =>
		faultsOf(window, limit).map((fault) => `window ${nth + 1}: ${fault}`),
	);
	const refused = answers.filter(({ status }) => status === 429).length;
	return { windows: windows.length, admitted: answers.length - refused, refused, faults };
}

function inWindows(
	answers: readonly WindowedAnswer[],
	windowMs: number,
): readonly (readonly WindowedAnswer[])[] {
	const windows: { readonly end: number; readonly answers: WindowedAnswer[] }[] = [];
	const endOf = ({ receivedAt, resetSeconds }: WindowedAnswer): number => receivedAt + resetSeconds * 1000;
	for (const answer of answers.toSorted((a, b) => endOf(a) - endOf(b))) {
		const open = windows.at(-1);
		if (open !== undefined && endOf(answer) - open.end < windowMs / 2) open.answers.push(answer);
		else windows.push({ end: endOf(answer), answers: [answer] });
	}
	return windows.map((window) => window.answers);
}

function faultsOf(answers: readonly WindowedAnswer[], limit: number): readonly string[] {
	const admitted = answers.filter(({ status }) => status !== 429);
	const refused = answers.filter(({ status }) => status === 429);
	const faults: string[] = [];
	if (admitted.length > limit) faults.push(`${admitted.length} were let in, of ${limit}`);
	if (answers.some((answer) => answer.limit !== limit)) faults.push('an answer names another limit');
	const places = admitted.map(({ remaining }) => remaining);
	if (new Set(places).size < places.length)
		faults.push('two answers name the same number of requests that remain');
	if (places.some((place) => place < 0 || place >= limit))
		faults.push('what remains is outside of the limit');
	if (refused.some(({ remaining }) => remaining !== 0)) faults.push('a 429 says that requests remain');
	if (refused.some(({ retryAfter }) => retryAfter === null || retryAfter < 1))
		faults.push('a 429 has no Retry-After');
	return faults;
}
