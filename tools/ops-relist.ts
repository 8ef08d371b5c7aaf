import { callOperator } from './operator-client.ts';

interface Relisted {
	readonly accountId: string;
	readonly jobs: number;
	readonly next: object | null;
}

/** Lists an account again: piece by piece, since it may have any number of jobs. */
export async function relistAccount(
	service: Parameters<typeof callOperator>[0],
	accountId: string,
	email: string | undefined,
): Promise<object> {
	const path = `/accounts/${encodeURIComponent(accountId)}/relist`;
	let jobs = 0;
	let after: object | null = null;
	for (;;) {
		const request: object = { ...(email === undefined ? {} : { email }), after };
		const { next, ...relisted }: Relisted = await callOperator(service, 'POST', path, request);
		jobs += relisted.jobs;
		if (next === null) return { ...relisted, jobs };
		after = next;
	}
}
