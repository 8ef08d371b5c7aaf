import { setTimeout as pause } from 'node:timers/promises';
import { callOperator } from '../../tools/operator-client.ts';
import { Visitor } from '../support/visitor.ts';
import type { Page } from '../support/visitor.ts';
import type { Step } from './plan.ts';
import type { Balance, Service, Told } from './reckoning.ts';
import type { Answered, Requests } from './requests.ts';

const LISTS = '/dashboard/lists';
const STARTED_SHARE = 0.5;

/** Somebody with a browser, who uploads files and starts every second one. */
export class SoakPerson implements Told {
	readonly calls = [];
	readonly unanswered = 0;
	/** The jobs that were started. */
	readonly accepted = new Set<string>();
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
		const page = (endpoint: string, ask: () => Promise<Page>): Promise<Answered> =>
			requests.measure(endpoint, [303], ask);
		try {
			const file = new File([['E-mail', ...emails].join('\r\n')], 'soak.csv', { type: 'text/csv' });
			const sent = await page(`POST ${LISTS}`, () => this.#visitor.upload(LISTS, 'file', file));
			if (sent.status !== 303 || choice > STARTED_SHARE) return;
			const preview = sent.headers.get('location') ?? '';
			for (let time = 0; time < 20; time += 1) {
				const start = await page(`POST ${LISTS}/uploads/:id`, () =>
					this.#visitor.submit(preview, { column: '0', header: 'yes' }),
				);
				const job = /\/dashboard\/jobs\/(\w+)/.exec(start.headers.get('location') ?? '')?.[1];
				if (job !== undefined) this.accepted.add(job);
				if (job !== undefined || (start.status !== null && start.status < 500)) return;
				await pause(3_000);
			}
		} finally {
			this.#busy = false;
		}
	}
}

/** Signs somebody up and gives the account its credits. */
export async function signUp(service: Service, email: string, credits: number): Promise<SoakPerson> {
	const visitor = new Visitor(service.url);
	await visitor.submit('/dashboard/sign-in', { email });
	await visitor.submit('/dashboard/sign-in/code', { code: await codeOf(visitor, email) });
	const ask = <T>(path: string, body: object): Promise<T> => callOperator<T>(service, 'POST', path, body);
	const { accounts } = await ask<{ accounts: { accountId: string }[] }>('/find-accounts', { email });
	const accountId = accounts[0]?.accountId;
	if (accountId === undefined) throw new Error(`${email} has no account`);
	const granted = await ask<{ credits: Balance }>(`/accounts/${accountId}/grants`, { id: 'soak', credits });
	return new SoakPerson(accountId, granted.credits.totalPurchased, visitor);
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
