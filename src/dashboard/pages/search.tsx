import type { JobRecord } from '../../operations/jobs/port.ts';
import { plural } from '../format.ts';
import { DashboardPage, PLACES } from '../layout.tsx';
import { SearchForm } from '../parts/form.tsx';
import { nameOf } from '../parts/job-words.ts';
import type { View } from '../view.ts';

interface FoundProps {
	readonly query: string;
	/** Lists whose name holds the query. */
	readonly lists: readonly JobRecord[];
}

const SOME_PAGES = [
	...PLACES,
	{ name: 'Add credits', href: '/dashboard/credits/add' },
	{ name: 'Ledger', href: '/dashboard/credits#ledger' },
	{ name: 'Activity', href: '/dashboard/settings/activity' },
	{ name: 'Docs', href: '/docs' },
	{ name: 'API reference', href: '/docs/reference' },
] as const;

/** The page that finds without a script what the dialog finds with one. */
export function SearchPage(props: FoundProps & { readonly view: View }) {
	return (
		<DashboardPage view={props.view} place={null} title="Go to">
			<SearchForm
				id="search-page"
				action="/dashboard/search"
				label="A page, a list, or an address to verify"
				query={props.query}
			/>
			<FoundPlaces {...props} />
		</DashboardPage>
	);
}

/** Links to an address's verification, to pages and to lists. */
export function FoundPlaces({ query, lists }: FoundProps) {
	const words = query.toLowerCase();
	const found: readonly { name: string; href: string; kind: string }[] = [
		...(query.includes('@')
			? [{ name: `Verify ${query}`, href: `/dashboard/verify?email=${encodeURIComponent(query)}`, kind: '' }]
			: []),
		...SOME_PAGES.filter(({ name }) => name.toLowerCase().includes(words)).map(({ name, href }) => ({
			name,
			href,
			kind: '',
		})),
		...lists.map((job) => ({ name: nameOf(job), href: `/dashboard/jobs/${job.jobId}`, kind: 'List' })),
	];
	return (
		<div data-found>
			<p class={found.length === 0 ? 'quiet small' : 'unseen'} role="status">
				{found.length === 0 ? 'Nothing found. Try part of a name.' : plural(found.length, 'result')}
			</p>
			<ul class="found">
				{found.map(({ name, href, kind }) => (
					<li class="spread">
						<a class="wraps" href={href}>
							{name}
						</a>
						{kind !== '' && <span class="small quiet">{kind}</span>}
					</li>
				))}
			</ul>
		</div>
	);
}
