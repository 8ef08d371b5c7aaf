import { expect, test } from 'vitest';
import { LeftOutPage } from '../../../src/dashboard/pages/jobs/job-left-out.tsx';
import { htmlOf } from '../../support/dashboard/pages.tsx';
import { job, view } from '../../support/dashboard/samples.ts';

test('rows that were left out are shown on a page of usual size, however long what they hold is', async () => {
	const rows = Array.from({ length: 25 }, (_, index) => ({
		index,
		value: '.a'.repeat(100_000),
		reason: 'malformed' as const,
		duplicateOf: null,
	}));
	const pagination = { total: 25, page: 1, limit: 25, pages: 1, hasNextPage: false };
	const page = await htmlOf(
		<LeftOutPage view={view} job={job} reason={null} rows={rows} pagination={pagination} />,
	);
	expect(page.length).toBeLessThan(100_000);
	expect(page).toContain('…');
});
