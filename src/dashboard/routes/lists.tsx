import type { Hono } from 'hono';
import { z } from 'zod';
import { ServiceError } from '../../errors.ts';
import { listJobs } from '../../operations/jobs/list-jobs.ts';
import { discardUpload } from '../../operations/uploads/discard-upload.ts';
import { previewUpload } from '../../operations/uploads/preview-upload.ts';
import { stageUpload } from '../../operations/uploads/stage-upload.ts';
import { startUpload } from '../../operations/uploads/start-upload.ts';
import { throttle } from '../../operations/people/steps/throttle.ts';
import { clientAndDevice } from '../context.ts';
import type { DashboardEnv, PageContext } from '../context.ts';
import { leaveFlash, takeFlash } from '../flash.ts';
import { withBareForm, withForm } from '../forms.ts';
import type { FormContext } from '../forms.ts';
import { readPage, viewOf } from '../make-view.ts';
import { describeThrottled, suspended } from '../page-error.ts';
import { ListPreviewPage } from '../pages/list-preview.tsx';
import { AllLists, ListsPage } from '../pages/lists.tsx';
import { readUpload } from '../read-upload.ts';
import { ownerOf, signedInOf } from '../session.ts';
import { showPage, showPart } from '../show-page.ts';

const LISTS = '/dashboard/lists';
const NAME_MAX = 255;

const column = z
	.string()
	.regex(/^\d{1,4}$/)
	.transform(Number);
const startForm = z.object({
	name: z.string().trim().max(NAME_MAX, `A name has at most ${NAME_MAX} characters`).default(''),
	column,
	header: z.string().optional(),
	rescue: z.string().optional(),
});

/** Lists: the upload of a file, its preview, and all jobs. */
export function addLists(app: Hono<DashboardEnv>): void {
	app.get(LISTS, async (c) => showLists(c, null));
	app.get(`${LISTS}/live`, async (c) => {
		const listed = await listJobs(c.var.services, signedInOf(c).user, { page: readPage(c) });
		return showPart(c, <AllLists view={viewOf(c)} {...listed} />);
	});
	app.post(LISTS, async (c) => {
		const file = await readUpload(c, () => refuseTooMany(c, 'stage_upload'));
		if (!file.ok) return showLists(c, file.error, file.status);
		try {
			const upload = await stageUpload(c.var.services, signedInOf(c).user, file);
			return c.redirect(`${LISTS}/uploads/${upload.uploadId}`, 303);
		} catch (error) {
			if (error instanceof ServiceError && error.status === 400) return showLists(c, error.message, 422);
			throw error;
		}
	});
	app.get(`${LISTS}/uploads/:uploadId`, async (c) => showPreview(c, readChoice(c), null));
	app.post(
		`${LISTS}/uploads/:uploadId`,
		withForm(startForm, (c, { errors }) =>
			showPreview(c, readChoice(c), Object.values(errors)[0] ?? null, 422),
		),
		(c) => start(c),
	);
	app.post(`${LISTS}/uploads/:uploadId/discard`, withBareForm, (c) => discard(c));
}

/** Counts an action that reads a whole file; says how long to wait when there were too many. */
async function refuseTooMany(c: PageContext, action: 'stage_upload' | 'read_upload'): Promise<string | null> {
	const attempt = { client: clientAndDevice(c).client, account: signedInOf(c).user.accountId };
	const throttled = await throttle(c.var.services, action, attempt);
	return throttled === null ? null : describeThrottled(c, throttled);
}

interface Said {
	readonly column?: number;
	readonly hasHeader?: boolean;
	/** Left out: not asked yet, so it is offered ticked. */
	readonly rescuesCatchAll?: boolean;
}

/** The choice made above the preview. Browsers do not send an unticked box, so `chosen` shows that the form had it. */
function readChoice(c: PageContext): Said {
	const chosen = column.safeParse(c.req.query('column'));
	return {
		...(chosen.success ? { column: chosen.data } : {}),
		...(c.req.query('chosen') === undefined ? {} : { hasHeader: c.req.query('header') !== undefined }),
	};
}

async function start(c: FormContext<typeof startForm>): Promise<Response> {
	const { name, column: chosen, header, rescue } = c.req.valid('form');
	const said = { column: chosen, hasHeader: header !== undefined };
	const rescuesCatchAll = rescue !== undefined;
	const signedIn = signedInOf(c);
	if (signedIn.suspendedAt !== null) throw suspended();
	const { services } = c.var;
	const refusal = await refuseTooMany(c, 'read_upload');
	if (refusal !== null) return showLists(c, refusal, 429);
	try {
		const starting = startUpload(services, ownerOf(c), {
			uploadId: uploadIdOf(c),
			name: name === '' ? null : name,
			rescuesCatchAll,
			...said,
		});
		// The list is started even if the person leaves in the meantime.
		c.executionCtx.waitUntil(starting.catch(() => {}));
		const { jobId } = await starting;
		return c.redirect(`/dashboard/jobs/${jobId}`, 303);
	} catch (error) {
		if (error instanceof ServiceError && REFUSALS.has(error.status))
			return showPreview(c, { ...said, rescuesCatchAll }, error.message, 422);
		throw error;
	}
}

async function discard(c: PageContext): Promise<Response> {
	const outcome = await discardUpload(c.var.services, signedInOf(c).user, { uploadId: uploadIdOf(c) });
	if (outcome === 'discarded')
		leaveFlash(c, { kind: 'done', text: 'The file was deleted. Nothing was charged' });
	if (outcome === 'started')
		leaveFlash(c, { kind: 'info', text: 'This file was started already: it is among your lists' });
	return c.redirect(LISTS, 303);
}

const REFUSALS: ReadonlySet<ServiceError['status']> = new Set([400, 402]);

async function showPreview(
	c: PageContext,
	said: Said,
	error: string | null,
	status: 200 | 422 = 200,
): Promise<Response> {
	const refusal = await refuseTooMany(c, 'read_upload');
	if (refusal !== null) return showLists(c, refusal, 429);
	const { services } = c.var;
	const { user } = signedInOf(c);
	try {
		const [preview, { balance }] = await Promise.all([
			previewUpload(services, user, { ...said, uploadId: uploadIdOf(c) }),
			services.accounts(user.accountId).show(),
		]);
		const page = {
			preview,
			available: balance.availableCredits,
			name: preview.upload.fileName,
			rescuesCatchAll: said.rescuesCatchAll ?? true,
			error,
		};
		return await showPage(c, <ListPreviewPage view={viewOf(c)} {...page} />, status);
	} catch (cause) {
		if (!(cause instanceof ServiceError) || !GONE.has(cause.status)) throw cause;
		leaveFlash(c, { kind: 'info', text: cause.message });
		return c.redirect(LISTS, 303);
	}
}

// The upload was started, has expired or never existed: the page of all lists is shown instead.
const GONE: ReadonlySet<ServiceError['status']> = new Set([404, 409, 410]);

async function showLists(
	c: PageContext,
	error: string | null,
	status: 200 | 422 | 429 = 200,
): Promise<Response> {
	const listed = await listJobs(c.var.services, signedInOf(c).user, { page: readPage(c) });
	return showPage(c, <ListsPage view={viewOf(c)} {...listed} error={error} flash={takeFlash(c)} />, status);
}

function uploadIdOf(c: PageContext): string {
	return c.req.param('uploadId') ?? '';
}
