import { inject } from 'vitest';
import type { Fault } from './job-world.ts';

/**
 * The deaths that a life of these calls has to survive: on the first occasions of each kind of call and on its last one,
 * before and after it. Only the long tests try both; the others take turns.
 */
export function deathsIn(calls: readonly string[], occasions = 1): readonly (Fault & { step: string })[] {
	const moments = [...calls.keys()].filter((at) => {
		const same = [...calls.keys()].filter((other) => calls[other] === calls[at]);
		return same.indexOf(at) < occasions || same.at(-1) === at;
	});
	return moments.flatMap((at, nth) =>
		(['before', 'after'] as const)
			.filter((_, way) => inject('isLong') || way === nth % 2)
			.map((when) => ({ call: at + 1, when, step: calls[at] ?? '' })),
	);
}
