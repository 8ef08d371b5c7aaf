import type { SandboxRow } from '../test/sandbox/domains.ts';

/** The service's answer about one sandbox address, and whether it is the expected one. */
export interface Verdict {
	readonly row: SandboxRow;
	readonly httpStatus: number;
	readonly status: string;
	readonly subStatus: string;
	readonly catchAll: boolean | null | undefined;
	readonly score: number | null;
	readonly ms: number;
	readonly right: boolean;
}

interface Answer {
	readonly data?: {
		readonly status: string;
		readonly deliverability_score: number;
		readonly details: {
			readonly sub_status: string;
			readonly attributes: { readonly catch_all: boolean | null };
		};
	};
}

/** Verifies a sandbox address through the service and compares the answer. */
export async function verifyRow(url: string, apiKey: string, row: SandboxRow): Promise<Verdict> {
	const begun = performance.now();
	const response = await fetch(new URL('/v1/verify', url), {
		method: 'POST',
		headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
		body: JSON.stringify({ email: row.address }),
	});
	const { data } = await response.json<Answer>();
	const [status, subStatus] = [data?.status ?? 'none', data?.details.sub_status ?? 'none'];
	const catchAll = data?.details.attributes.catch_all;
	const { expect } = row;
	const right =
		status === expect.status &&
		subStatus === expect.sub_status &&
		(expect.catch_all === undefined || catchAll === expect.catch_all);
	return {
		row,
		httpStatus: response.status,
		status,
		subStatus,
		catchAll,
		score: data?.deliverability_score ?? null,
		ms: Math.round(performance.now() - begun),
		right,
	};
}

/** Runs `work` over all items, at most `width` at a time, and keeps their order. */
export async function inParallel<T, R>(
	items: readonly T[],
	width: number,
	work: (item: T) => Promise<R>,
): Promise<R[]> {
	const results: R[] = [];
	let next = 0;
	const worker = async (): Promise<void> => {
		while (next < items.length) {
			const index = next;
			next += 1;
			results[index] = await work(items[index] as T);
		}
	};
	await Promise.all(Array.from({ length: width }, worker));
	return results;
}
