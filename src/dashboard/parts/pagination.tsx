import type { Pagination } from '../../core/jobs/pages.ts';
import { count, plural } from '../format.ts';
import { ButtonLink } from './button.tsx';

/** The current page, and links to its neighbours. `hrefOf` makes the URL of a page. */
export function Pages(props: {
	readonly pagination: Pagination;
	/** What is counted: "addresses". */
	readonly things: string;
	readonly hrefOf: (page: number) => string;
}) {
	const { total, page, limit, pages, hasNextPage } = props.pagination;
	if (total === 0 || (pages <= 1 && page === 1)) return null;
	const first = (page - 1) * limit + 1;
	const last = Math.min(total, page * limit);
	return (
		<nav class="pages" aria-label="Pages">
			<p class="quiet">
				{first <= total
					? `${count(first)}–${count(last)} of ${count(total)} ${props.things}`
					: `There is no page ${count(page)}: ${count(total)} ${props.things} on ${plural(pages, 'page')}`}
			</p>
			<div class="row">
				{page > 1 && (
					<ButtonLink kind="quiet" size="small" href={props.hrefOf(Math.min(page - 1, pages))}>
						Previous
					</ButtonLink>
				)}
				<span class="quiet">
					Page {count(page)} of {count(pages)}
				</span>
				{hasNextPage && (
					<ButtonLink kind="quiet" size="small" href={props.hrefOf(page + 1)}>
						Next
					</ButtonLink>
				)}
			</div>
		</nav>
	);
}
