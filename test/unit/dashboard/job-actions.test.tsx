import { expect, test } from 'vitest';
import { AgainPage } from '../../../src/dashboard/pages/jobs/job-actions.tsx';
import { htmlOf } from '../../support/dashboard/pages.tsx';
import { job, view } from '../../support/dashboard/samples.ts';

async function pageOf(addresses: number, available: number): Promise<string> {
	return htmlOf(<AgainPage view={view} job={job} addresses={addresses} available={available} />);
}

test('asking again says what it costs at most before it asks', async () => {
	const words = (await pageOf(1_204, 5_000)).replaceAll(/<[^>]*>/g, '');
	expect(words).toContain('1,204 addresses without an answer, at most 1,204 credits; you have 5,000.');
	expect(words).toContain('Ask 1,204 addresses again');
});

test('asking again can’t be confirmed by an account that can’t pay for it, and says how much is short', async () => {
	const page = await pageOf(1_204, 1_000);
	expect(page).toContain('You are 204 credits short.');
	expect(page).toMatch(/<button[^>]*disabled[^>]*>\s*Ask/);
});
