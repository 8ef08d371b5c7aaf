/** What POST /v1/verify answers for an address. A `catch_all` that is left out is not promised. */
export interface Expectation {
	readonly status: 'deliverable' | 'undeliverable' | 'risky' | 'unknown';
	readonly sub_status: string;
	readonly catch_all?: boolean | null;
}

/** Accepted, and the domain is known not to be catch-all unless `catchAll` says otherwise. */
export function deliverable(catchAll: boolean | null = false): Expectation {
	return { status: 'deliverable', sub_status: 'accepted_email', catch_all: catchAll };
}

/** A certain no. */
export function undeliverable(subStatus: string): Expectation {
	return { status: 'undeliverable', sub_status: subStatus };
}

/** Exists, with a but. */
export function risky(subStatus: string): Expectation {
	return { status: 'risky', sub_status: subStatus };
}

/** No verdict, and no charge. */
export function unknown(subStatus: string): Expectation {
	return { status: 'unknown', sub_status: subStatus };
}
