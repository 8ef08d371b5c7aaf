import type { Finding } from '../../../core/audit/finding.ts';
import type { Clock } from '../../../engine/ports.ts';
import { LOOKED_AT_NOTHING } from './audit-step.ts';
import type { AuditStep, Looked } from './audit-step.ts';
import type { AuditPlace } from './account-step.ts';

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
