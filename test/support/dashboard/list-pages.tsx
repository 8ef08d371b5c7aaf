import { paginate } from '../../../src/core/jobs/pages.ts';
import { DeletePage, FinishPage, RenamePage } from '../../../src/dashboard/pages/jobs/job-actions.tsx';
import { ListPreviewPage } from '../../../src/dashboard/pages/uploads/list-preview.tsx';
import type { ListPreviewProps } from '../../../src/dashboard/pages/uploads/list-preview.tsx';
import { ListsPage } from '../../../src/dashboard/pages/jobs/lists.tsx';
import type { ListsProps } from '../../../src/dashboard/pages/jobs/lists.tsx';
import { NOW, view } from './samples.ts';
import * as sample from './samples.ts';

// The pages around lists: what comes in, and what can be done with one.

const preview: ListPreviewProps = {
	view,
	available: 35_817,
	name: 'july-newsletter.csv',
	rescuesCatchAll: true,
	mailWhenDone: true,
	error: null,
	preview: {
		upload: {
			uploadId: 'upl_1',
			fileName: 'july-newsletter.csv',
			octets: 1_204_000,
			stagedAt: NOW - 20_000,
			jobId: null,
			inspection: {
				format: { encoding: 'utf-8', delimiter: ';' } as never,
				hasHeader: true,
				column: 2,
				rows: 20_430,
				oddQuoteRow: null,
				columns: [
					{ name: 'Customer', filled: 20_430, addressShare: 0, distinct: 0 },
					{ name: 'City', filled: 18_002, addressShare: 0, distinct: 0 },
					{ name: 'E-mail', filled: 20_412, addressShare: 0.998, distinct: 200 },
				],
			},
		},
		choice: { columns: [2], hasHeader: true, byMailbox: false },
		rowChoice: { column: 2, hasHeader: true },
		counts: { rows: 20_430, addresses: 20_000, duplicates: 371, malformed: 41, empty: 18 },
		credits: 20_000,
		untold: { addresses: 1_240, providers: ['Yahoo'] },
		leastMinutes: 1_440,
		several: { rows: 0, first: 0 },
		expiresAt: NOW + 86_000_000,
		firstRows: Array.from({ length: 6 }, (_, index) => ({
			number: index + 2,
			cells: [
				`Customer ${index + 1}`,
				index === 3 ? '<script>alert(1)</script>' : 'Hanover',
				`ada${index}@lovelace.example`,
			],
		})),
		malformedRows: [
			{ number: 77, text: 'ada@@lovelace', reason: 'it has more than one @' },
			{ number: 901, text: 'n/a', reason: 'it has no @' },
		],
	},
};

const { upload } = preview.preview;

const lists: ListsProps = {
	view,
	jobs: sample.jobs,
	pagination: paginate(4, 1, 25),
	filter: { search: '', state: 'all', from: null },
	uploads: [],
	error: null,
	flash: null,
};

const several: ListPreviewProps = {
	...preview,
	error: 'These columns together hold more than 50,000 addresses.',
	preview: {
		...preview.preview,
		upload: {
			...upload,
			sheets: ['Cover', 'Customers of July with a long name', 'Notes', 'Old', 'Older', 'Oldest'],
			perSheet: [1, 20_412, 0, 312, 40, null],
			sheet: 1,
			inspection: {
				...upload.inspection,
				columns: [
					...upload.inspection.columns.slice(1),
					{ name: 'Private e-mail', filled: 4_020, addressShare: 0.97, distinct: 200 },
				],
			},
		},
		choice: { columns: [1, 2], hasHeader: true, byMailbox: false },
		rowChoice: { column: 0, hasHeader: true },
		untold: { addresses: 0, providers: [] },
		several: { rows: 12, first: 4 },
		malformedRows: Array.from({ length: 41 }, (_, n) => ({
			number: n + 2,
			text: `nobody${n}`,
			reason: 'it has no @',
		})),
	},
};

export const LIST_PAGES = {
	lists: (
		<ListsPage
			{...lists}
			uploads={[
				{ ...upload, jobId: null },
				{ ...upload, uploadId: 'upl_2', fileName: `${'long-name-'.repeat(20)}.xlsx`, jobId: null },
			]}
		/>
	),
	'lists-empty': (
		<ListsPage
			{...lists}
			jobs={[]}
			pagination={paginate(0, 1, 25)}
			error={{ field: 'file', text: 'This Excel workbook is damaged.' }}
		/>
	),
	'lists-filtered': (
		<ListsPage
			{...lists}
			jobs={[]}
			pagination={paginate(0, 1, 25)}
			filter={{ search: '<b>"july', state: 'failed', from: 'api' }}
			error={{ field: 'pasted', text: 'There is no email address in this text.', typed: '</textarea>hello' }}
		/>
	),
	'list-preview': <ListPreviewPage {...preview} />,
	'list-preview-dear': <ListPreviewPage {...preview} available={100} error="Fewer credits are available." />,
	'list-preview-several': <ListPreviewPage {...several} />,
	'job-rename': <RenamePage view={view} job={sample.job} typed="" error="Give the list a name" />,
	'job-finish': <FinishPage view={view} job={sample.workingJob} />,
	'job-delete': <DeletePage view={view} job={sample.job} error="This is not the name of the list." />,
	'job-delete-working': <DeletePage view={view} job={sample.workingJob} error={null} />,
};
