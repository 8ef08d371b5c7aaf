import { STEP_OCTETS, stepsOf } from '../../../core/upload/encoding.ts';
import type { FileChoice } from '../../../core/upload/choice.ts';
import { UPLOAD_TTL_MS } from '../../../core/upload/limits.ts';
import { RowReader } from '../../../core/upload/row-reader.ts';
import type { Row } from '../../../core/upload/row-reader.ts';
import { RowPerAddress } from '../../../core/upload/several-columns.ts';
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

/**
 * Reads the rows of an uploaded file as a stream: as they are or, with several columns of addresses, a row per address.
 * Throws `ServiceError` `upload_started` when the file is gone.
 */
export async function readRows(
	{ fileWork, uploadBlobs }: Pick<ReadUploadServices, 'fileWork' | 'uploadBlobs'>,
	accountId: string,
	{ upload, choice }: { readonly upload: Upload; readonly choice: FileChoice },
	take: (rows: readonly Row[]) => void,
): Promise<void> {
	const { columns, hasHeader } = choice;
	const spread = columns.length > 1 ? new RowPerAddress(columns, hasHeader) : null;
	const give = (rows: readonly Row[]): void => take(spread === null ? rows : spread.spread(rows));
	await fileWork.run(async (pause) => {
		const file = await uploadBlobs.read(accountId, upload);
		if (file === null) throw startedAlready();
		const reader = new RowReader(upload.inspection.format);
		let sincePause = 0;
		for await (const piece of file) {
			for (const step of stepsOf(piece)) {
				give(reader.push(step));
				sincePause += step.length;
				if (sincePause < STEP_OCTETS) continue;
				await pause();
				sincePause = 0;
			}
		}
		give(reader.end());
	});
}

/** The error for a file that is gone because it was started. */
export function startedAlready(): ServiceError {
	return new ServiceError('upload_started', 'This file was started already');
}
