import { setTimeout as pause } from 'node:timers/promises';
import { makeUnlimited } from '../bench/service.ts';
import { Visitor } from '../support/visitor.ts';
import type { Page } from '../support/visitor.ts';
import type { Step } from './plan.ts';
import type { Service } from './reckoning.ts';
import type { Answered, Requests } from './requests.ts';

// Twenty customers with keys, one with small limits, and some people with browsers.

const CREDITS = 10_000_000;
const LISTS = '/dashboard/lists';
const STARTED_SHARE = 0.5;

/** An account, and what its owner was told. */
export type Customer = Awaited<ReturnType<typeof openAccount>>;

/** Opens an account that nothing limits but these. */
export async function openAccount(service: Service, name: string, limits: object = {}) {
	const email = `${name}@inbox.test`;
	return {
		...(await makeUnlimited(service, { email, credits: CREDITS }, limits)),
		name,
		email,
		/** `creditsUsed` of every single call that was answered, each key once. */
		calls: [] as number[],
		/** Jobs that an answer named, with the addresses of their lists. */
		jobs: new Map<string, readonly string[]>(),
		tasks: new Set<string>(),
		/** Single calls without a key that got no answer, or a 500: each may have been charged a credit. */
		unanswered: 0,
		/** Idempotency-Keys that were used. */
		keys: 0,
	};
}

/** A customer with a browser, who uploads files and starts every second one. */
export type Person = Awaited<ReturnType<typeof openPerson>>;

/** Opens an account and signs its owner in. */
export async function openPerson(service: Service, name: string) {
	const customer = await openAccount(service, name);
	const { email } = customer;
	const visitor = new Visitor(service.url);
	await visitor.submit('/dashboard/sign-in', { email });
	await visitor.submit('/dashboard/sign-in/code', { code: await codeOf(visitor, email) });
	return { ...customer, visitor, isBusy: false };
}

/** Uploads a file and starts every second one; a start that gets no answer is made again. One at a time, as people do. */
export async function upload(person: Person, step: Step, requests: Requests): Promise<void> {
	if (person.isBusy) return;
	person.isBusy = true;
	try {
		const job = await uploadAndStart(person.visitor, step, requests);
		if (job !== undefined) person.jobs.set(job, [...new Set(step.emails)]);
	} finally {
		person.isBusy = false;
	}
}

/** Gives the job that was started, if one was. */
async function uploadAndStart(
	visitor: Visitor,
	{ emails, choice }: Step,
	requests: Requests,
): Promise<string | undefined> {
	const page = (endpoint: string, ask: () => Promise<Page>): Promise<Answered> =>
		requests.measure(endpoint, [303], ask);
	const file = new File([['E-mail', ...emails].join('\r\n')], 'soak.csv', { type: 'text/csv' });
	const sent = await page(`POST ${LISTS}`, () => visitor.upload(LISTS, 'file', file));
	if (sent.status !== 303 || choice > STARTED_SHARE) return undefined;
	const preview = sent.headers.get('location') ?? '';
	for (let time = 0; time < 20; time += 1) {
		const start = await page(`POST ${LISTS}/uploads/:id`, () =>
			visitor.submit(preview, { column: '0', header: 'yes' }),
		);
		const job = /\/dashboard\/jobs\/(\w+)/.exec(start.headers.get('location') ?? '')?.[1];
		if (job !== undefined || (start.status !== null && start.status < 500)) return job;
		await pause(3_000);
	}
	return undefined;
}

/** The code of the mail, which is its subject, too. */
async function codeOf(visitor: Visitor, email: string): Promise<string> {
	const { text } = await visitor.get('/dashboard/dev/mailbox');
	const articles = text.replaceAll(/<wbr ?\/?>/g, '').split('<article');
	const mail = articles.find((article) => article.includes(`>${email}<`));
	const code = /\b\d{6}\b/.exec(mail?.split('<h2')[1] ?? '')?.[0];
	if (code === undefined) throw new Error(`No mail came to ${email}`);
	return code;
}
