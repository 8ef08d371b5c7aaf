import type { Found } from '../../../core/audit/finding.ts';
import type { Clock } from '../../../engine/ports.ts';

/** Longer than what lies between two stores in any call. */
const PAUSE_MS = 2_000;

/**
 * What is off twice, with a pause in between: two stores are never read at one moment, and work goes on meanwhile.
 */
export async function confirm<T extends Found>(
	{ clock }: { readonly clock: Clock },
	look: () => Promise<readonly T[]>,
): Promise<readonly T[]> {
	const first = await look();
	if (first.length === 0) return first;
	await clock.sleep(PAUSE_MS);
	const seen = new Set(first.map(keyOf));
	return (await look()).filter((found) => seen.has(keyOf(found)));
}

function keyOf({ what, about }: Found): string {
	return `${what} ${about ?? ''}`;
}
