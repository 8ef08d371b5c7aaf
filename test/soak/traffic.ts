import { setTimeout as pause } from 'node:timers/promises';
import { upload } from './customers.ts';
import type { Customer, Person } from './customers.ts';
import type { Kind, Step } from './plan.ts';
import { codeOf } from './requests.ts';
import type { Answered, Request, Requests } from './requests.ts';

// Whoever gets no answer, or a 5xx, asks again with the same key until there is one.
const AGAIN_AFTER_MS = 3_000;
const AGAIN_TIMES = 40;
const IN_PROGRESS = 'request_in_progress';

/** Those who ask, and how. */
export interface Cast {
	readonly customers: readonly Customer[];
	readonly limited: Customer;
	readonly people: readonly Person[];
	readonly requests: Requests;
	/** Answers to the account with small limits. */
	readonly limitedAnswers: Answered[];
}

/** Does one step to its end. Whoever has no job yet leaves out what is about one. */
export async function take(step: Step, cast: Cast): Promise<void> {
	const { requests, customers, people, limited } = cast;
	const customer = customers[step.customer] as Customer;
	const get = (path: string, more: Partial<Request> = {}): Promise<Answered> =>
		requests.send({ method: 'GET', path, apiKey: customer.apiKey, expected: [200], ...more });
	const job = pickJob(customer, step.choice);
	const small = { row: 'GET /v1/credits, small limit', apiKey: limited.apiKey, expected: [200, 429] };
	const steps: Readonly<Record<Kind, () => Promise<unknown>>> = {
		verify: () => verify(step, customer, requests),
		batch: () => createWork(customer, requests, '/v1/verify-batch', { emails: step.emails }),
		task: async () => job && createWork(customer, requests, '/v1/catchall', { jobId: job }),
		poll: async () => job && get(`/v1/jobs/${job}`),
		results: async () => job && get(`/v1/jobs/${job}/results?limit=100`, { expected: [200, 409] }),
		credits: () => get('/v1/credits'),
		list: () => get('/v1/jobs?limit=25'),
		bad: () => requests.send(badRequest(step.choice, customer, customers)),
		limited: async () => cast.limitedAnswers.push(await get('/v1/credits', small)),
		upload: () => upload(people[step.person]!, step, requests),
	};
	await steps[step.kind]();
}

/** One of the jobs, by a number between 0 and 1; the newest are likelier. */
function pickJob({ jobs }: Customer, choice: number): string | null {
	return [...jobs.keys()][Math.floor(Math.sqrt(choice) * jobs.size)] ?? null;
}

/** One that was never used. */
function newKey(customer: Customer): Readonly<Record<string, string>> {
	return { 'idempotency-key': `${customer.name}-${(customer.keys += 1)}` };
}

async function verify({ emails, unkeyed }: Step, customer: Customer, requests: Requests): Promise<void> {
	const request: Request = {
		method: 'POST',
		path: '/v1/verify',
		apiKey: customer.apiKey,
		body: { email: emails[0] },
		headers: unkeyed ? {} : newKey(customer),
		expected: [200],
	};
	const answered = unkeyed ? await requests.send(request) : await untilAnswered(requests, request);
	if (answered.status === 200) {
		customer.calls.push((answered.body as { meta: { creditsUsed: number } }).meta.creditsUsed);
	} else if (answered.status === null || answered.status === 500) customer.unanswered += 1;
}

/** A job or a task, which the same key gives once more to the letter. A 409 is an answer too. */
async function createWork(
	customer: Customer,
	requests: Requests,
	path: '/v1/verify-batch' | '/v1/catchall',
	body: { readonly emails?: readonly string[]; readonly jobId?: string },
): Promise<void> {
	const request: Request = {
		method: 'POST',
		path,
		apiKey: customer.apiKey,
		body,
		headers: newKey(customer),
		expected: path === '/v1/catchall' ? [202, 409] : [202],
	};
	const answered = await untilAnswered(requests, request);
	if (answered.status !== 202) return;
	const { jobId, taskId } = (answered.body as { data: { jobId?: string; taskId?: string } }).data;
	if (taskId !== undefined) customer.tasks.add(taskId);
	else if (jobId !== undefined) customer.jobs.set(jobId, [...new Set(body.emails)]);
	const again = await untilAnswered(requests, request);
	if (again.text !== answered.text)
		requests.broken.push(`${path}: the same key gave ${again.text} after ${answered.text}`);
}

async function untilAnswered(requests: Requests, request: Request): Promise<Answered> {
	let answered = await requests.send(request);
	// A Worker that was killed is taken to be at work for a while.
	const repeated = { ...request, expected: [...request.expected, IN_PROGRESS] };
	for (let time = 1; time < AGAIN_TIMES && isOpen(answered); time += 1) {
		await pause(AGAIN_AFTER_MS);
		answered = await requests.send(repeated);
	}
	return answered;
}

function isOpen({ status, body }: Answered): boolean {
	return (status ?? 500) >= 500 || codeOf(body) === IN_PROGRESS;
}

/** What clients get wrong, by a number between 0 and 1. None of it costs a credit, and none of it is a 5xx. */
function badRequest(choice: number, customer: Customer, customers: readonly Customer[]): Request {
	const other = customers.find((one) => one !== customer && one.jobs.size > 0);
	const othersJob = (other && pickJob(other, 1 - Number.EPSILON)) ?? 'job_none';
	const single = { method: 'POST', path: '/v1/verify', expected: [400] };
	const list = { method: 'POST', path: '/v1/verify-batch', expected: [400] };
	const credits = { method: 'GET', path: '/v1/credits', expected: [401, 429] };
	const kinds: Readonly<Record<string, Omit<Request, 'apiKey'> & { readonly apiKey?: string | null }>> = {
		// A client without a key has a window of its own, by its IP address.
		'no key': { ...credits, apiKey: null },
		'forged key': { ...credits, apiKey: 'ms_live_forged' },
		'broken JSON': { ...single, body: '{"email":' },
		'malformed address': { ...single, body: { email: 'ada@@inbox.test' } },
		'no field': { ...single, body: {} },
		'empty list': { ...list, body: { emails: [] } },
		'unknown path': { method: 'GET', path: '/v1/nothing', expected: [404] },
		'wrong method': { method: 'DELETE', path: '/v1/verify', expected: [405] },
		'page 0': { method: 'GET', path: '/v1/jobs?page=0', expected: [400] },
		'another account’s job': { method: 'GET', path: `/v1/jobs/${othersJob}`, expected: [404] },
	};
	const all = Object.entries(kinds);
	const [does, request] = all[Math.floor(choice * all.length)]!;
	return { apiKey: customer.apiKey, ...request, row: `bad: ${does}` };
}
