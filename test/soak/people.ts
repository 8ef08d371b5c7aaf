import { setTimeout as pause } from 'node:timers/promises';
import { callOperator } from '../../tools/operator-client.ts';
import { Visitor } from '../support/visitor.ts';
import type { Page } from '../support/visitor.ts';
import type { Balance } from './books.ts';
import type { Step } from './plan.ts';
import type { Answered, Requests } from './requests.ts';

const LISTS = '/dashboard/lists';
const STARTED_SHARE = 0.5;

/** Somebody with a browser, who uploads files and starts every second one. */
export class SoakPerson {
	readonly jobs = new Set<string>();
	readonly #visitor: Visitor;
	#busy = false;

	readonly accountId: string;
	readonly purchased: number;

	constructor(accountId: string, purchased: number, visitor: Visitor) {
		this.accountId = accountId;
		this.purchased = purchased;
		this.#visitor = visitor;
	}

	/** Uploads a file; a start that gets no answer is made again. One at a time, as people do. */
	async upload({ emails, choice }: Step, requests: Requests): Promise<void> {
		if (this.#busy) return;
		this.#busy = true;
		try {
			const file = new File([['E-mail', ...emails].join('\r\n')], 'soak.csv', { type: 'text/csv' });
			const sent = await this.#page(requests, `POST ${LISTS}`, () =>
				this.#visitor.upload(LISTS, 'file', file),
			);
			if (sent.status !== 303 || choice > STARTED_SHARE) return;
			const preview = sent.headers.get('location') ?? '';
			for (let time = 0; time < 20; time += 1) {
				const start = await this.#page(requests, `POST ${LISTS}/uploads/:id`, () =>
					this.#visitor.submit(preview, { column: '0', header: 'yes' }),
				);
				const job = /\/dashboard\/jobs\/(\w+)/.exec(start.headers.get('location') ?? '')?.[1];
				if (job !== undefined) this.jobs.add(job);
				if (job !== undefined || (start.status !== null && start.status < 500)) return;
				await pause(3_000);
			}
		} finally {
			this.#busy = false;
		}
	}

	#page(requests: Requests, endpoint: string, ask: () => Promise<Page>): Promise<Answered> {
		return requests.measure(endpoint, [303], ask);
	}
}

/** Signs somebody up and gives the account its credits. */
export async function signUp(
	service: { readonly url: string; readonly token: string },
	email: string,
	granted: number,
): Promise<SoakPerson> {
	const visitor = new Visitor(service.url);
	await visitor.submit('/dashboard/sign-in', { email });
	await visitor.submit('/dashboard/sign-in/code', { code: await codeOf(visitor, email) });
	const { accounts } = await callOperator<{ accounts: { accountId: string }[] }>(
		service,
		'POST',
		'/find-accounts',
		{ email },
	);
	const accountId = accounts[0]?.accountId;
	if (accountId === undefined) throw new Error(`${email} has no account`);
	const { credits } = await callOperator<{ credits: Balance }>(
		service,
		'POST',
		`/accounts/${accountId}/grants`,
		{
			id: 'soak',
			credits: granted,
		},
	);
	return new SoakPerson(accountId, credits.totalPurchased, visitor);
}

/** The code of the mail, which is its subject, too. */
async function codeOf(visitor: Visitor, email: string): Promise<string> {
	const { text } = await visitor.get('/dashboard/dev/mailbox');
	const mail = text
		.replaceAll(/<wbr ?\/?>/g, '')
		.split('<article')
		.find((article) => article.includes(`>${email}<`));
	const code = /\b\d{6}\b/.exec(mail?.split('<h2')[1] ?? '')?.[0];
	if (code === undefined) throw new Error(`No mail came to ${email}`);
	return code;
}
