import type { JobRecord } from './port.ts';

/** Which lists to show: `all` are those that were not deleted. */
export const LIST_STATES = ['all', 'processing', 'completed', 'failed', 'deleted'] as const;
export type ListState = (typeof LIST_STATES)[number];

/** An ended list whose owner wants a mail. */
export interface DoneList {
	readonly accountId: string;
	readonly job: JobRecord;
}
