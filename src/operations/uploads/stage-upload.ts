import { inspectFile } from '../../core/upload/inspect.ts';
import { doSteps } from '../../lib/steps.ts';
import type { Clock } from '../../engine/ports.ts';
import type { AccountRef } from '../accounts/port.ts';
import type { FileWork, Upload, UploadBlobs } from './port.ts';

const NAME_CHARS_MAX = 255;

export interface StageUploadServices {
	readonly clock: Clock;
	readonly newId: (prefix: string) => string;
	readonly uploadBlobs: UploadBlobs;
	readonly fileWork: FileWork;
}

export interface StageUploadRequest {
	readonly name: string;
	readonly octets: Uint8Array;
}

/**
 * Stores an uploaded file and inspects it. Nothing is charged or started. Throws `ServiceError` `unusable_file`, with
 * what is wrong and what to do, for a file that can't be a list.
 */
export async function stageUpload(
	services: StageUploadServices,
	account: AccountRef,
	request: StageUploadRequest,
): Promise<Upload> {
	const { name, octets } = request;
	const inspection = await services.fileWork.run((pause) => doSteps(inspectFile(octets), pause));
	const upload: Upload = {
		uploadId: services.newId('upl'),
		fileName: name.slice(0, NAME_CHARS_MAX),
		octets: octets.length,
		stagedAt: services.clock.now(),
		inspection,
		jobId: null,
	};
	await services.uploadBlobs.put(account.accountId, upload, octets);
	return upload;
}
