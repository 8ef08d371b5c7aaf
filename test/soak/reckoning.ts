import { setTimeout as pause } from 'node:timers/promises';
import { shopAddresses } from '../sandbox/shops.ts';
import type { Receiver } from '../support/receiver.ts';
import { call } from '../support/service.ts';
import { sum } from '../support/statistics.ts';
import type { Customer } from './customers.ts';
import type { Answered } from './requests.ts';

// What is owed at the end. Nothing is killed any more, so every question is answered.

const LOOK_EVERY_MS = 2_000;
const ANSWERED_WITHIN_MS = 60_000;
// What the dead had reserved is released by the account's alarm after five minutes.
const SETTLED_WITHIN_MS = 8 * 60_000;
const PAGE = 500;

export interface Service {
	readonly url: string;
	readonly token: string;
}

/** A job or a task, as a list of them shows it. */
interface Work {
	readonly jobId?: string;
	readonly taskId?: string;
	readonly status: string;
	readonly creditsUsed: number;
}

/** Waits until a customer's work has ended and nothing is reserved, or for as long as that may take; then looks. */
export async function reckon(service: Service, customer: Customer): Promise<readonly string[]> {
	const get = <T>(path: string): Promise<T> => read<T>(service.url, customer.apiKey, path);
	const faults = await settled(async () => {
		const works = [
			...(await pagesOf<Work>('jobs', (page) => get(`/v1/jobs?limit=100&page=${page}`))),
			...(await pagesOf<Work>('tasks', (page) => get(`/v1/catchall?limit=100&page=${page}`))),
		];
		return faultsInBooks(customer, works, await get('/v1/credits'));
	});
	const lists = await Promise.all(
		[...customer.jobs].map(async ([jobId, emails]) => {
			const rows = await pagesOf<Row>('results', (page) =>
				get(`/v1/jobs/${jobId}/results?limit=${PAGE}&page=${page}`),
			);
			return faultsInRows(jobId, emails, rows);
		}),
	);
	return [...faults, ...lists.flat()];
}

/** Waits until an endpoint heard of the end of each job, at least once and always with one id. */
export async function reckonEvents(receiver: Receiver, secret: string, jobs: Iterable<string>) {
	return settled(async () => {
		const told = receiver.verified(secret).filter(({ type }) => type === 'job.completed');
		return [...jobs].flatMap((jobId) => {
			const ids = new Set(told.filter(({ data }) => data['jobId'] === jobId).map(({ id }) => id));
			return ids.size === 1 ? [] : [`the end of ${jobId} was told under ${ids.size} ids`];
		});
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

/** What of an account's books is not as its owner was told, in words. Whether they add up is told by its `check`. */
function faultsInBooks(
	told: Customer,
	works: readonly Work[],
	{ totalConsumed, reservedCredits }: Record<'totalConsumed' | 'reservedCredits', number>,
): readonly string[] {
	const accepted = new Set([...told.jobs.keys(), ...told.tasks]);
	const found = new Map(works.map(({ taskId, jobId = '', status }) => [taskId ?? jobId, status]));
	const faults = [...found].flatMap(([id, status]) => {
		if (!accepted.has(id)) return [`${id} is there and nobody was told of it`];
		return status === 'completed' ? [] : [`${id} is ${status}`];
	});
	for (const id of accepted) if (!found.has(id)) faults.push(`${id} was accepted and is not there`);
	const least = sum(told.calls) + sum(works.map(({ creditsUsed }) => creditsUsed));
	const most = least + told.unanswered;
	if (totalConsumed < least || totalConsumed > most)
		faults.push(`${totalConsumed} credits are consumed; the answers say ${least} to ${most}`);
	if (reservedCredits !== 0) faults.push(`${reservedCredits} credits are still reserved`);
	return faults;
}

interface Row {
	readonly email: string;
	readonly status: string;
}

const STATUS_OF_STAFF = new Map(
	shopAddresses(20_000).map(({ address, expect: { status } }) => [address, status]),
);

/** Each address once, in its order, with what its server says; while it dies, a Worker may find nobody at home. */
function faultsInRows(jobId: string, emails: readonly string[], rows: readonly Row[]): readonly string[] {
	if (rows.length !== emails.length || rows.some(({ email }, n) => email !== emails[n]))
		return [`${jobId} has other rows than its list`];
	return rows
		.filter(({ email, status }) => status !== 'unknown' && status !== (STATUS_OF_STAFF.get(email) ?? status))
		.map(({ email, status }) => `${jobId}: ${email} is ${status}`);
}

async function pagesOf<T>(
	name: string,
	get: (page: number) => Promise<{ readonly pagination: { readonly hasNextPage: boolean } }>,
): Promise<readonly T[]> {
	const all: T[] = [];
	for (let page = 1; ; page += 1) {
		const data = await get(page);
		all.push(...(data as unknown as Record<string, T[]>)[name]!);
		if (!data.pagination.hasNextPage) return all;
	}
}

/** The data of a GET; an account whose window is used up waits for the next one. */
async function read<T>(url: string, apiKey: string, path: string): Promise<T> {
	for (;;) {
		const signal = AbortSignal.timeout(ANSWERED_WITHIN_MS);
		const { status, headers, body, text } = await call(url, apiKey, 'GET', path, undefined, {}, signal);
		if (status === 200) return (body as { data: T }).data;
		if (status !== 429) throw new Error(`${path}: ${status} ${text}`);
		await pause(Number(headers.get('retry-after') ?? 1) * 1000);
	}
}

/**
 * Holds the answers of one category of an account against its limit. Windows are told apart by the end that the answers
 * name: two ends are a whole window apart, and each answer misses its own by its latency and a rounded second.
 *
 * @returns how many were let in and refused over all windows, and what does not agree with the limit, in words
 */
export function lookAtWindows(answers: readonly Answered[], limit: number, windowMs: number) {
	const windows: { readonly end: number; readonly answers: Answered[] }[] = [];
	const endOf = (one: Answered): number => one.ended + numberIn(one, 'ratelimit-reset') * 1000;
	for (const answer of answers.toSorted((a, b) => endOf(a) - endOf(b))) {
		const open = windows.at(-1);
		if (open !== undefined && endOf(answer) - open.end < windowMs / 2) open.answers.push(answer);
		else windows.push({ end: endOf(answer), answers: [answer] });
	}
	const faults = windows.flatMap((window, nth) => {
		const admitted = window.answers.filter(({ status }) => status !== 429);
		const places = new Set(admitted.map((one) => numberIn(one, 'ratelimit-remaining')));
		const isExact = places.size === admitted.length && admitted.length <= limit;
		return isExact ? [] : [`window ${nth + 1}: ${admitted.length} at ${places.size} places, of ${limit}`];
	});
	const refused = answers.filter(({ status }) => status === 429).length;
	return { windows: windows.length, admitted: answers.length - refused, refused, faults };
}

function numberIn({ headers }: Answered, name: string): number {
	return Number(headers.get(name) ?? Number.NaN);
}
