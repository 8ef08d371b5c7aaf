import { expect, test } from 'vitest';
import { LIST_PAGES } from '../../support/dashboard/list-pages.tsx';
import { htmlOf } from '../../support/dashboard/pages.tsx';

const wordsOf = async (page: keyof typeof LIST_PAGES) =>
	(await htmlOf(LIST_PAGES[page])).replaceAll(/<[^>]*>/g, '').replaceAll(/\s+/g, ' ');

test('before a list is paid for, its page says what it costs, which addresses will be unknown and free, and how long it takes', async () => {
	const words = await wordsOf('draft');
	expect(words).toContain('20,000 addresses in E-mail, at most 20,000 credits; you have 35,817.');
	expect(words).toContain('1,240 addresses at Yahoo will be unknown and free: ');
	expect(words).toMatch(/This takes at least \d+ h/);
	expect(await wordsOf('draft-several')).not.toContain('will be unknown');
	expect(await wordsOf('draft-dear')).toContain('You are 19,900 credits short.');
	expect(await htmlOf(LIST_PAGES['draft-dear'])).toMatch(/<button[^>]*disabled[^>]*>\s*Verify/);
});

test('the columns and sheets that were passed over are named with their addresses, and so are rows with two', async () => {
	const words = await wordsOf('draft-several');
	expect(words).toContain('Verify another column instead: Private e-mail (3,899 addresses).');
	expect(words).toContain('From the sheet “Customers of July with a long name” (20,412 addresses).');
	expect(words).toContain('Not read: “Cover” (1 address), “Notes” (no addresses) and “Old”.');
	expect(words).toContain('12 rows have more than one address. We verify the first of each, as in row 4.');
	expect(words).toContain('Check row 17');
	expect(await wordsOf('draft')).not.toMatch(/another column|From the sheet|more than one address/);
});
