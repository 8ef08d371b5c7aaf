import { auditStep } from './steps/audit-step.ts';
import type { AuditServices } from './steps/audit-step.ts';
import { FROM_THE_FIRST } from './steps/account-step.ts';
import type { AuditPlace } from './steps/account-step.ts';
import { walk } from './steps/walk.ts';
import type { Audited } from './steps/walk.ts';

export interface AuditAllRequest {
	/** Where the last call stopped; null: at the beginning. */
	readonly place: AuditPlace | null;
}

/** The bounds of one call. The caller repeats it until nothing is left. */
const REACH = { steps: 40, ms: 5_000 };

/** Compares what the stores say of all accounts, and looks for what belongs to none: some of it, and the rest by later calls. */
export async function auditAll(services: AuditServices, request: AuditAllRequest): Promise<Audited> {
	return walk(services.clock, request.place ?? FROM_THE_FIRST, REACH, (at) => auditStep(services, at));
}
