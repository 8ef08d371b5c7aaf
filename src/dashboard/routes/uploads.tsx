import type { Hono } from 'hono';
import { z } from 'zod';
import { LONG_MS } from '../../core/jobs/expected-time.ts';
import { ServiceError } from '../../errors.ts';
import { chooseSheet } from '../../operations/uploads/choose-sheet.ts';
import { discardUpload } from '../../operations/uploads/discard-upload.ts';
import { previewUpload } from '../../operations/uploads/preview-upload.ts';
import type { UploadPreview } from '../../operations/uploads/preview-upload.ts';
import { startUpload } from '../../operations/uploads/start-upload.ts';
import type { DashboardEnv, PageContext } from '../context.ts';
import { leaveFlash } from '../flash.ts';
import { withBareForm, withForm } from '../forms.ts';
import type { FormContext } from '../forms.ts';
import { viewOf } from '../make-view.ts';
import { suspended } from '../page-error.ts';
import { ListPreviewPage } from '../pages/list-preview.tsx';
import { refuseTooMany } from '../refuse-too-many.ts';
import { ownerOf, signedInOf } from '../session.ts';
import { showPage } from '../show-page.ts';
import { LISTS, showLists } from './lists.tsx';

const UPLOAD = `${LISTS}/uploads/:uploadId`;
const NAME_MAX = 255;

const index = z
	.string()
	.regex(/^\d{1,4}$/)
	.transform(Number);
const startForm = z.object({
	name: z.string().trim().max(NAME_MAX, `A name has at most ${NAME_MAX} characters`).default(''),
	columns: z
		.string()
		.regex(/^\d{1,4}(?:,\d{1,4}){0,9}$/)
		.transform((text) => text.split(',').map(Number)),
	header: z.string().optional(),
	rescue: z.string().optional(),
	mail: z.string().optional(),
});
const sheetForm = z.object({ sheet: index });

/** An uploaded file: its preview, the choice of its columns, its start and its end. */
export function addUploads(app: Hono<DashboardEnv>): void {
	app.get(UPLOAD, async (c) => showPreview(c, readChoice(c), null));
	app.post(
		UPLOAD,
		withForm(startForm, (c, { errors }) =>
			showPreview(c, readChoice(c), Object.values(errors)[0] ?? null, 422),
		),
		(c) => start(c),
	);
	app.post(
		`${UPLOAD}/sheet`,
		withForm(sheetForm, (c) => showPreview(c, {}, 'Choose one of the sheets', 422)),
		(c) => readSheet(c),
	);
	app.post(`${UPLOAD}/discard`, withBareForm, (c) => discard(c));
}

interface Said {
	readonly columns?: readonly number[];
	readonly hasHeader?: boolean;
	/** Left out: not asked yet, so it is offered ticked. */
	readonly rescuesCatchAll?: boolean;
	/** Left out: not asked yet, so it is offered ticked for a list that takes long. */
	readonly mailWhenDone?: boolean;
}

/** The choice made above the preview. Browsers do not send an unticked box, so `chosen` shows that the form had it. */
function readChoice(c: PageContext): Said {
	const said = [...(c.req.queries('column') ?? []), ...(c.req.queries('also') ?? [])];
	const columns = said.map((text) => index.safeParse(text)).filter(({ success }) => success);
	return {
		...(columns.length > 0 ? { columns: columns.map(({ data }) => data ?? 0) } : {}),
		...(c.req.query('chosen') === undefined ? {} : { hasHeader: c.req.query('header') !== undefined }),
	};
}

async function start(c: FormContext<typeof startForm>): Promise<Response> {
	const { name, columns, header, rescue, mail } = c.req.valid('form');
	const said = {
		columns,
		hasHeader: header !== undefined,
		rescuesCatchAll: rescue !== undefined,
		mailWhenDone: mail !== undefined,
	};
	const signedIn = signedInOf(c);
	if (signedIn.suspendedAt !== null) throw suspended();
	const { services } = c.var;
	const refusal = await refuseTooMany(c, 'read_upload');
	if (refusal !== null) return showLists(c, { field: 'file', text: refusal }, 429);
	try {
		const starting = startUpload(services, ownerOf(c), {
			uploadId: uploadIdOf(c),
			name: name === '' ? null : name,
			...said,
		});
		// The list is started even if the person leaves in the meantime.
		c.executionCtx.waitUntil(starting.catch(() => {}));
		const { jobId } = await starting;
		return c.redirect(`/dashboard/jobs/${jobId}`, 303);
	} catch (error) {
		if (error instanceof ServiceError && REFUSALS.has(error.status))
			return showPreview(c, said, error.message, 422);
		throw error;
	}
}

async function readSheet(c: FormContext<typeof sheetForm>): Promise<Response> {
	const uploadId = uploadIdOf(c);
	const refusal = await refuseTooMany(c, 'read_upload');
	if (refusal !== null) return showLists(c, { field: 'file', text: refusal }, 429);
	try {
		await chooseSheet(c.var.services, signedInOf(c).user, { uploadId, ...c.req.valid('form') });
		return c.redirect(`${LISTS}/uploads/${uploadId}`, 303);
	} catch (error) {
		if (error instanceof ServiceError && error.status === 400) return showPreview(c, {}, error.message, 422);
		return goneOr(c, error);
	}
}

async function discard(c: PageContext): Promise<Response> {
	const outcome = await discardUpload(c.var.services, signedInOf(c).user, { uploadId: uploadIdOf(c) });
	if (outcome === 'discarded')
		leaveFlash(c, { kind: 'done', text: 'The file was deleted. Nothing was charged' });
	if (outcome === 'started')
		leaveFlash(c, { kind: 'info', text: 'This file was already started: it is among your lists' });
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
	if (refusal !== null) return showLists(c, { field: 'file', text: refusal }, 429);
	const { services } = c.var;
	const { accountId } = signedInOf(c).user;
	try {
		const { preview, refused } = await previewAs(c, said);
		const { balance } = await services.accounts(accountId).show();
		const page = {
			view: viewOf(c),
			preview,
			available: balance.availableCredits,
			name: preview.upload.fileName,
			rescuesCatchAll: said.rescuesCatchAll ?? true,
			mailWhenDone: said.mailWhenDone ?? preview.expectedMs > LONG_MS,
			error: error ?? refused,
		};
		return showPage(c, <ListPreviewPage {...page} />, refused === null ? status : 422);
	} catch (cause) {
		return goneOr(c, cause);
	}
}

/** The preview with this choice or, where the file can't be read so, with our own and the reason. */
async function previewAs(
	c: PageContext,
	said: Said,
): Promise<{ readonly preview: UploadPreview; readonly refused: string | null }> {
	const { services } = c.var;
	const owner = signedInOf(c).user;
	const uploadId = uploadIdOf(c);
	const { columns, hasHeader } = said;
	const choice = {
		...(columns === undefined ? {} : { columns }),
		...(hasHeader === undefined ? {} : { hasHeader }),
	};
	try {
		return { preview: await previewUpload(services, owner, { uploadId, ...choice }), refused: null };
	} catch (error) {
		if (!(error instanceof ServiceError) || error.status !== 400) throw error;
		return { preview: await previewUpload(services, owner, { uploadId }), refused: error.message };
	}
}

/** The upload was started, has expired or never existed: the page of all lists is shown instead. */
function goneOr(c: PageContext, cause: unknown): Response {
	if (!(cause instanceof ServiceError) || !GONE.has(cause.status)) throw cause;
	leaveFlash(c, { kind: 'info', text: cause.message });
	return c.redirect(LISTS, 303);
}

const GONE: ReadonlySet<ServiceError['status']> = new Set([404, 409, 410]);

function uploadIdOf(c: PageContext): string {
	return c.req.param('uploadId') ?? '';
}
