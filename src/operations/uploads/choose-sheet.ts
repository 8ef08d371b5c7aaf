import { refusal } from '../../core/upload/file-kind.ts';
import { readListFile } from '../../core/upload/read-list-file.ts';
import { doSteps } from '../../lib/steps.ts';
import type { AccountRef } from '../accounts/port.ts';
import type { Upload } from './port.ts';
import { requireUpload, startedAlready } from './steps/read-upload.ts';
import type { ReadUploadServices } from './steps/read-upload.ts';

export interface ChooseSheetRequest {
	readonly uploadId: string;
	/** Its index, from 0. */
	readonly sheet: number;
}

/**
 * Reads another sheet of an uploaded workbook, which is the list from now on. Throws `ServiceError` as `stageUpload` and
 * `previewUpload` do; the sheet that was read before stays the list then.
 */
export async function chooseSheet(
	services: ReadUploadServices,
	account: AccountRef,
	request: ChooseSheetRequest,
): Promise<Upload> {
	const { accountId } = account;
	const { uploadId, sheet } = request;
	const upload = await requireUpload(services, accountId, uploadId);
	if (upload.jobId !== null) throw startedAlready();
	if (upload.sheet === sheet) return upload;
	if (upload.sheets === undefined) throw refusal('This file has no sheets to choose from.');
	return services.fileWork.run(async (pause) => {
		const workbook = await services.uploadBlobs.readWorkbook(accountId, uploadId);
		if (workbook === null) throw startedAlready();
		const { text, inspection } = await doSteps(readListFile(workbook, sheet), pause);
		const chosen: Upload = { ...upload, inspection, sheet };
		await services.uploadBlobs.put(accountId, chosen, text);
		return chosen;
	});
}
