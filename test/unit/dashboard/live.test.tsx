import { expect, test } from 'vitest';
import { CreditsLive, CreditsPage } from '../../../src/dashboard/pages/credits/credits.tsx';
import { OverviewLive } from '../../../src/dashboard/pages/overview.tsx';
import { credits } from '../../support/dashboard/credit-pages.tsx';
import { htmlOf } from '../../support/dashboard/pages.tsx';
import { view, workingJob } from '../../support/dashboard/samples.ts';

// A script asks for one part of a page again and again. What can change while work goes on has to be inside of it.

test('credits at work: the balance and its lines are in the part that is asked for again, until nothing is reserved', async () => {
	const at = { ...credits, isNewest: true };
	const part = (await htmlOf(<CreditsLive {...at} />)).replace('<!doctype html>', '');
	expect(await htmlOf(<CreditsPage {...at} />)).toContain(part);
	expect(part).toMatch(/12,341.*12,341 still reserved/s);
	expect(part).not.toContain('data-done');
	const balance = { ...credits.ledger.balance, availableCredits: 48_158, reservedCredits: 0 };
	const still = { ...at, ledger: { ...credits.ledger, balance } };
	expect(await htmlOf(<CreditsLive {...still} />)).toContain('data-done');
	// Older lines do not move.
	expect(await htmlOf(<CreditsLive {...credits} isNewest={false} />)).toContain('data-done');
});

test('the overview: lists at work are in the part that is asked for again, until none is', async () => {
	const lists = { view, running: [workingJob], ended: [] };
	const part = await htmlOf(<OverviewLive {...lists} />);
	expect(part).toContain('7,659 of 20,000 addresses');
	expect(part).not.toContain('data-done');
	expect(await htmlOf(<OverviewLive {...lists} running={[]} />)).toContain('data-done');
});
