import type { UploadBlobs } from './port.ts';

/**
 * Removes a file that its owner does not want verified after all. `started`: it is a list by now, and is left alone;
 * `none`: there is none (any more). Twice is as good as once.
 */
export async function discardUpload(
	{ uploadBlobs }: { readonly uploadBlobs: Pick<UploadBlobs, 'find' | 'remove'> },
	accountId: string,
	uploadId: string,
): Promise<'discarded' | 'started' | 'none'> {
	const upload = await uploadBlobs.find(accountId, uploadId);
	if (upload === null) return 'none';
	if (upload.jobId !== null) return 'started';
	await uploadBlobs.remove(accountId, uploadId);
	return 'discarded';
}
