import { UPLOAD_TTL_MS } from '../../core/upload/limits.ts';
import type { Clock } from '../../engine/ports.ts';
import type { AccountRef } from '../accounts/port.ts';
import type { Upload, UploadBlobs } from './port.ts';

// More than anybody leaves lying about in a day.
const LISTED_MAX = 10;

export interface ListUploadsServices {
	readonly clock: Clock;
	readonly uploadBlobs: Pick<UploadBlobs, 'listOf'>;
}

/** The newest files that were uploaded in the last 24 hours and not started. */
export async function listUploads(
	services: ListUploadsServices,
	account: AccountRef,
): Promise<readonly Upload[]> {
	const uploads = await services.uploadBlobs.listOf(account.accountId, LISTED_MAX);
	return uploads.filter(({ stagedAt }) => services.clock.now() < stagedAt + UPLOAD_TTL_MS);
}
