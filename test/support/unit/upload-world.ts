import type { AccountPort } from '../../../src/operations/accounts/port.ts';
import type { OpenJobRequest, OpenJobResult, PartMessage } from '../../../src/operations/jobs/port.ts';
import { HORIZON_MS } from '../../../src/core/jobs/open-row.ts';
import { stageUpload, startUpload } from '../../../src/operations/uploads/uploads.ts';
import type { StartUploadRequest } from '../../../src/operations/uploads/uploads.ts';
import { jobBlobsOf } from '../../../src/storage/jobs/blobs.ts';
import { uploadBlobsOf } from '../../../src/storage/uploads.ts';
import { MemoryBucket } from './memory-bucket.ts';
import { aloneAtWork, fileOf } from './list-files.ts';

export const HOUR_MS = 3_600_000;
export const ACCOUNT = { accountId: 'acc_1', keyId: 'k' };
export const LIST = 'name;email\nAda;Ada@x.test\nNo;\nCy;nobody\nada;ada@x.test\nDi;di@x.test\n';

/** An account with so many credits, a bucket, and a clock that a test moves. */
export function worldOf({ credits = 100 } = {}) {
	const time = { now: 1_000 };
	const bucket = new MemoryBucket();
	const uploadBlobs = uploadBlobsOf(bucket.r2);
	const jobBlobs = jobBlobsOf(bucket.r2);
	const opened: OpenJobRequest[] = [];
	const sent: PartMessage[] = [];
	const keys = new Map<string, OpenJobRequest>();
	let ids = 0;
	const account = {
		// The account's object, as far as a start depends on it.
		findAnswer: async ({ idempotency }: Pick<OpenJobRequest, 'idempotency'>) => {
			const known = keys.get(idempotency?.key ?? '');
			if (known === undefined) return null;
			const isSame = known.idempotency?.fingerprint === idempotency?.fingerprint;
			return isSame ? { kind: 'replay', jobId: known.jobId, response: '' } : { kind: 'mismatch' };
		},
		openJob: async (request: OpenJobRequest): Promise<OpenJobResult> => {
			const { idempotency, kind, now } = request;
			const known = idempotency === null ? null : await account.findAnswer({ kind, idempotency, now });
			if (known !== null) return known;
			const wanted = request.parts.reduce((sum, count) => sum + count, 0);
			if (wanted > credits) return { kind: 'insufficient_credits', available: credits };
			if (request.idempotency !== null) keys.set(request.idempotency.key, request);
			opened.push(request);
			return { kind: 'opened', job: { jobId: request.jobId } as never, response: '', sent: [0] };
		},
	} as Partial<AccountPort> as AccountPort;
	const services = {
		accounts: () => account,
		clock: { now: () => time.now, sleep: () => Promise.resolve() },
		newId: (prefix: string) => `${prefix}_${(ids += 1)}`,
		uploadBlobs,
		fileWork: aloneAtWork,
		jobBlobs,
		jobTiming: {
			retryDelaysMs: [60_000],
			redriveAfterMs: 30_000,
			resultsTtlMs: 48 * HOUR_MS,
			horizonMs: HORIZON_MS,
		},
		sendParts: async (_: string, messages: readonly PartMessage[]) => void sent.push(...messages),
		listJob: () => Promise.resolve(true),
		requireProber: () => {},
	};
	const stage = (list: string | Uint8Array = LIST, name = 'July.csv') => {
		const octets = typeof list === 'string' ? fileOf(list) : list;
		return stageUpload(services, ACCOUNT, { name, octets });
	};
	const start = (uploadId: string, more: Partial<StartUploadRequest> = {}, owner = ACCOUNT) =>
		startUpload(services, owner, { uploadId, ...more });
	return { services, time, bucket, uploadBlobs, opened, sent, stage, start };
}
