import { STEP_OCTETS, stepsOf } from '../../../core/upload/encoding.ts';
import { UPLOAD_TTL_MS } from '../../../core/upload/limits.ts';
import { RowReader } from '../../../core/upload/row-reader.ts';
import type { Row } from '../../../core/upload/row-reader.ts';
import { ServiceError } from '../../../errors.ts';
import type { Clock } from '../../../engine/ports.ts';
import type { FileWork, Upload, UploadBlobs } from '../port.ts';

export interface ReadUploadServices {
	readonly clock: Clock;
	readonly uploadBlobs: UploadBlobs;
	readonly fileWork: FileWork;
}

/** An upload of this account. Throws `ServiceError` `upload_not_found`, or `upload_expired` after 24 hours. */
export async function requireUpload(
	{ clock, uploadBlobs }: Pick<ReadUploadServices, 'clock' | 'uploadBlobs'>,
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

/** Reads the rows of an uploaded file as a stream. Throws `ServiceError` `upload_started` when the file is gone. */
export async function readRows(
	{ fileWork, uploadBlobs }: Pick<ReadUploadServices, 'fileWork' | 'uploadBlobs'>,
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

/** The error for a file that is gone because it was started. */
export function startedAlready(): ServiceError {
	return new ServiceError('upload_started', 'This file was started already');
}
