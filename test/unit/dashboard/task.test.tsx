import { expect, test } from 'vitest';
import { PAGES, htmlOf } from '../../support/dashboard/pages.tsx';
import { taskRows } from '../../support/dashboard/samples.ts';

test('each answer of a catch-all check has its conversation: the reply’s code, its status and the rule', async () => {
	const words = (await htmlOf(PAGES['task'])).replaceAll(/<[^>]*>/g, '');
	expect(words.match(/The conversation/g)).toHaveLength(taskRows.length);
	expect(words).toContain('250 2.1.5');
	expect(words).toContain('catch_all_unresolved');
});
