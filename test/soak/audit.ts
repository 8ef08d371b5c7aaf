import { auditService } from '../../tools/ops-audit.ts';

/** What the service's own audit of all accounts finds, and how much it looked at. */
export async function faultsFoundByAudit(
	service: Parameters<typeof auditService>[0],
): Promise<{ readonly faults: readonly string[]; readonly seen: string }> {
	const { looked, findings } = await auditService(service, null);
	return {
		faults: findings.map((finding) => JSON.stringify(finding)),
		seen: Object.entries(looked)
			.map(([what, count]) => `${count} ${what}`)
			.join(', '),
	};
}
