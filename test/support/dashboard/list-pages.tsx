import { paginate } from '../../../src/core/jobs/pages.ts';
import { draftPage } from '../../../src/dashboard/pages/draft.tsx';
import type { DraftData } from '../../../src/dashboard/pages/draft.tsx';
import { listsPlace } from '../../../src/dashboard/pages/lists.tsx';
import { jobs, NOW, view, wrong } from './samples.ts';

// The pages around lists: what comes in, and all that there are.

const draft: DraftData = {
	available: 35_817,
	preview: {
		upload: {
			uploadId: 'upl_1',
			fileName: 'july-newsletter.csv',
			octets: 1_204_000,
			stagedAt: NOW - 20_000,
			jobId: null,
			sheets: [],
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
		choice: { column: 2, hasHeader: true },
		counts: { rows: 20_430, addresses: 20_000, duplicates: 371, malformed: 41, empty: 18 },
		credits: 20_000,
		untold: { addresses: 1_240, providers: ['Yahoo'] },
		leastMinutes: 1_440,
		several: { rows: 0, first: 0 },
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

const { upload } = draft.preview;

const lists: Parameters<typeof listsPlace.draw>[1] = {
	jobs,
	drafts: [],
	pagination: paginate(4, 1, 25),
	search: '',
};

const none = { ...lists, jobs: [], pagination: paginate(0, 1, 25) };

const several: DraftData = {
	...draft,
	preview: {
		...draft.preview,
		upload: {
			...upload,
			sheets: [
				['Cover', 1],
				['Customers of July with a long name', 20_412],
				['Notes', 0],
				['Old', null],
			].map(([name, addresses], at) => ({ name, addresses, isChosen: at === 1 })) as typeof upload.sheets,
			inspection: {
				...upload.inspection,
				columns: [
					...upload.inspection.columns,
					{ name: 'Private e-mail', filled: 4_020, addressShare: 0.97, distinct: 200 },
				],
				oddQuoteRow: 17,
			},
		},
		untold: { addresses: 0, providers: [] },
		leastMinutes: 0,
		several: { rows: 12, first: 4 },
		malformedRows: Array.from({ length: 41 }, (_, n) => ({
			number: n + 2,
			text: `nobody${n}`,
			reason: 'it has no @',
		})),
	},
};

export const LIST_PAGES = {
	lists: listsPlace.draw(view, {
		...lists,
		drafts: [upload, { ...upload, uploadId: 'upl_2', fileName: `${'long-name-'.repeat(20)}.xlsx` }],
	}),
	'lists-empty': listsPlace.draw(view, none, wrong('new', {}, { file: 'This Excel workbook is damaged.' })),
	'lists-searched': listsPlace.draw(
		view,
		{ ...none, search: '<b>"july' },
		wrong('new', { pasted: '</textarea>hello' }, { pasted: 'There is no email address in this text.' }),
	),
	draft: draftPage.draw(view, draft),
	'draft-dear': draftPage.draw(
		{ ...view, flash: { kind: 'failed', text: 'Fewer credits are available.' } },
		{ ...draft, available: 100 },
	),
	'draft-several': draftPage.draw(view, several),
};
