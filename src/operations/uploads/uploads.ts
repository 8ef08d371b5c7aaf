import { UPLOAD_TTL_MS } from '../../core/upload/limits.ts';
import type { AccountRef } from '../accounts/port.ts';
import type { Upload } from './port.ts';
import { refusal } from '../../core/upload/file-kind.ts';
import { readListFile } from '../../core/upload/read-list-file.ts';
import { doSteps } from '../../lib/slots.ts';
import { readRows, requireUpload, startedAlready } from './start-upload.ts';
import type { ReadUploadServices } from './start-upload.ts';
import { PRICE } from '../../core/credits/price.ts';
import { chosenOf, rowChoiceOf } from '../../core/upload/choice.ts';
import type { Choice, FileChoice } from '../../core/upload/choice.ts';
import { Preview } from '../../core/upload/preview.ts';
import type { ListPreview } from '../../core/upload/preview.ts';
import type { ListFile } from '../../core/upload/read-list-file.ts';
import type { Steps } from '../../lib/slots.ts';
import { readPasted } from '../../core/upload/pasted.ts';
import type { Services } from '../../services.ts';

// More than anybody leaves lying about in a day.
const LISTED_MAX = 10;

/** The newest files that were uploaded in the last 24 hours and not started. */
export async function listUploads(
	services: Pick<Services, 'clock' | 'uploadBlobs'>,
	account: AccountRef,
): Promise<readonly Upload[]> {
	const uploads = await services.uploadBlobs.listOf(account.accountId, LISTED_MAX);
	return uploads.filter(({ stagedAt }) => services.clock.now() < stagedAt + UPLOAD_TTL_MS);
}

interface ChooseSheetRequest {
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

export interface UploadPreview extends ListPreview {
	readonly upload: Upload;
	readonly choice: FileChoice;
	/** How the first rows are to be read. */
	readonly rowChoice: Choice;
	/** Credits that the job would reserve. */
	readonly credits: number;
	/** Epoch milliseconds. */
	readonly expiresAt: number;
}

/**
 * A preview of a job from this file, with the chosen column and header or else our guess. Throws `ServiceError`:
 * `upload_not_found`, `upload_expired` after 24 hours, `upload_started` when it was started, `unusable_file` for a
 * column that does not exist.
 */
export async function previewUpload(
	services: ReadUploadServices,
	account: AccountRef,
	request: Partial<FileChoice> & { readonly uploadId: string },
): Promise<UploadPreview> {
	const { accountId } = account;
	const upload = await requireUpload(services, accountId, request.uploadId);
	const choice = chosenOf(upload.inspection, request);
	if (upload.jobId !== null) throw startedAlready();
	const rowChoice = rowChoiceOf(choice);
	const preview = new Preview(rowChoice);
	await readRows(services, accountId, { upload, choice }, (rows) => preview.add(rows));
	const listed = preview.result();
	const expiresAt = upload.stagedAt + UPLOAD_TTL_MS;
	const credits = listed.counts.addresses * PRICE.verification;
	return { ...listed, upload, choice, rowChoice, credits, expiresAt };
}

/**
 * Deletes an uploaded file that was not started. `started`: a job was made from it, so it is kept; `none`: there is no
 * such file (any more). May be repeated.
 */
export async function discardUpload(
	services: Pick<Services, 'uploadBlobs'>,
	account: AccountRef,
	request: { readonly uploadId: string },
): Promise<'discarded' | 'started' | 'none'> {
	const { uploadBlobs } = services;
	const { accountId } = account;
	const { uploadId } = request;
	const upload = await uploadBlobs.find(accountId, uploadId);
	if (upload === null) return 'none';
	if (upload.jobId !== null) return 'started';
	await uploadBlobs.remove(accountId, uploadId);
	return 'discarded';
}

const NAME_CHARS_MAX = 255;

type StoreUploadServices = Pick<Services, 'clock' | 'newId' | 'uploadBlobs' | 'fileWork'>;

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
	const { text, inspection, sheets, perSheet, sheet } = await services.fileWork.run((pause) =>
		doSteps(read(), pause),
	);
	const hasSheets = sheets.length > 1;
	const upload: Upload = {
		uploadId: services.newId('upl'),
		fileName: name.slice(0, NAME_CHARS_MAX),
		octets: text.length,
		stagedAt: services.clock.now(),
		inspection,
		...(hasSheets ? { sheets, perSheet, sheet } : {}),
		jobId: null,
	};
	await services.uploadBlobs.put(account.accountId, upload, text, hasSheets ? file : undefined);
	return upload;
}

/**
 * Stores an uploaded file and inspects it; of a workbook, the sheet with the most addresses. Nothing is charged or started.
 * Throws `ServiceError` `unusable_file`, with what is wrong and what to do, for a file that can't be a list.
 */
export async function stageUpload(
	services: StoreUploadServices,
	account: AccountRef,
	request: { readonly name: string; readonly octets: Uint8Array },
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
