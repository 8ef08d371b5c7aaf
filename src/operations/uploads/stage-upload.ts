import { readListFile } from '../../core/upload/read-list-file.ts';
import type { AccountRef } from '../accounts/port.ts';
import type { Upload } from './port.ts';
import { storeUpload } from './steps/store-upload.ts';
import type { StoreUploadServices } from './steps/store-upload.ts';

export interface StageUploadRequest {
	readonly name: string;
	readonly octets: Uint8Array;
}

/**
 * Stores an uploaded file and inspects it; of a workbook, the first sheet with addresses. Nothing is charged or started.
 * Throws `ServiceError` `unusable_file`, with what is wrong and what to do, for a file that can't be a list.
 */
export async function stageUpload(
	services: StoreUploadServices,
	account: AccountRef,
	request: StageUploadRequest,
): Promise<Upload> {
	const { name, octets } = request;
	return storeUpload(services, account, { name, read: () => readListFile(octets), file: octets });
}
