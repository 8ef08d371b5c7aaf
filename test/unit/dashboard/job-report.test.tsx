import { expect, test } from 'vitest';
import { ReportHead } from '../../../src/dashboard/pages/jobs/job-report.tsx';
import { JobNextSteps } from '../../../src/dashboard/pages/jobs/job-next-steps.tsx';
import { htmlOf } from '../../support/dashboard/pages.tsx';
import { report } from '../../support/dashboard/report-samples.ts';
import { job, NOW, view } from '../../support/dashboard/samples.ts';

const OF_17183 = {
	...report,
	total: 17_183,
	reasons: [
		{ reason: 'not_asked' as const, count: 14_828 },
		{ reason: 'accepted_email' as const, count: 2_355 },
	],
};

async function wordsOf(more: Partial<typeof job>, fileRows: number | null = null): Promise<string> {
	const html = await htmlOf(<ReportHead job={{ ...job, ...more }} report={OF_17183} fileRows={fileRows} />);
	return html.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
}

test('a list that was finished early says how many were answered, and blames no mail server', async () => {
	const words = await wordsOf({ finishedAt: NOW });
	expect(words).toContain('Stopped early: 2,355 of 17,183 answered. The others cost nothing.');
	expect(words).not.toMatch(/Stopped early[^.]*(server|limit|timed out)/);
});

test('a list that came to its end was not stopped early', async () => {
	expect(await wordsOf({ finishedAt: null })).not.toContain('Stopped early');
});

test.each([
	[[['probe_blocked', 222]], '222 addresses have no answer: their servers block us'],
	[[['timeout', 1]], '1 address has no answer: their servers took too long'],
	[
		[
			['greylisted', 90],
			['not_asked', 7],
		],
		'97 addresses have no answer, most often because their servers asked us to come back later',
	],
] as const)('a list whose unknown answers are %j says why', async (unknown, words) => {
	const reasons = unknown.map(([reason, count]) => ({ reason, count }));
	const mayAnswerLater = reasons.reduce((sum, { count }) => sum + count, 0);
	const steps = { view, job, available: 500, tasks: [], again: null };
	const html = await htmlOf(<JobNextSteps {...steps} report={{ ...report, reasons, mayAnswerLater }} />);
	expect(html).toContain(`<h3>${words}</h3>`);
});

test('the rows of the file that hold no address are counted among those left out', async () => {
	const rows = { finishedAt: null, submitted: 10, duplicates: 2, invalid: 1 };
	expect(await wordsOf(rows, 14)).toContain(
		'2 rows repeat an earlier address, 1 row is not a valid address and 4 rows have no address. They were left out',
	);
});
