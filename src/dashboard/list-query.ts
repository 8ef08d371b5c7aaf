import { RESULT_FILTERS } from '../http/schemas/job.ts';
import { LIST_ORDER, NO_FILTER, SORTS } from '../core/jobs/report/filter.ts';
import type { RowFilter, RowOrder, With } from '../core/jobs/report/filter.ts';
import { CATCH_ALL_VERDICTS } from '../core/verification/render.ts';
import { SUB_STATUSES } from '../core/verification/sub-status.ts';
import type { SubStatus } from '../core/verification/sub-status.ts';

/** Which rows of a list a page shows, and how. */
export interface ListQuery {
	readonly filter: RowFilter;
	readonly order: RowOrder;
}

// An address has at most 254 characters.
const TEXT_MAX = 254;
const WORD = /^[a-z0-9_]{1,40}$/;

/**
 * Reads the query of a list's page. It ignores unknown fields: an old link shows more rows, and never an error.
 *
 * @param value the value of a parameter
 */
export function readListQuery(value: (name: string) => string | undefined): ListQuery {
	const one = <T extends string>(name: string, words: readonly T[]): T | null =>
		words.find((word) => word === value(name)) ?? null;
	const having = (name: string): With | null => one(name, ['only', 'without']);
	const operator = value('operator') ?? '';
	const sort = value('sort') ?? '';
	const by = SORTS.find((key) => key === sort.replace(/^-/, ''));
	return {
		filter: {
			status: one('status', RESULT_FILTERS),
			reason: one('reason', Object.keys(SUB_STATUSES) as SubStatus[]),
			role: having('role'),
			free: having('free'),
			disposable: having('disposable'),
			verdict: one('verdict', CATCH_ALL_VERDICTS),
			operator: WORD.test(operator) ? operator : null,
			text: (value('q') ?? '').trim().slice(0, TEXT_MAX),
		},
		order: by === undefined ? LIST_ORDER : { by, descending: sort.startsWith('-') },
	};
}

/** The parameters of a query, without those that have their usual value. */
export function listParameters({ filter, order }: ListQuery): readonly (readonly [string, string])[] {
	const { text, ...words } = filter;
	const isUsual = order.by === LIST_ORDER.by && !order.descending;
	return [
		...Object.entries(words).flatMap(([name, word]) => (word === null ? [] : [[name, word] as const])),
		...(text === '' ? [] : [['q', text] as const]),
		...(isUsual ? [] : [['sort', sortWord(order)] as const]),
	];
}

/** `score`, or `-score`: from the highest down. */
export function sortWord({ by, descending }: RowOrder): string {
	return `${descending ? '-' : ''}${by}`;
}

/** The URL of the tab that shows these rows of a list. */
export function listHref(jobId: string, query: Partial<ListQuery>, page = 1): string {
	const words = wordsOf(query);
	if (page > 1) words.set('page', String(page));
	return withWords(`/dashboard/jobs/${jobId}/results`, words);
}

/** The URL of one row, by its place in the list, that leads back to the rows of this query. */
export function rowHref(jobId: string, index: number, query: Partial<ListQuery>): string {
	return withWords(`/dashboard/jobs/${jobId}/rows/${index}`, wordsOf(query));
}

/** The URL of the page that asks what to download of these rows. */
export function downloadHref(jobId: string, query: Partial<ListQuery>): string {
	return withWords(`/dashboard/jobs/${jobId}/export`, wordsOf(query));
}

function wordsOf(query: Partial<ListQuery>): URLSearchParams {
	const all = listParameters({ filter: NO_FILTER, order: LIST_ORDER, ...query });
	return new URLSearchParams(all.map(([name, word]) => [name, word]));
}

function withWords(path: string, words: URLSearchParams): string {
	const text = words.toString();
	return text === '' ? path : `${path}?${text}`;
}
