import { PRICE } from '../../core/credits/price.ts';
import { chosenOf } from '../../core/upload/choice.ts';
import type { Choice } from '../../core/upload/choice.ts';
import { UPLOAD_TTL_MS } from '../../core/upload/limits.ts';
import { Preview } from '../../core/upload/preview.ts';
import type { ListPreview } from '../../core/upload/preview.ts';
import type { AccountRef } from '../accounts/port.ts';
import type { Upload } from './port.ts';
import { readRows, requireUpload, startedAlready } from './steps/read-upload.ts';
import type { ReadUploadServices } from './steps/read-upload.ts';

export interface PreviewUploadRequest extends Partial<Choice> {
	readonly uploadId: string;
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
	services: ReadUploadServices,
	account: AccountRef,
	request: PreviewUploadRequest,
): Promise<UploadPreview> {
	const { accountId } = account;
	const upload = await requireUpload(services, accountId, request.uploadId);
	const choice = chosenOf(upload.inspection, request);
	if (upload.jobId !== null) throw startedAlready();
	const preview = new Preview(choice);
	await readRows(services, accountId, upload, (rows) => preview.add(rows));
	const listed = preview.result();
	const expiresAt = upload.stagedAt + UPLOAD_TTL_MS;
	const credits = listed.counts.addresses * PRICE.verification;
	return { ...listed, upload, choice, credits, expiresAt };
}
