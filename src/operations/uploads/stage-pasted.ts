import { readPasted } from '../../core/upload/pasted.ts';
import type { AccountRef } from '../accounts/port.ts';
import type { Upload } from './port.ts';
import { storeUpload } from './steps/store-upload.ts';
import type { StoreUploadServices } from './steps/store-upload.ts';

export interface StagePastedRequest {
	/** What the list is called. */
	readonly name: string;
	readonly text: string;
}

/** Stores pasted text as an uploaded file. Throws `ServiceError` `unusable_file` for text that holds no addresses. */
export async function stagePasted(
	services: StoreUploadServices,
	account: AccountRef,
	request: StagePastedRequest,
): Promise<Upload> {
	const { name, text } = request;
	return storeUpload(services, account, { name, read: () => readPasted(text) });
}
