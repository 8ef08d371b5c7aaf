import { expect, test } from 'vitest';
import { checkTarget } from '../support/fuzz/target.ts';
import { FUZZ_TARGETS } from '../support/fuzz/targets.ts';

// A small share of what `npm run fuzz` tries, the same every time.
const SEED = 20_261_122;
const CASES = 1_000;

test.each(FUZZ_TARGETS)('$name: nothing that a stranger sends breaks the reader', async (target) => {
	expect(await checkTarget(target, { seed: SEED, cases: CASES })).toBeNull();
});
