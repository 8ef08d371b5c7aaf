import { visible } from '../src/lib/text.ts';
import { callOperator } from './operator-client.ts';

/** The findings of `ops audit`. */
export interface Audit {
	readonly looked: Readonly<Record<'accounts' | 'lines' | 'jobs' | 'blobs', number>>;
	readonly findings: readonly {
		readonly what: string;
		readonly accountId: string | null;
		readonly about: string | null;
		readonly says: string;
	}[];
}

/** Audits one account or, with null, all of them: piece by piece, since an account may be of any size. */
export async function auditService(
	service: Parameters<typeof callOperator>[0],
	accountId: string | null,
): Promise<Audit> {
	const looked = { accounts: 0, lines: 0, jobs: 0, blobs: 0 };
	const findings: Audit['findings'][number][] = [];
	let after: string | null = null;
	do {
		const query = new URLSearchParams({
			...(accountId === null ? {} : { account: accountId }),
			...(after === null ? {} : { after }),
		});
		const page: Audit & { readonly next: string | null } = await callOperator(
			service,
			'GET',
			`/audit?${query.toString()}`,
		);
		findings.push(...page.findings);
		for (const what of ['accounts', 'lines', 'jobs', 'blobs'] as const) looked[what] += page.looked[what];
		after = page.next;
	} while (after !== null);
	return { looked, findings };
}

export function isAudit(answer: object): answer is Audit {
	return 'findings' in answer && 'looked' in answer;
}

/** A line for each finding, and what was looked at. */
export function auditReport({ looked, findings }: Audit): string {
	const { accounts, lines, jobs, blobs } = looked;
	const sentences = findings.map(({ what, accountId, about, says }) =>
		visible([accountId, about, `${what}:`, says].filter((part) => part !== null).join(' ')),
	);
	const end = `Looked at ${accounts} accounts, ${lines} ledger lines, ${jobs} jobs and tasks, ${blobs} blobs: ${
		findings.length === 0 ? 'nothing is off' : `${findings.length} findings`
	}`;
	return [...sentences, end].join('\n');
}
