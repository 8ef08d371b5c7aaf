import { expect, test } from 'vitest';
import { LIST_PAGES } from '../../support/dashboard/list-pages.tsx';
import { htmlOf } from '../../support/dashboard/pages.tsx';

test('before a list is paid for, its page says which addresses will be unknown and free, and how long it takes', async () => {
	const page = await htmlOf(LIST_PAGES['list-preview']);
	expect(page).toContain('1,240 addresses at Yahoo will be unknown and free: ');
	expect(page).toMatch(/This takes at least \d+ h/);
	expect(await htmlOf(LIST_PAGES['list-preview-several'])).not.toContain('will be unknown');
});

test('the sheets that were passed over are named with their addresses, and rows with two addresses are told', async () => {
	const page = (await htmlOf(LIST_PAGES['list-preview-several'])).replaceAll(/<[^>]*>/g, '');
	expect(page).toContain('From the sheet “Customers of July with a long name” (20,412 addresses).');
	expect(page).toContain('Other sheets: “Cover” (1 address), “Notes” (no addresses), “Old” (312 addresses)');
	expect(page).toContain('“Older” (40 addresses) and 1 that we did not read.');
	expect(page).toContain('12 rows have more than one address. We verify the first of each, as in row 4.');
	expect(await htmlOf(LIST_PAGES['list-preview'])).not.toMatch(/From the sheet|more than one address/);
});
