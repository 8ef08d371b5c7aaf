import { expect, test } from 'vitest';
import { creditsPlace } from '../../../src/dashboard/pages/credits.tsx';
import { homePlace } from '../../../src/dashboard/pages/home.tsx';
import { credits } from '../../support/dashboard/credit-pages.tsx';
import { home, htmlOf } from '../../support/dashboard/pages.tsx';
import { view } from '../../support/dashboard/samples.ts';

// A script asks for one part of a page again and again. What can change while work goes on has to be inside of it.

test('credits and Home at work: what moves is asked for again, until nothing is reserved and no list runs', async () => {
	const creditsOf = async (more: Partial<typeof credits>) =>
		htmlOf(creditsPlace.draw(view, { ...credits, ...more }));
	const moving = await creditsOf({});
	expect(moving).toMatch(/<div data-live="[^"]*"><section.*12,341.*12,341 still reserved/s);
	const balance = { ...credits.balance, availableCredits: 48_158, reservedCredits: 0 };
	expect(await creditsOf({ balance })).toContain('data-done');
	// Older lines do not move.
	expect(await creditsOf({ isNewest: false })).toContain('data-done');
	const working = await htmlOf(homePlace.draw(view, home));
	expect(working).toMatch(/<div data-live="[^"]*"><section.*7,659 of 20,000 addresses/s);
	expect(await htmlOf(homePlace.draw(view, { ...home, running: [] }))).not.toContain('data-live');
});
