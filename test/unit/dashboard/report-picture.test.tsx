import { expect, test } from 'vitest';
import { Reasons } from '../../../src/dashboard/parts/report-picture.tsx';
import { htmlOf } from '../../support/dashboard/pages.tsx';

test('the bar of a reason is as long as its share of all addresses, not of the largest reason', async () => {
	const html = await htmlOf(
		<Reasons
			report={{
				total: 200,
				reasons: [
					{ reason: 'accepted_email', count: 162 },
					{ reason: 'rejected_email', count: 38 },
				],
			}}
		/>,
	);
	const widths = [...html.matchAll(/class="fill-(\w+)" x="0%" width="([^"]+)"/g)].map(([, tone, width]) => [
		tone,
		width,
	]);
	expect(widths.filter(([tone]) => tone !== 'pending')).toEqual([
		['deliverable', '81%'],
		['undeliverable', '19%'],
	]);
});
