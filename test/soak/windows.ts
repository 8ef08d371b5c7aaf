import type { Answered } from './requests.ts';

/** How many were let in and refused over all windows, and what does not agree with the limit, in words. */
export interface WindowsSeen {
	readonly windows: number;
	readonly admitted: number;
	readonly refused: number;
	readonly faults: readonly string[];
}

/**
 * Holds the answers of one category of an account against its limit. Windows are told apart by the end that the answers
 * name: two ends are a whole window apart, and each answer misses its own by its latency and a rounded second.
 */
export function lookAtWindows(answers: readonly Answered[], limit: number, windowMs: number): WindowsSeen {
	const windows: { readonly end: number; readonly answers: Answered[] }[] = [];
	const endOf = (one: Answered): number => one.ended + numberIn(one, 'ratelimit-reset') * 1000;
	for (const answer of answers.toSorted((a, b) => endOf(a) - endOf(b))) {
		const open = windows.at(-1);
		if (open !== undefined && endOf(answer) - open.end < windowMs / 2) open.answers.push(answer);
		else windows.push({ end: endOf(answer), answers: [answer] });
	}
	const faults = windows.flatMap((window, nth) =>
		faultsOf(window.answers, limit).map((fault) => `window ${nth + 1}: ${fault}`),
	);
	const refused = answers.filter(({ status }) => status === 429).length;
	return { windows: windows.length, admitted: answers.length - refused, refused, faults };
}

function faultsOf(answers: readonly Answered[], limit: number): readonly string[] {
	const [admitted, refused] = [
		answers.filter(({ status }) => status !== 429),
		answers.filter(({ status }) => status === 429),
	];
	const places = admitted.map((one) => numberIn(one, 'ratelimit-remaining'));
	const isWrong = {
		[`${admitted.length} were let in, of ${limit}`]: admitted.length > limit,
		'an answer names another limit': answers.some((one) => numberIn(one, 'ratelimit-limit') !== limit),
		'two answers name the same number of requests that remain': new Set(places).size < places.length,
		'what remains is outside of the limit': places.some((place) => !(place >= 0 && place < limit)),
		'a 429 says that requests remain': refused.some((one) => numberIn(one, 'ratelimit-remaining') !== 0),
		'a 429 has no Retry-After': refused.some((one) => !(numberIn(one, 'retry-after') >= 1)),
	};
	return Object.entries(isWrong).flatMap(([fault, wrong]) => (wrong ? [fault] : []));
}

function numberIn({ headers }: Answered, name: string): number {
	return Number(headers.get(name) ?? Number.NaN);
}
