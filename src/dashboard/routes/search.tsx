import type { Hono } from 'hono';
import type { DashboardEnv } from '../context.ts';
import { signedInOf } from '../session.ts';
import { viewOf } from '../make-view.ts';
import { FoundPlaces, SearchPage } from '../pages/search.tsx';
import { showPage, showPart } from '../show-page.ts';
import { findLists } from '../../operations/jobs/read-job.ts';

const QUERY_MAX = 100;
const LISTS_MAX = 5;

/** The search for pages and lists. A script asks for the results alone. */
export function addSearch(app: Hono<DashboardEnv>): void {
	app.get('/dashboard/search', async (c) => {
		const query = (c.req.query('q') ?? '').trim().slice(0, QUERY_MAX);
		const filter = { search: query, state: 'all', from: null, page: 1 } as const;
		const { jobs } = await findLists(c.var.services, signedInOf(c).user, filter);
		const found = { query, lists: jobs.slice(0, LISTS_MAX) };
		if (c.req.query('part') !== undefined) return showPart(c, <FoundPlaces {...found} />);
		return showPage(c, <SearchPage view={viewOf(c)} {...found} />);
	});
}
