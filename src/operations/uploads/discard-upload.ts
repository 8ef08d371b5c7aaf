import type { AccountRef } from '../accounts/port.ts';
import type { UploadBlobs } from './port.ts';

export interface DiscardUploadServices {
	readonly uploadBlobs: Pick<UploadBlobs, 'find' | 'remove'>;
}

export interface DiscardUploadRequest {
	readonly uploadId: string;
}

/**
 * Removes a file that its owner does not want verified after all. `started`: it is a list by now, and is left alone;
 * `none`: there is none (any more). Twice is as good as once.
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
