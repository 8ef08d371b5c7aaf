import { UPLOAD_TTL_MS } from '../../core/upload/limits.ts';
import type { Clock } from '../../engine/ports.ts';
import type { UploadBlobs } from './port.ts';

export interface RemoveStaleUploadsServices {
	readonly clock: Clock;
	readonly uploadBlobs: Pick<UploadBlobs, 'removeOlderThan'>;
}

/** Deletes uploads that were not started within 24 hours, after which they can't be used any more. */
export async function removeStaleUploads(
	services: RemoveStaleUploadsServices,
): Promise<{ readonly removed: number }> {
	const { clock, uploadBlobs } = services;
	return { removed: await uploadBlobs.removeOlderThan(clock.now() - UPLOAD_TTL_MS) };
}
