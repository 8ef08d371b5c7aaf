import type { Hono } from 'hono';
import { z } from 'zod';
import { LONG_MINUTES } from '../../core/jobs/estimate.ts';
import { ServiceError } from '../../errors.ts';
import { finished } from '../../lib/log.ts';
import { chooseSheet, discardUpload, previewUpload } from '../../operations/uploads/uploads.ts';
import type { UploadPreview } from '../../operations/uploads/uploads.ts';
import { startUpload } from '../../operations/uploads/start-upload.ts';
import type { DashboardEnv, PageContext } from '../context.ts';
import { leaveFlash, ownerOf, signedInOf } from '../session.ts';
import { withBareForm, withForm } from '../forms.ts';
import type { FormContext, RefusedForm } from '../forms.ts';
import { viewOf } from '../make-view.ts';
import { suspended } from '../page-error.ts';
import { ListPreviewPage } from '../pages/uploads/list-preview.tsx';
import { refuseTooMany } from '../refuse-too-many.ts';
import { showPage } from '../show-page.ts';
import { choiceShown, NAME_MAX, readUploadChoice, uploadHref } from '../read-upload.ts';
import type { UploadChoice } from '../read-upload.ts';
import { LISTS, showLists } from './lists.tsx';

const UPLOAD = `${LISTS}/uploads/:uploadId`;

const index = z
	.string()
	.regex(/^\d{1,4}$/)
	.transform(Number);
/** The choices beside the way to read the file. */
const keptForm = z.object({
	name: z.string().trim().max(NAME_MAX, `A name has at most ${NAME_MAX} characters`).default(''),
	rescue: z.string().optional(),
	mail: z.string().optional(),
	mailbox: z.string().optional(),
});
// The boxes of further columns are `also_0`, `also_1` and so on. `pick`: the button beside a doubt about the column.
const previewForm = keptForm
	.extend({
		column: index.optional(),
		pick: index.optional(),
		sheet: index.optional(),
		names: z.string().optional(),
		shown: z.string().max(100),
	})
	.catchall(z.string());
const ALSO = /^also_(\d{1,4})$/;

/** An uploaded file: its preview, the choice of its columns, its start and its end. */
export function addUploads(app: Hono<DashboardEnv>): void {
	app.get(UPLOAD, async (c) =>
		showPreview(
			c,
			readUploadChoice((name) => c.req.queries(name)),
			null,
		),
	);
	// Where the form of the preview was sent to: a person who loads that address again is back at the preview.
	app.get(`${UPLOAD}/preview`, (c) => c.redirect(pathOf(c), 303));
	app.post(UPLOAD, withForm(previewForm, showAgain), (c) => start(c));
	app.post(`${UPLOAD}/preview`, withForm(previewForm, showAgain), (c) => updatePreview(c));
	app.post(`${UPLOAD}/discard`, withBareForm, (c) => discard(c));
}

async function showAgain(c: PageContext, { errors, typed }: RefusedForm): Promise<Response> {
	return showPreview(c, keptOf(typed), Object.values(errors)[0] ?? null, 422);
}

type Kept = Pick<UploadChoice, 'name' | 'rescuesCatchAll' | 'mailWhenDone' | 'byMailbox'>;
type Sent = { readonly [Field in keyof z.output<typeof keptForm>]?: string | undefined };

/** The choices of a form of the preview beside the way to read the file. */
function keptOf({ name = '', rescue, mail, mailbox }: Sent): Required<Kept> {
	return {
		name,
		rescuesCatchAll: rescue !== undefined,
		mailWhenDone: mail !== undefined,
		byMailbox: mailbox !== undefined,
	};
}

type Said = z.output<typeof previewForm>;

/** The way to read the file that the form asks for, with what was said beside it. */
function saidOf({ column, pick, names, ...sent }: Said): Required<UploadChoice> {
	const main = pick ?? column;
	const also = Object.keys(sent).flatMap((field) => ALSO.exec(field)?.[1] ?? []);
	const further = pick === undefined ? also.map(Number).filter((each) => each !== main) : [];
	const columns = main === undefined ? further : [main, ...further];
	return { ...keptOf(sent), columns, hasHeader: names !== undefined };
}

/** The sheet that the form's preview showed: the last word of `choiceShown`. */
function sheetShown({ shown }: Said): number {
	return Number(shown.split(' ').at(-1)) || 0;
}

/** Leads to the preview with this choice. Another sheet is read by our own guess. */
async function updatePreview(c: FormContext<typeof previewForm>): Promise<Response> {
	const sent = c.req.valid('form');
	const read = await readSheet(c, sent);
	return read.refused ?? c.redirect(uploadHref(pathOf(c), read.choice), 303);
}

/** Reads the sheet that the form asks for, if the preview showed another. */
async function readSheet(
	c: PageContext,
	sent: Said,
): Promise<{ readonly choice: UploadChoice; readonly refused: Response | null }> {
	const choice = saidOf(sent);
	const { columns: _, hasHeader: __, ...kept } = choice;
	if (sent.sheet === undefined || sent.sheet === sheetShown(sent)) return { choice, refused: null };
	const refusal = await refuseTooMany(c, 'read_upload');
	if (refusal !== null) return { choice, refused: await showLists(c, { field: 'file', text: refusal }, 429) };
	try {
		await chooseSheet(c.var.services, signedInOf(c).user, { uploadId: uploadIdOf(c), sheet: sent.sheet });
		return { choice: kept, refused: null };
	} catch (error) {
		if (error instanceof ServiceError && error.status === 400)
			return { choice, refused: await showPreview(c, kept, error.message, 422) };
		return { choice, refused: goneOr(c, error) };
	}
}

const CHANGED = 'You changed how the file is read. This is the new preview: check it, then press Verify.';

async function start(c: FormContext<typeof previewForm>): Promise<Response> {
	const sent = c.req.valid('form');
	const choice = saidOf(sent);
	const signedIn = signedInOf(c);
	if (signedIn.suspendedAt !== null) throw suspended();
	// Only what a preview showed is started, and charged.
	if (choiceShown({ ...choice, sheet: sent.sheet }) !== sent.shown) {
		const read = await readSheet(c, sent);
		return read.refused ?? showPreview(c, read.choice, CHANGED, 422);
	}
	const { services } = c.var;
	const refusal = await refuseTooMany(c, 'read_upload');
	if (refusal !== null) return showLists(c, { field: 'file', text: refusal }, 429);
	try {
		const starting = startUpload(services, ownerOf(c), {
			uploadId: uploadIdOf(c),
			...choice,
			sheet: sheetShown(sent),
			name: choice.name === '' ? null : choice.name,
		});
		// The list is started even if the person leaves in the meantime.
		c.executionCtx.waitUntil(finished(starting));
		const { jobId } = await starting;
		return c.redirect(`/dashboard/jobs/${jobId}`, 303);
	} catch (error) {
		if (error instanceof ServiceError && REFUSALS.has(error.status))
			return showPreview(c, choice, error.message, 422);
		throw error;
	}
}

async function discard(c: PageContext): Promise<Response> {
	const outcome = await discardUpload(c.var.services, signedInOf(c).user, { uploadId: uploadIdOf(c) });
	if (outcome === 'discarded')
		leaveFlash(c, { kind: 'done', text: 'The file was deleted. Nothing was charged' });
	if (outcome === 'started')
		leaveFlash(c, { kind: 'info', text: 'You have already started this file. Find it under Lists' });
	return c.redirect(LISTS, 303);
}

const REFUSALS: ReadonlySet<ServiceError['status']> = new Set([400, 402]);

async function showPreview(
	c: PageContext,
	choice: UploadChoice,
	error: string | null,
	status: 200 | 422 = 200,
): Promise<Response> {
	const refusal = await refuseTooMany(c, 'read_upload');
	if (refusal !== null) return showLists(c, { field: 'file', text: refusal }, 429);
	const { services } = c.var;
	const { accountId } = signedInOf(c).user;
	try {
		const { preview, refused } = await previewAs(c, choice);
		const { balance } = await services.accounts(accountId).show();
		const page = {
			view: viewOf(c),
			preview,
			available: balance.availableCredits,
			name: choice.name ?? preview.upload.fileName,
			rescuesCatchAll: choice.rescuesCatchAll ?? true,
			mailWhenDone: choice.mailWhenDone ?? preview.leastMinutes > LONG_MINUTES,
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
	choice: UploadChoice,
): Promise<{ readonly preview: UploadPreview; readonly refused: string | null }> {
	const { services } = c.var;
	const owner = signedInOf(c).user;
	const uploadId = uploadIdOf(c);
	const { columns, hasHeader, byMailbox = false } = choice;
	const reading = {
		byMailbox,
		...(columns === undefined ? {} : { columns }),
		...(hasHeader === undefined ? {} : { hasHeader }),
	};
	try {
		return { preview: await previewUpload(services, owner, { uploadId, ...reading }), refused: null };
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

function pathOf(c: PageContext): string {
	return `${LISTS}/uploads/${encodeURIComponent(uploadIdOf(c))}`;
}

function uploadIdOf(c: PageContext): string {
	return c.req.param('uploadId') ?? '';
}
