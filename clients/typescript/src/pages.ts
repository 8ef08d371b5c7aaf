import type { components } from './openapi.ts';

export type Pagination = Readonly<components['schemas']['Pagination']>;

export interface Page<Row> {
	readonly rows: readonly Row[];
	readonly pagination: Pagination;
}

/** The most that the API gives at once. */
export const LIMIT_MAX = 500;

/** Rows that the API gives in pages. `for await` over it reads them all, a page at a time, as they are wanted. */
export class Pages<Row> implements AsyncIterable<Row> {
	readonly #read: (page: number) => Promise<Page<Row>>;

	constructor(read: (page: number) => Promise<Page<Row>>) {
		this.#read = read;
	}

	/** One page, from 1. A page past the end has no rows. */
	async page(number: number): Promise<Page<Row>> {
		return this.#read(number);
	}

	/** Page after page. */
	async *pages(): AsyncGenerator<Page<Row>, void, undefined> {
		for (let number = 1; ; number += 1) {
			const page = await this.#read(number);
			yield page;
			if (!page.pagination.hasNextPage) return;
		}
	}

	async *[Symbol.asyncIterator](): AsyncGenerator<Row, void, undefined> {
		for await (const { rows } of this.pages()) yield* rows;
	}

	/** All rows in memory. */
	async toArray(): Promise<Row[]> {
		const rows: Row[] = [];
		for await (const row of this) rows.push(row);
		return rows;
	}
}
