import { PRICE } from '../../core/credits/price.ts';
import { chosenOf } from '../../core/upload/choice.ts';
import type { Choice } from '../../core/upload/choice.ts';
import { STEP_OCTETS, stepsOf } from '../../core/upload/encoding.ts';
import { UPLOAD_TTL_MS } from '../../core/upload/limits.ts';
import { Preview } from '../../core/upload/preview.ts';
import type { ListPreview } from '../../core/upload/preview.ts';
import { RowReader } from '../../core/upload/row-reader.ts';
import type { Row } from '../../core/upload/row-reader.ts';
import { ServiceError } from '../../errors.ts';
import type { Clock } from '../../engine/ports.ts';
import type { FileWork, Upload, UploadBlobs } from './port.ts';

export interface PreviewUploadServices {
	readonly clock: Clock;
	readonly uploadBlobs: UploadBlobs;
	readonly fileWork: FileWork;
}

export interface UploadPreview extends ListPreview {
	readonly upload: Upload;
	readonly choice: Choice;
	/** What the job would set aside. */
	readonly credits: number;
	/** Epoch milliseconds. */
	readonly expiresAt: number;
}

/**
 * What a job from this file would hold, with the column and header that were said, else found. Throws `ServiceError`:
 * `upload_not_found`, `upload_expired` after 24 hours, `upload_started` when it was started, `unusable_file` for a column that is not there.
 */
export async function previewUpload(
	services: PreviewUploadServices,
	accountId: string,
	uploadId: string,
	said: Partial<Choice> = {},
): Promise<UploadPreview> {
	const upload = await requireUpload(services, accountId, uploadId);
	const choice = chosenOf(upload.inspection, said);
	if (upload.jobId !== null) throw startedAlready();
	const preview = new Preview(choice);
	await readRows(services, accountId, upload, (rows) => preview.add(rows));
	const listed = preview.result();
	const expiresAt = upload.stagedAt + UPLOAD_TTL_MS;
	const credits = listed.counts.addresses * PRICE.verification;
	return { ...listed, upload, choice, credits, expiresAt };
}

/** An upload of this account. Throws `ServiceError` `upload_not_found`, or `upload_expired` after 24 hours. */
export async function requireUpload(
	{ clock, uploadBlobs }: Pick<PreviewUploadServices, 'clock' | 'uploadBlobs'>,
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

/** Reads the rows of an uploaded file, as they come. Throws `ServiceError` `upload_started` when it is no longer there. */
export async function readRows(
	{ fileWork, uploadBlobs }: Pick<PreviewUploadServices, 'fileWork' | 'uploadBlobs'>,
	accountId: string,
	{ uploadId, inspection }: Upload,
	take: (rows: readonly Row[]) => void,
): Promise<void> {
	await fileWork.run(async (pause) => {
		const file = await uploadBlobs.read(accountId, uploadId);
		if (file === null) throw startedAlready();
		const reader = new RowReader(inspection.format);
		let sincePause = 0;
		for await (const piece of file) {
			for (const step of stepsOf(piece)) {
				take(reader.push(step));
				sincePause += step.length;
				if (sincePause < STEP_OCTETS) continue;
				await pause();
				sincePause = 0;
			}
		}
		take(reader.end());
	});
}

function startedAlready(): ServiceError {
	return new ServiceError('upload_started', 'This file was started already');
}
