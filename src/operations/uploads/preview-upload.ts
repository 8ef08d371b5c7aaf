import { PRICE } from '../../core/credits/price.ts';
import { chosenOf, rowChoiceOf } from '../../core/upload/choice.ts';
import type { Choice, FileChoice } from '../../core/upload/choice.ts';
import { UPLOAD_TTL_MS } from '../../core/upload/limits.ts';
import { Preview } from '../../core/upload/preview.ts';
import type { ListPreview } from '../../core/upload/preview.ts';
import type { AccountRef } from '../accounts/port.ts';
import type { Upload } from './port.ts';
import { readRows, requireUpload, startedAlready } from './steps/read-upload.ts';
import type { ReadUploadServices } from './steps/read-upload.ts';

export interface PreviewUploadRequest extends Partial<FileChoice> {
	readonly uploadId: string;
}

export interface UploadPreview extends ListPreview {
	readonly upload: Upload;
	readonly choice: FileChoice;
	/** How the first rows are to be read. */
	readonly rowChoice: Choice;
	/** Credits that the job would reserve. */
	readonly credits: number;
	/** Epoch milliseconds. */
	readonly expiresAt: number;
}

/**
 * A preview of a job from this file, with the chosen column and header or else our guess. Throws `ServiceError`:
 * `upload_not_found`, `upload_expired` after 24 hours, `upload_started` when it was started, `unusable_file` for a
 * column that does not exist.
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
	const rowChoice = rowChoiceOf(choice);
	const preview = new Preview(rowChoice);
	await readRows(services, accountId, { upload, choice }, (rows) => preview.add(rows));
	const listed = preview.result();
	const expiresAt = upload.stagedAt + UPLOAD_TTL_MS;
	const credits = listed.counts.addresses * PRICE.verification;
	return { ...listed, upload, choice, rowChoice, credits, expiresAt };
}
