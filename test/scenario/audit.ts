import { expect } from 'vitest';
import { ensureDevVars, operatorToken } from '../../tools/dev-vars.ts';
import { auditService } from '../../tools/ops-audit.ts';

/** Whatever happened to a service: its ledgers, jobs, blobs and database say the same. */
export async function expectNothingOff(url: string): Promise<void> {
	const token = operatorToken(ensureDevVars());
	const { looked, findings } = await auditService({ url, token }, null);
	expect(findings).toEqual([]);
	expect(looked.accounts).toBeGreaterThan(0);
}
