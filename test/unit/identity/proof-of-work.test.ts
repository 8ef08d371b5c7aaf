import { webcrypto } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { isWorkDone, WORK_ZEROS } from '../../../src/core/identity/proof-of-work.ts';

const CHALLENGE = 'a form that was rendered for this browser';
const ISLAND = 'src/dashboard/assets/islands/work.js';

/** Runs the script of the pages on a form, and returns the value of the field that it adds. */
async function answerOfBrowser(): Promise<string> {
	const added = Promise.withResolvers<string>();
	const form = {
		dataset: { work: String(WORK_ZEROS) },
		elements: { namedItem: () => ({ value: CHALLENGE }) },
		append: (field: { value: string }) => added.resolve(field.value),
	};
	const document = { querySelectorAll: () => [form], createElement: () => ({}) };
	runInNewContext(readFileSync(ISLAND, 'utf8'), { document, crypto: webcrypto, TextEncoder, Uint8Array });
	return added.promise;
}

test('a browser’s script does the work that the service checks, for its own form alone', async () => {
	const answer = await answerOfBrowser();
	expect(isWorkDone({ challenge: CHALLENGE, answer })).toBe(true);
	expect(isWorkDone({ challenge: `${CHALLENGE}.`, answer })).toBe(false);
});

test.each(['', '0', 'x'.repeat(17), 'x'.repeat(1_000_000)])('no answer of chance is work: %#', (answer) => {
	expect(isWorkDone({ challenge: CHALLENGE, answer })).toBe(false);
});
