import { UPLOAD_TTL_MS } from '../../core/upload/limits.ts';
import type { Services } from '../../services.ts';

/** Deletes uploads that were not started within 24 hours, after which they can't be used any more. */
export async function removeStaleUploads(
	services: Pick<Services, 'clock' | 'uploadBlobs'>,
): Promise<{ readonly removed: number }> {
	const { clock, uploadBlobs } = services;
	return { removed: await uploadBlobs.removeOlderThan(clock.now() - UPLOAD_TTL_MS) };
}
