import { SILENT } from '../../src/core/metrics/metrics.ts';
import type { Metrics } from '../../src/core/metrics/metrics.ts';
import { env } from 'cloudflare:workers';
import { expect } from 'vitest';
import type { Finding } from '../../src/core/audit/finding.ts';
import { accountsOf } from '../../src/durable-objects/account/client.ts';
import { auditAccount, auditAll } from '../../src/operations/audit/audit.ts';
import type { AuditServices } from '../../src/operations/audit/steps/audit-step.ts';
import type { AuditPlace, Audited } from '../../src/operations/audit/steps/walk.ts';
import { R2AccountRegister } from '../../src/storage/accounts/register.ts';
import { D1AuditedListing, R2AuditedBucket } from '../../src/storage/audit.ts';
import { D1Directory } from '../../src/storage/accounts/directory.ts';
import { R2KeptJobs } from '../../src/storage/jobs/kept-jobs.ts';

/** The stores as an audit reads them at a time; its pauses take none. */
export function auditServices(now: number): AuditServices & { readonly metrics: Metrics } {
	return {
		metrics: SILENT,
		clock: { now: () => now, sleep: () => Promise.resolve() },
		accounts: accountsOf(env.ACCOUNT),
		directory: new D1Directory(env.DB),
		auditedListing: new D1AuditedListing(env.DB),
		auditedBucket: new R2AuditedBucket(env.BLOBS),
		accountRegister: new R2AccountRegister(env.BLOBS),
		keptJobs: new R2KeptJobs(env.BLOBS),
	};
}

/** All pages of an audit. */
async function whole(
	page: (place: AuditPlace | null) => Promise<Audited>,
): Promise<{ findings: Finding[]; looked: Audited['looked']; pages: number }> {
	const findings: Finding[] = [];
	let looked: Audited['looked'] = { accounts: 0, lines: 0, jobs: 0, blobs: 0 };
	let place: AuditPlace | null = null;
	let pages = 0;
	do {
		const one: Audited = await page(place);
		findings.push(...one.findings);
		looked = {
			accounts: looked.accounts + one.looked.accounts,
			lines: looked.lines + one.looked.lines,
			jobs: looked.jobs + one.looked.jobs,
			blobs: looked.blobs + one.looked.blobs,
		};
		place = one.next;
		pages += 1;
	} while (place !== null);
	return { findings, looked, pages };
}

/** Everything that is off in an account. */
export function auditOf(accountId: string, now: number, services = auditServices(now)) {
	return whole((place) => auditAccount(services, { accountId }, place));
}

/** Everything that is off. */
export function auditOfAll(now: number, services = auditServices(now)) {
	return whole((place) => auditAll(services, place));
}

/** After any fault: ledger, reservations, jobs, blobs and database say the same. */
export async function expectNothingOff(accountId: string, now: number): Promise<void> {
	expect((await auditOf(accountId, now)).findings, `the audit of ${accountId}`).toEqual([]);
}
