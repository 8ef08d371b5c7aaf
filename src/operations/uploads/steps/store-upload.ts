import type { ListFile } from '../../../core/upload/read-list-file.ts';
import { doSteps } from '../../../lib/steps.ts';
import type { Steps } from '../../../lib/steps.ts';
import type { Clock } from '../../../engine/ports.ts';
import type { AccountRef } from '../../accounts/port.ts';
import type { FileWork, Upload, UploadBlobs } from '../port.ts';

const NAME_CHARS_MAX = 255;

export interface StoreUploadServices {
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
export async function storeUpload(
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
