import type { Finding } from '../../../core/audit/finding.ts';
import type { Clock } from '../../../engine/ports.ts';

/** How much was looked at. */
export interface Looked {
	readonly accounts: number;
	/** Lines of ledgers. */
	readonly lines: number;
	/** Jobs and tasks. */
	readonly jobs: number;
	readonly blobs: number;
}

export const LOOKED_AT_NOTHING: Looked = { accounts: 0, lines: 0, jobs: 0, blobs: 0 };

export interface AuditStep {
	readonly findings: readonly Finding[];
	readonly looked: Partial<Looked>;
	/** Null: that was all. */
	readonly next: AuditPlace | null;
}

/** The steps of an audit: those of one account, in this order, and those of the service as a whole. */
export const AUDIT_STAGES = [
	'books',
	'ledger',
	'jobs',
	'listing',
	'purchases',
	'accounts',
	'rows',
	'bucket',
	'uploads',
] as const;

/** Where an audit is, as its caller keeps it between two calls. */
export interface AuditPlace {
	readonly stage: (typeof AUDIT_STAGES)[number];
	/** The account, in the first five stages. */
	readonly accountId: string | null;
	/** The last entry that this stage has done; null: nothing yet. */
	readonly after: string | null;
}

/** The first place of an audit of everything. */
export const FROM_THE_FIRST: AuditPlace = { stage: 'accounts', accountId: null, after: null };

/** The first place of an account. */
export function booksOf(accountId: string): AuditPlace {
	return { stage: 'books', accountId, after: null };
}

export interface Audited {
	readonly findings: readonly Finding[];
	readonly looked: Looked;
	/** Null: that was all. */
	readonly next: AuditPlace | null;
}

/** How far to go at once. */
export interface Reach {
	readonly steps: number;
	readonly ms: number;
}

/** Takes steps until so many are taken, so much time has passed, or nothing is left. */
export async function walk(
	clock: Pick<Clock, 'now'>,
	from: AuditPlace,
	reach: Reach,
	take: (place: AuditPlace) => Promise<AuditStep>,
): Promise<Audited> {
	const begun = clock.now();
	const findings: Finding[] = [];
	let looked = LOOKED_AT_NOTHING;
	let place: AuditPlace | null = from;
	for (let steps = 0; place !== null && steps < reach.steps && clock.now() - begun < reach.ms; steps += 1) {
		const step: AuditStep = await take(place);
		findings.push(...step.findings);
		looked = sum(looked, step.looked);
		place = step.next;
	}
	return { findings, looked, next: place };
}

function sum(looked: Looked, more: Partial<Looked>): Looked {
	return {
		accounts: looked.accounts + (more.accounts ?? 0),
		lines: looked.lines + (more.lines ?? 0),
		jobs: looked.jobs + (more.jobs ?? 0),
		blobs: looked.blobs + (more.blobs ?? 0),
	};
}
