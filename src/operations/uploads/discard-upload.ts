import type { AccountRef } from '../accounts/port.ts';
import type { UploadBlobs } from './port.ts';

export interface DiscardUploadServices {
	readonly uploadBlobs: Pick<UploadBlobs, 'find' | 'remove'>;
}

export interface DiscardUploadRequest {
	readonly uploadId: string;
}

/**
 * Deletes an uploaded file that was not started. `started`: a job was made from it, so it is kept; `none`: there is no
 * such file (any more). May be repeated.
 */
export async function discardUpload(
	services: DiscardUploadServices,
	account: AccountRef,
	request: DiscardUploadRequest,
): Promise<'discarded' | 'started' | 'none'> {
	const { uploadBlobs } = services;
	const { accountId } = account;
	const { uploadId } = request;
	const upload = await uploadBlobs.find(accountId, uploadId);
	if (upload === null) return 'none';
	if (upload.jobId !== null) return 'started';
	await uploadBlobs.remove(accountId, uploadId);
	return 'discarded';
}
