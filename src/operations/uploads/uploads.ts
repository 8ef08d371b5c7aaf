import { PRICE } from '../../core/credits/price.ts';
import { UPLOAD_TTL_MS } from '../../core/upload/file-kind.ts';
import { ListRows } from '../../core/upload/list-rows.ts';
import type { ListPreview } from '../../core/upload/list-rows.ts';
import { RowReader, STEP_OCTETS, stepsOf } from '../../core/upload/text.ts';
import { chosenOf, readListFile, readPasted } from '../../core/upload/upload.ts';
import type { Choice } from '../../core/upload/inspect.ts';
import type { Upload } from '../../core/upload/upload.ts';
import { ServiceError } from '../../errors.ts';
import { doSteps } from '../../lib/slots.ts';
import type { Services } from '../../services.ts';
import type { AccountRef, Admitted } from '../accounts/port.ts';
import { createJob } from '../jobs/start.ts';
import type { StartServices } from '../jobs/start.ts';

// A list that comes as a file: it is staged, shown before anything is charged, and started or discarded.

type ReadServices = Pick<Services, 'clock' | 'uploadBlobs' | 'fileWork'>;

const NAME_CHARS_MAX = 255;

/**
 * Stores an uploaded file, or pasted text as one, and inspects it. Nothing is charged or started. Throws `ServiceError`
 * `unusable_file`, with what is wrong and what to do, for what can't be a list.
 */
export async function stageUpload(
	services: Pick<Services, 'clock' | 'newId' | 'uploadBlobs' | 'fileWork'>,
	account: AccountRef,
	{
		name,
		...sent
	}: { readonly name: string } & ({ readonly octets: Uint8Array } | { readonly text: string }),
): Promise<Upload> {
	const { text, ...facts } = await services.fileWork.run((pause) =>
		doSteps('text' in sent ? readPasted(sent.text) : readListFile(sent.octets), pause),
	);
	const upload: Upload = {
		uploadId: services.newId('upl'),
		fileName: name.slice(0, NAME_CHARS_MAX),
		octets: text.length,
		stagedAt: services.clock.now(),
		...facts,
		jobId: null,
	};
	await services.uploadBlobs.put(account.accountId, upload, text);
	return upload;
}

// More than anybody leaves lying about in a day.
const LISTED_MAX = 10;

/** The newest files that were uploaded in the last 24 hours and not started. */
export async function listUploads(
	services: Pick<Services, 'clock' | 'uploadBlobs'>,
	account: AccountRef,
): Promise<readonly Upload[]> {
	const uploads = await services.uploadBlobs.listOf(account.accountId, LISTED_MAX);
	return uploads.filter(({ stagedAt }) => services.clock.now() < stagedAt + UPLOAD_TTL_MS);
}

export interface UploadPreview extends ListPreview {
	readonly upload: Upload;
	readonly choice: Choice;
	/** Credits that the job would reserve. */
	readonly credits: number;
}

/**
 * A preview of a job from this file, with the chosen column and header or else our guess. Throws `ServiceError`:
 * `upload_not_found`, `upload_expired` after 24 hours, `upload_started` when it was started, `unusable_file` for a
 * column that does not exist.
 */
export async function previewUpload(
	services: ReadServices,
	account: AccountRef,
	request: Partial<Choice> & { readonly uploadId: string },
): Promise<UploadPreview> {
	const upload = await requireUpload(services, account, request.uploadId);
	const choice = chosenOf(upload.inspection, request);
	if (upload.jobId !== null) throw startedAlready();
	const listed = (await readRows(services, account, upload, choice)).preview();
	return { ...listed, upload, choice, credits: listed.counts.addresses * PRICE.verification };
}

/** An upload of this account. Throws `ServiceError` `upload_not_found`, or `upload_expired` after 24 hours. */
async function requireUpload(
	{ clock, uploadBlobs }: Pick<ReadServices, 'clock' | 'uploadBlobs'>,
	{ accountId }: AccountRef,
	uploadId: string,
): Promise<Upload> {
	const upload = await uploadBlobs.find(accountId, uploadId);
	if (upload === null)
		throw new ServiceError(
			'upload_not_found',
			'There is no such upload in this account. Upload the file again.',
		);
	if (clock.now() < upload.stagedAt + UPLOAD_TTL_MS) return upload;
	throw new ServiceError(
		'upload_expired',
		'An upload is kept for 24 hours and has expired. Upload the file again.',
	);
}

/** Walks the rows of a file as it streams in. Throws `ServiceError` `upload_started` when the file is gone. */
async function readRows(
	{ fileWork, uploadBlobs }: Pick<ReadServices, 'fileWork' | 'uploadBlobs'>,
	{ accountId }: AccountRef,
	upload: Upload,
	choice: Choice,
): Promise<ListRows> {
	return fileWork.run(async (pause) => {
		const file = await uploadBlobs.read(accountId, upload.uploadId);
		if (file === null) throw startedAlready();
		const reader = new RowReader(upload.inspection.format, choice.hasHeader);
		const rows = new ListRows(choice.column);
		let sincePause = 0;
		for await (const piece of file) {
			for (const step of stepsOf(piece)) {
				rows.add(reader.push(step));
				sincePause += step.length;
				if (sincePause < STEP_OCTETS) continue;
				await pause();
				sincePause = 0;
			}
		}
		rows.add(reader.end());
		return rows;
	});
}

function startedAlready(): ServiceError {
	return new ServiceError('upload_started', 'This file was started already');
}

export interface StartUploadRequest extends Partial<Choice> {
	readonly uploadId: string;
	/** Tell the owner by mail when it is done. */
	readonly mailWhenDone?: boolean;
}

interface StartedUpload {
	readonly jobId: string;
	/** An earlier submission started the job: nothing was done or charged now. */
	readonly alreadyStarted: boolean;
}

/**
 * Makes a bulk job from an uploaded file and keeps the file with it. The deep check scores its catch-all rows. An upload
 * starts one job, even if this is called repeatedly or in parallel. Throws `ServiceError` as `createJob` and `previewUpload` do.
 */
export async function startUpload(
	services: ReadServices & StartServices,
	account: Admitted,
	request: StartUploadRequest,
): Promise<StartedUpload> {
	const { uploadBlobs } = services;
	const { accountId } = account;
	const { uploadId } = request;
	const upload = await requireUpload(services, account, uploadId);
	if (upload.jobId !== null) return { jobId: upload.jobId, alreadyStarted: true };
	services.requireProber();
	try {
		const { jobId, replayed } = await begin(services, account, request, upload);
		// A failure here is repaired by the next submission, or by the expiry.
		await Promise.allSettled([uploadBlobs.markStarted(accountId, upload, jobId)]);
		return { jobId, alreadyStarted: replayed };
	} catch (error) {
		// A parallel submission may have been faster, and have used the file or the credits.
		const now = await uploadBlobs.find(accountId, uploadId);
		if (now === null || now.jobId === null) throw error;
		return { jobId: now.jobId, alreadyStarted: true };
	}
}

async function begin(
	services: Parameters<typeof startUpload>[0],
	account: Admitted,
	request: StartUploadRequest,
	upload: Upload,
) {
	const { inspection, fileName, uploadId } = upload;
	const choice = chosenOf(inspection, request);
	const { emails, fileRows, places } = (await readRows(services, account, upload, choice)).forJob();
	const { name = '' } = inspection.columns[choice.column] ?? {};
	if (!places.some((place) => place >= 0)) {
		const message = `The column “${name}” holds no well-formed address. Choose another column.`;
		throw new ServiceError('no_valid_emails', message);
	}
	const { format, columns } = inspection;
	return createJob(services, account, {
		emails,
		fileRows,
		name: fileName,
		rescuesCatchAll: true,
		mailWhenDone: request.mailWhenDone ?? false,
		// With a plain space, which callers' own Idempotency-Keys do not contain as stored.
		idempotencyKey: `upload ${uploadId}`,
		keepBeside: async (jobId) => {
			const original = { ...choice, format, columns: columns.length, fileName, places };
			const { accountId } = account;
			if (!(await services.uploadBlobs.keepForJob(accountId, uploadId, { jobId, original })))
				throw startedAlready();
		},
	});
}

/**
 * Deletes an uploaded file that was not started. `started`: a job was made from it, so it is kept; `none`: there is no
 * such file (any more). May be repeated.
 */
export async function discardUpload(
	{ uploadBlobs }: Pick<Services, 'uploadBlobs'>,
	{ accountId }: AccountRef,
	{ uploadId }: { readonly uploadId: string },
): Promise<'discarded' | 'started' | 'none'> {
	const upload = await uploadBlobs.find(accountId, uploadId);
	if (upload === null) return 'none';
	if (upload.jobId !== null) return 'started';
	await uploadBlobs.remove(accountId, uploadId);
	return 'discarded';
}
