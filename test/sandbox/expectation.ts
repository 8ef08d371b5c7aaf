/** What POST /v1/verify answers for an address. A `catch_all` that is left out is not promised. */
export interface Expectation {
	readonly status: 'deliverable' | 'undeliverable' | 'risky' | 'unknown';
	readonly sub_status: string;
	readonly catch_all?: boolean | null;
}

const CATCH_ALL = { yes: true, no: false, open: null } as const;

/** Reads `status sub_status`, and behind it `yes`, `no` or `open` where it is promised whether the domain is catch-all. */
export function promise(words: string): Expectation {
	const found = /^(deliverable|undeliverable|risky|unknown) (\w+)(?: (yes|no|open))?$/.exec(words);
	if (found === null) throw new Error(`no promise: ${words}`);
	const [, status, subStatus = '', catchAll] = found;
	return {
		status: status as Expectation['status'],
		sub_status: subStatus,
		...(catchAll === undefined ? {} : { catch_all: CATCH_ALL[catchAll as keyof typeof CATCH_ALL] }),
	};
}
