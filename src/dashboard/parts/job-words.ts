import { JOB_KINDS } from '../../core/jobs/kinds.ts';
import type { JobRecord } from '../../operations/jobs/port.ts';
import { OWNERS_KEY_ID } from '../../operations/verify/verify-for-owner.ts';
import { minute } from '../format.ts';

/** A job's name on pages. Without one, it is called after its time. */
export function nameOf(job: Pick<JobRecord, 'name' | 'keyId' | 'kind' | 'createdAt'>): string {
	const { name, keyId, kind, createdAt } = job;
	if (name !== null && name.trim() !== '') return name;
	const { title } = JOB_KINDS[kind].onPages;
	return `${keyId === OWNERS_KEY_ID ? title : `API ${title.toLowerCase()}`}, ${minute(createdAt)}`;
}

/** True when the results of a job have been deleted. */
export function isExpired({ resultsExpiresAt }: Pick<JobRecord, 'resultsExpiresAt'>, now: number): boolean {
	return resultsExpiresAt !== null && now >= resultsExpiresAt;
}
