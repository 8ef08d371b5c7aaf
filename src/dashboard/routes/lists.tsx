import type { Hono } from 'hono';
import { PASTED_CHARS_MAX } from '../../core/upload/pasted.ts';
import { ServiceError } from '../../errors.ts';
import { findLists, LIST_SOURCES } from '../../operations/jobs/read-job.ts';
import { LIST_STATES } from '../../operations/jobs/port.ts';
import { listUploads, stagePasted, stageUpload } from '../../operations/uploads/uploads.ts';
import type { Upload } from '../../operations/uploads/port.ts';
import type { DashboardEnv, PageContext } from '../context.ts';
import { signedInOf, takeFlash } from '../session.ts';
import { minute } from '../format.ts';
import { readPage, viewOf } from '../make-view.ts';
import { AllLists, ListsPage } from '../pages/jobs/lists.tsx';
import type { ListFilter } from '../pages/jobs/lists.tsx';
import type { RefusedList } from '../pages/uploads/new-list.tsx';
import { readUpload } from '../read-upload.ts';
import type { SentList } from '../read-upload.ts';
import { refuseTooMany } from '../refuse-too-many.ts';
import { showPage, showPart } from '../show-page.ts';

export const LISTS = '/dashboard/lists';
const SEARCH_MAX = 100;
// More of a pasted text is not shown again beside what was wrong with it.
const TYPED_MAX = 20_000;

/** Lists: what comes in, and all jobs. */
export function addLists(app: Hono<DashboardEnv>): void {
	app.get(LISTS, async (c) => showLists(c, null));
	app.get(`${LISTS}/live`, async (c) => {
		const filter = filterOf(c);
		const listed = await findLists(c.var.services, signedInOf(c).user, { ...filter, page: readPage(c) });
		return showPart(c, <AllLists view={viewOf(c)} filter={filter} {...listed} />);
	});
	app.post(LISTS, (c) => takeList(c));
}

/** Takes a file or pasted text. A script that shows the upload's progress asks for JSON. */
async function takeList(c: PageContext): Promise<Response> {
	const byScript = c.req.header('accept') === 'application/json';
	const refuse = (error: RefusedList, status: 422 | 429): Response | Promise<Response> =>
		byScript ? c.json({ error: error.text }, status) : showLists(c, error, status);
	const sent = await readUpload(c, () => refuseTooMany(c, 'stage_upload'));
	if (sent.kind === 'refused') return refuse({ field: 'file', text: sent.error }, sent.status);
	try {
		const { uploadId } = await stage(c, sent);
		const location = `${LISTS}/uploads/${uploadId}`;
		return byScript ? c.json({ location }) : c.redirect(location, 303);
	} catch (error) {
		if (!(error instanceof ServiceError) || error.status !== 400) throw error;
		const { message: text } = error;
		if (sent.kind === 'file') return refuse({ field: 'file', text }, 422);
		return refuse({ field: 'pasted', text, typed: sent.text.slice(0, TYPED_MAX) }, 422);
	}
}

async function stage(c: PageContext, sent: Exclude<SentList, { kind: 'refused' }>): Promise<Upload> {
	const { services } = c.var;
	const owner = signedInOf(c).user;
	if (sent.kind === 'file') return stageUpload(services, owner, sent);
	if (sent.text.length > PASTED_CHARS_MAX) {
		throw new ServiceError('unusable_file', 'This is more than 5 MB of text. Upload it as a file instead.');
	}
	const name = `Pasted addresses, ${minute(services.clock.now())}`;
	return stagePasted(services, owner, { name, text: sent.text });
}

/** The person's search and filter. It ignores invalid values. */
function filterOf(c: PageContext): ListFilter {
	const [state, from] = [c.req.query('state'), c.req.query('from')];
	return {
		search: (c.req.query('q') ?? '').trim().slice(0, SEARCH_MAX),
		state: LIST_STATES.find((each) => each === state) ?? 'all',
		from: LIST_SOURCES.find((each) => each === from) ?? null,
	};
}

/** Shows the page of all lists. */
export async function showLists(
	c: PageContext,
	error: RefusedList | null,
	status: 200 | 422 | 429 = 200,
): Promise<Response> {
	const { services } = c.var;
	const owner = signedInOf(c).user;
	const filter = filterOf(c);
	const [listed, uploads] = await Promise.all([
		findLists(services, owner, { ...filter, page: readPage(c) }),
		listUploads(services, owner),
	]);
	const page = { view: viewOf(c), filter, uploads, error, flash: takeFlash(c) };
	return showPage(c, <ListsPage {...page} {...listed} />, status);
}
