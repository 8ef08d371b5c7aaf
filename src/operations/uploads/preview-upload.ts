import { PRICE } from '../../core/credits/price.ts';
import { chosenOf } from '../../core/upload/choice.ts';
import type { Choice } from '../../core/upload/choice.ts';
import { UPLOAD_TTL_MS } from '../../core/upload/limits.ts';
import { Preview } from '../../core/upload/preview.ts';
import type { ListPreview } from '../../core/upload/preview.ts';
import { RowReader } from '../../core/upload/row-reader.ts';
import type { Row } from '../../core/upload/row-reader.ts';
import { ServiceError } from '../../errors.ts';
import type { Clock } from '../../engine/ports.ts';
import type { Octets, Upload, UploadBlobs } from './port.ts';

export interface PreviewUploadServices {
	readonly clock: Clock;
	readonly uploadBlobs: UploadBlobs;
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
 * `not_found`, `expired` after 24 hours, `wrong_state` when it was started, `invalid_request` for a column that is not there.
 */
export async function previewUpload(
	services: PreviewUploadServices,
	accountId: string,
	uploadId: string,
	said: Partial<Choice> = {},
): Promise<UploadPreview> {
	const upload = await requireUpload(services, accountId, uploadId);
	const choice = chosenOf(upload.inspection, said);
	const file = await services.uploadBlobs.read(accountId, uploadId);
	if (upload.jobId !== null || file === null)
		throw new ServiceError('wrong_state', 'This file was started already');
	const preview = new Preview(choice);
	for await (const rows of rowsOf(file, upload)) preview.add(rows);
	const listed = preview.result();
	const expiresAt = upload.stagedAt + UPLOAD_TTL_MS;
	const credits = listed.counts.addresses * PRICE.verification;
	return { ...listed, upload, choice, credits, expiresAt };
}

/** An upload of this account. Throws `ServiceError` `not_found`, or `expired` after 24 hours. */
export async function requireUpload(
	{ clock, uploadBlobs }: PreviewUploadServices,
	accountId: string,
	uploadId: string,
): Promise<Upload> {
	const upload = await uploadBlobs.find(accountId, uploadId);
	if (upload === null)
		throw new ServiceError('not_found', 'There is no such upload in this account. Upload the file again.');
	if (clock.now() < upload.stagedAt + UPLOAD_TTL_MS) return upload;
	throw new ServiceError('expired', 'An upload is kept for 24 hours and has expired. Upload the file again.');
}

/** The rows of an uploaded file, as they come. */
export async function* rowsOf(
	file: Octets,
	{ inspection }: Pick<Upload, 'inspection'>,
): AsyncGenerator<readonly Row[], void, undefined> {
	const reader = new RowReader(inspection.format);
	for await (const octets of file) yield reader.push(octets);
	yield reader.end();
}
