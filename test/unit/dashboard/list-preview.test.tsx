import { expect, test } from 'vitest';
import { LIST_PAGES } from '../../support/dashboard/list-pages.tsx';
import { htmlOf } from '../../support/dashboard/pages.tsx';

test('before a list is paid for, its page says which addresses will be unknown and free, and how long it takes', async () => {
	const page = await htmlOf(LIST_PAGES['list-preview']);
	expect(page).toContain('1,240 addresses at Yahoo will be unknown and free');
	expect(page).not.toContain('at Google will be unknown');
	expect(page).toMatch(/This takes at least \d+ h/);
});
