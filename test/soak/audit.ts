import { callOperator, OperatorError } from '../../tools/operator-client.ts';

interface Page {
	readonly looked: Readonly<Record<string, number>>;
	readonly findings: readonly object[];
	readonly next: string | null;
}

/** What the service's own audit of all accounts finds; null: it has none. */
export async function faultsFoundByAudit(
	service: Parameters<typeof callOperator>[0],
): Promise<{ readonly faults: readonly string[]; readonly looked: string } | null> {
	const faults: string[] = [];
	const looked = new Map<string, number>();
	let after: string | null = null;
	do {
		const query: string = after === null ? '' : `?${new URLSearchParams({ after }).toString()}`;
		let page: Page;
		try {
			page = await callOperator<Page>(service, 'GET', `/audit${query}`);
		} catch (error) {
			if (error instanceof OperatorError && error.message === 'There is no such operation') return null;
			throw error;
		}
		faults.push(...page.findings.map((finding) => JSON.stringify(finding)));
		for (const [what, count] of Object.entries(page.looked))
			looked.set(what, (looked.get(what) ?? 0) + count);
		after = page.next;
	} while (after !== null);
	return { faults, looked: [...looked].map(([what, count]) => `${count} ${what}`).join(', ') };
}
