import { setTimeout as pause } from 'node:timers/promises';
import { callOperator } from '../../tools/operator-client.ts';
import { call } from '../support/service.ts';
import { faultsInBooks } from './books.ts';
import type { Balance, EndedWork } from './books.ts';
import type { Customer } from './customer.ts';
import type { SoakPerson } from './people.ts';

// What is owed at the end. Nothing is killed any more, so every question is answered.

const LOOK_EVERY_MS = 2_000;
const ANSWERED_WITHIN_MS = 60_000;
// What the dead had reserved is released by the account's alarm after five minutes.
const SETTLED_WITHIN_MS = 8 * 60_000;

interface Listed {
	readonly jobId?: string;
	readonly taskId?: string;
	readonly status: string;
	readonly acceptedEmails?: number;
	readonly creditsRequired?: number;
	readonly creditsReserved?: number;
	readonly creditsUsed: number;
	readonly creditsRefunded: number;
}

interface Service {
	readonly url: string;
	readonly token: string;
}

/** Waits until a customer's work has ended and nothing is reserved, or for as long as that may take; then looks. */
export async function reckon(service: Service, customer: Customer): Promise<readonly string[]> {
	return settled(async () => {
		const works = [
			...(await listed(service.url, customer.apiKey, '/v1/jobs')),
			...(await listed(service.url, customer.apiKey, '/v1/catchall')),
		].map(workOf);
		const { data } = (await get(service.url, customer.apiKey, '/v1/credits')) as { data: Balance };
		return faultsInBooks(customer.told, works, data);
	});
}

/** The same for somebody who has no key. */
export async function reckonPerson(service: Service, person: SoakPerson): Promise<readonly string[]> {
	return settled(async () => {
		const works: EndedWork[] = [];
		for (const id of person.jobs) {
			const { job } = await callOperator<{ job: Listed }>(service, 'GET', `/jobs/${id}`);
			works.push(workOf(job));
		}
		const { credits } = await callOperator<{ credits: Balance }>(
			service,
			'GET',
			`/accounts/${person.accountId}`,
		);
		const told = { purchased: person.purchased, calls: [], unanswered: 0, accepted: person.jobs };
		return faultsInBooks(told, works, credits);
	});
}

async function settled(look: () => Promise<readonly string[]>): Promise<readonly string[]> {
	const endsAt = Date.now() + SETTLED_WITHIN_MS;
	for (;;) {
		const faults = await look();
		if (faults.length === 0 || Date.now() > endsAt) return faults;
		await pause(LOOK_EVERY_MS);
	}
}

function workOf(work: Listed): EndedWork {
	const { status, creditsUsed, creditsRefunded } = work;
	const credits = work.acceptedEmails ?? work.creditsRequired ?? 0;
	return {
		id: work.taskId ?? work.jobId ?? '',
		status,
		credits,
		// Tasks do not say what is set aside: what is neither used nor refunded.
		creditsReserved: work.creditsReserved ?? credits - creditsUsed - creditsRefunded,
		creditsUsed,
		creditsRefunded,
	};
}

async function listed(url: string, apiKey: string, path: string): Promise<readonly Listed[]> {
	const all: Listed[] = [];
	for (let page = 1; ; page += 1) {
		const { data } = (await get(url, apiKey, `${path}?page=${page}&limit=100`)) as {
			data: { jobs?: Listed[]; tasks?: Listed[]; pagination: { hasNextPage: boolean } };
		};
		all.push(...(data.jobs ?? data.tasks ?? []));
		if (!data.pagination.hasNextPage) return all;
	}
}

/** The body of a GET; an account whose window is used up waits for the next one. */
async function get(url: string, apiKey: string, path: string): Promise<unknown> {
	for (;;) {
		const signal = AbortSignal.timeout(ANSWERED_WITHIN_MS);
		const { status, headers, body, text } = await call(url, apiKey, 'GET', path, undefined, {}, signal);
		if (status === 200) return body;
		if (status !== 429) throw new Error(`${path}: ${status} ${text}`);
		await pause(Number(headers.get('retry-after') ?? 1) * 1000);
	}
}
