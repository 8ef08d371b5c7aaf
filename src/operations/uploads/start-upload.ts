import { CSV_TEXT_FORMAT, CsvText, STEP_OCTETS, stepsOf } from '../../core/upload/text.ts';
import { chosenOf, rowChoiceOf } from '../../core/upload/choice.ts';
import type { FileChoice } from '../../core/upload/choice.ts';
import { UPLOAD_TTL_MS } from '../../core/upload/limits.ts';
import { RowReader } from '../../core/upload/row-reader.ts';
import type { Row } from '../../core/upload/row-reader.ts';
import { refusal } from '../../core/upload/file-kind.ts';
import { RowPerAddress } from '../../core/upload/columns.ts';
import { ServiceError } from '../../errors.ts';
import type { OriginalList, Upload } from './port.ts';
import { RowPlacer } from '../../core/upload/row-places.ts';
import { createJob } from '../jobs/create-job.ts';
import type { Admitted } from '../accounts/port.ts';
import type { Services } from '../../services.ts';

export type ReadUploadServices = Pick<Services, 'clock' | 'uploadBlobs' | 'fileWork'>;

/** An upload of this account. Throws `ServiceError` `upload_not_found`, or `upload_expired` after 24 hours. */
export async function requireUpload(
	{ clock, uploadBlobs }: Pick<ReadUploadServices, 'clock' | 'uploadBlobs'>,
	accountId: string,
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

/**
 * Reads the rows of an uploaded file as a stream: as they are or, with several columns of addresses, a row per address.
 * Throws `ServiceError` `upload_started` when the file is gone.
 */
export async function readRows(
	{ fileWork, uploadBlobs }: Pick<ReadUploadServices, 'fileWork' | 'uploadBlobs'>,
	accountId: string,
	{ upload, choice }: { readonly upload: Upload; readonly choice: FileChoice },
	take: (rows: readonly Row[]) => void,
): Promise<void> {
	const { columns, hasHeader } = choice;
	const spread = columns.length > 1 ? new RowPerAddress(columns, hasHeader) : null;
	const give = (rows: readonly Row[]): void => take(spread === null ? rows : spread.spread(rows));
	await fileWork.run(async (pause) => {
		const file = await uploadBlobs.read(accountId, upload);
		if (file === null) throw startedAlready();
		const reader = new RowReader(upload.inspection.format);
		let sincePause = 0;
		for await (const piece of file) {
			for (const step of stepsOf(piece)) {
				give(reader.push(step));
				sincePause += step.length;
				if (sincePause < STEP_OCTETS) continue;
				await pause();
				sincePause = 0;
			}
		}
		give(reader.end());
	});
}

/** The error for a file that is gone because it was started. */
export function startedAlready(): ServiceError {
	return new ServiceError('upload_started', 'This file was started already');
}

export type StartUploadServices = Pick<
	Services,
	| 'clock'
	| 'newId'
	| 'accounts'
	| 'jobBlobs'
	| 'jobTiming'
	| 'termsOf'
	| 'sendParts'
	| 'listJob'
	| 'uploadBlobs'
	| 'fileWork'
	| 'requireProber'
>;

export interface StartUploadRequest extends Partial<FileChoice> {
	readonly uploadId: string;
	/** The sheet whose preview the person saw. Left out: whichever is read now. */
	readonly sheet?: number;
	/** Null: the file's name. */
	readonly name: string | null;
	/** Run the deep check on the catch-all rows as well. */
	readonly rescuesCatchAll: boolean;
	/** Tell the owner by mail when it is done. */
	readonly mailWhenDone?: boolean;
}

interface StartedUpload {
	readonly jobId: string;
	/** An earlier submission started the job: nothing was done or charged now. */
	readonly alreadyStarted: boolean;
}

/**
 * Makes a bulk job from an uploaded file and keeps the file with it. An upload starts one job, even if this is called
 * repeatedly or in parallel. Throws `ServiceError` as `createJob` and `previewUpload` do.
 */
export async function startUpload(
	services: StartUploadServices,
	account: Admitted,
	request: StartUploadRequest,
): Promise<StartedUpload> {
	const { accountId } = account;
	const { uploadId } = request;
	const upload = await requireUpload(services, accountId, uploadId);
	if (upload.jobId !== null) return { jobId: upload.jobId, alreadyStarted: true };
	if (request.sheet !== undefined && request.sheet !== (upload.sheet ?? 0))
		throw refusal('Another sheet of this file was chosen in the meantime. Check its preview, then start it.');
	services.requireProber();
	try {
		const started = await begin(services, account, request, upload);
		// A failure here is repaired by the next submission, or by the expiry.
		await Promise.allSettled([services.uploadBlobs.markStarted(accountId, upload, started.jobId)]);
		return started;
	} catch (error) {
		// A parallel submission may have been faster, and have used the file or the credits.
		const now = await services.uploadBlobs.find(accountId, uploadId);
		if (now === null || now.jobId === null) throw error;
		return { jobId: now.jobId, alreadyStarted: true };
	}
}

async function begin(
	services: StartUploadServices,
	account: Admitted,
	request: StartUploadRequest,
	upload: Upload,
): Promise<StartedUpload> {
	const { accountId } = account;
	const { uploadId } = request;
	const { inspection, fileName } = upload;
	const choice = chosenOf(inspection, request);
	const rowChoice = rowChoiceOf(choice);
	const placer = new RowPlacer(rowChoice);
	const isSpread = choice.columns.length > 1;
	const writer = new CsvText();
	await readRows(services, accountId, { upload, choice }, (rows) => {
		placer.add(rows);
		if (isSpread) for (const { cells } of rows) writer.write(cells);
	});
	const { emails, fileRows, places } = placer.result();
	if (!places.some((place) => place >= 0)) {
		const names = choice.columns.map((column) => `“${inspection.columns[column]?.name ?? ''}”`);
		throw new ServiceError(
			'no_valid_emails',
			`The ${isSpread ? 'columns' : 'column'} ${names.join(', ')} ${isSpread ? 'hold' : 'holds'} no well-formed address. Choose another column.`,
		);
	}
	const kept = isSpread
		? { format: CSV_TEXT_FORMAT, columns: inspection.columns.length + 1 }
		: { format: inspection.format, columns: inspection.columns.length };
	const original: OriginalList = { ...rowChoice, ...kept, fileName, places };
	const text = isSpread ? { text: writer.end() } : {};
	const { jobId, replayed } = await createJob(services, account, {
		emails,
		fileRows,
		name: request.name ?? fileName,
		rescuesCatchAll: request.rescuesCatchAll,
		dedupe: choice.byMailbox ? 'mailbox' : 'address',
		mailWhenDone: request.mailWhenDone ?? false,
		// With a plain space, which callers' own Idempotency-Keys do not contain as stored.
		idempotencyKey: `upload ${uploadId}`,
		keepBeside: async (newId) => {
			if (await services.uploadBlobs.keepForJob(accountId, upload, { jobId: newId, original, ...text }))
				return;
			throw startedAlready();
		},
	});
	return { jobId, alreadyStarted: replayed };
}
