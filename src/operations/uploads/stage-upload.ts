import { readListFile } from '../../core/upload/read-list-file.ts';
import type { ListFile } from '../../core/upload/read-list-file.ts';
import { doSteps } from '../../lib/slots.ts';
import type { Steps } from '../../lib/slots.ts';
import type { Clock } from '../../engine/ports.ts';
import type { AccountRef } from '../accounts/port.ts';
import type { FileWork, Upload, UploadBlobs } from './port.ts';
import { readPasted } from '../../core/upload/pasted.ts';

const NAME_CHARS_MAX = 255;

interface StoreUploadServices {
	readonly clock: Clock;
	readonly newId: (prefix: string) => string;
	readonly uploadBlobs: UploadBlobs;
	readonly fileWork: FileWork;
}

interface NewUpload {
	readonly name: string;
	readonly read: () => Steps<ListFile>;
	/** The file itself, which is kept where other sheets of it may be chosen. */
	readonly file?: Uint8Array;
}

/** Reads a list, and stores it as an upload. */
async function storeUpload(
	services: StoreUploadServices,
	account: AccountRef,
	{ name, read, file }: NewUpload,
): Promise<Upload> {
	const { text, inspection, sheets, sheet } = await services.fileWork.run((pause) => doSteps(read(), pause));
	const hasSheets = sheets.length > 1;
	const upload: Upload = {
		uploadId: services.newId('upl'),
		fileName: name.slice(0, NAME_CHARS_MAX),
		octets: text.length,
		stagedAt: services.clock.now(),
		inspection,
		...(hasSheets ? { sheets, sheet } : {}),
		jobId: null,
	};
	await services.uploadBlobs.put(account.accountId, upload, text, hasSheets ? file : undefined);
	return upload;
}

interface StageUploadRequest {
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

interface StagePastedRequest {
	/** The list's name. */
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
