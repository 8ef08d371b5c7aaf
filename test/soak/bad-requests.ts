import type { Customer } from './customer.ts';
import type { Request } from './requests.ts';

// What clients get wrong. None of it costs a credit, and none of it is a 5xx.

interface Bad extends Omit<Request, 'endpoint' | 'apiKey'> {
	readonly does: string;
	/** Left out: the customer's own. */
	readonly apiKey?: string | null;
}

/** A bad request of a customer, by a number between 0 and 1. */
export function badRequest(choice: number, customer: Customer, customers: readonly Customer[]): Request {
	const kinds = badRequests(otherJob(customer, customers));
	const { does, apiKey = customer.apiKey, ...request } = kinds[Math.floor(choice * kinds.length)] as Bad;
	return { ...request, apiKey, endpoint: `bad: ${does}` };
}

function badRequests(strangeJob: string): readonly Bad[] {
	const verify = { method: 'POST', path: '/v1/verify' } as const;
	return [
		// A client without a key has a window of its own, by its IP address.
		{ does: 'no key', method: 'GET', path: '/v1/credits', apiKey: null, expected: [401, 429] },
		{
			does: 'forged key',
			method: 'GET',
			path: '/v1/credits',
			apiKey: 'ms_live_forged',
			expected: [401, 429],
		},
		{ does: 'broken JSON', ...verify, body: '{"email":', expected: [400] },
		{ does: 'malformed address', ...verify, body: { email: 'ada@@inbox.test' }, expected: [400] },
		{ does: 'no field', ...verify, body: {}, expected: [400] },
		{ does: 'empty list', method: 'POST', path: '/v1/verify-batch', body: { emails: [] }, expected: [400] },
		{ does: 'unknown path', method: 'GET', path: '/v1/nothing', expected: [404] },
		{ does: 'wrong method', method: 'DELETE', path: '/v1/verify', expected: [405] },
		{ does: 'page 0', method: 'GET', path: '/v1/jobs?page=0', expected: [400] },
		{ does: 'another account’s job', method: 'GET', path: `/v1/jobs/${strangeJob}`, expected: [404] },
	];
}

function otherJob(customer: Customer, customers: readonly Customer[]): string {
	const other = customers.find((one) => one !== customer && one.jobs.size > 0);
	return other?.jobs.values().next().value ?? 'job_none';
}
