import type { AccountPort } from '../accounts/object-port.ts';
import { ServiceError } from '../../errors.ts';
import type { Admitted } from '../accounts/port.ts';
import { note } from '../people/steps/note.ts';
import type { NoteServices } from '../people/steps/note.ts';
import { BY_DASHBOARD } from '../verify/port.ts';
import type { JobRecord } from './port.ts';

export interface DeleteResultsServices extends NoteServices {
	readonly accounts: (accountId: string) => Pick<AccountPort, 'deleteResults'>;
}

export interface DeleteResultsRequest {
	readonly job: JobRecord;
}

/**
 * Deletes the list and the results of a job that has ended; its record stays with its counters. A repetition changes
 * nothing. Throws `job_not_completed` while the job runs, which would otherwise lose answers that are paid for.
 */
export async function deleteResults(
	services: DeleteResultsServices,
	account: Admitted,
	request: DeleteResultsRequest,
): Promise<void> {
	const { jobId, status } = request.job;
	if (status === 'processing')
		throw new ServiceError(
			'job_not_completed',
			'The job is processing: finish it first, or wait for its end',
			{
				details: { status },
			},
		);
	const now = services.clock.now();
	await services.accounts(account.accountId).deleteResults({ jobId, now });
	const { deletedAt, name } = request.job;
	if (typeof deletedAt === 'number') return;
	const by = account.keyId === BY_DASHBOARD.keyId ? null : 'api';
	note(services, account.accountId, { kind: 'list_deleted', about: name ?? jobId, by });
}
