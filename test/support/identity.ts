import { env } from 'cloudflare:workers';
import type { Address } from '../../src/core/address/parse-address.ts';
import type { MailRoute } from '../../src/core/dns/find-mail-exchangers.ts';
import { isMailProvider } from '../../src/core/identity/login-name.ts';
import { accountsOf } from '../../src/durable-objects/account/client.ts';
import { newId, secureRandom } from '../../src/lib/encodings.ts';
import { askCode, findSession, signIn } from '../../src/operations/people/sign-in.ts';
import type { AskResult, AskServices } from '../../src/operations/people/sign-in.ts';
import type { Mail, User } from '../../src/operations/people/port.ts';
import { D1Directory } from '../../src/storage/accounts/directory.ts';
import { D1Attempts, D1People, D1Sessions } from '../../src/storage/people.ts';
import { uploadBlobsOf } from '../../src/storage/uploads.ts';
import { addressOf } from './unit/mail-servers.ts';
import { withMethods } from './wrap.ts';

export const BASE = 'https://mailsonar.example';

const INBOX: MailRoute = { kind: 'hosts', hosts: ['mx.inbox.test'], implicit: false };

/** The operations around people, on the real database and objects, with the test's own clock and mailbox. */
export function makeIdentity() {
	const mails: Mail[] = [];
	const pending: Promise<void>[] = [];
	const time = { now: Date.now() };
	/** The DNS of a domain, where it does not say that it has a mail host. */
	const routes = new Map<string, MailRoute>();
	/** The domains that were looked up. */
	const lookedUp: string[] = [];
	const later = (work: () => Promise<void>): void => void pending.push(work());
	const signing = { version: 1, secret: new Uint8Array(32).fill(7) };
	const services: AskServices & {
		uploadBlobs: ReturnType<typeof uploadBlobsOf>;
		signing: { version: number; secret: Uint8Array };
		signingSecrets: readonly { version: number; secret: Uint8Array }[];
	} = {
		clock: { now: () => time.now, sleep: async () => {} },
		secureRandom,
		newId,
		accounts: accountsOf(env.ACCOUNT),
		directory: new D1Directory(env.DB),
		people: new D1People(env.DB),
		sessions: new D1Sessions(env.DB),
		attempts: new D1Attempts(env.DB),
		mailer: { requireReady: () => {}, send: async (mail) => void mails.push(mail) },
		lookUpMail: async ({ domain }) => {
			lookedUp.push(domain);
			return { route: routes.get(domain) ?? INBOX, hosts: [] };
		},
		refusesDisposable: true,
		isProvider: (domain) => domain === 'inbox.test' || isMailProvider(domain),
		trialCredits: 100,
		later,
		uploadBlobs: uploadBlobsOf(env.BLOBS),
		signing,
		signingSecrets: [signing],
	};
	/** Waits for the work that goes on after the responses. */
	const settled = async (): Promise<void> => {
		await Promise.all(pending.splice(0));
	};
	return { services, mails, time, routes, lookedUp, settled };
}

let people = 0;

/** An address that no other test uses. */
export function newAddress(): Address {
	people += 1;
	return addressOf(`person${people}-${crypto.randomUUID().slice(0, 8)}@inbox.test`);
}

let forms = 0;

export function newFormId(): string {
	forms += 1;
	return `form-${forms}-${crypto.randomUUID()}`;
}

export type Identity = ReturnType<typeof makeIdentity>;

/** The code in a mail. */
export function codeIn(mail: Pick<Mail, 'text'> | undefined): string {
	const code = /: (\d{6})$/m.exec(mail?.text ?? '')?.[1];
	if (code === undefined) throw new Error('This mail has no code');
	return code;
}

interface Ask {
	readonly client?: string;
	readonly formId?: string;
	readonly keepsAddress?: boolean;
	readonly mover?: User | null;
	readonly services?: AskServices;
}

/** A browser of its own, which asks for a code for an address: each time from another place. */
export async function ask({ services: own }: Identity, address: Address, how: Ask = {}): Promise<AskResult> {
	const { client = crypto.randomUUID(), formId = newFormId(), keepsAddress = true } = how;
	const { mover = null, services = own } = how;
	const page = new URL('/dashboard/sign-in/code', BASE);
	return askCode(services, { address, keepsAddress, client, formId, binding: 'a browser', page }, mover);
}

/** Asks for a code, which is in the newest mail. */
export async function askFor(
	identity: Identity,
	address: Address,
	how: Ask = {},
): Promise<{ challenge: string; code: string }> {
	const asked = await ask(identity, address, how);
	if (asked.kind !== 'sent') throw new Error(asked.kind);
	return { challenge: asked.challenge, code: codeIn(identity.mails.at(-1)) };
}

/** Types a code in the browser with a challenge. */
export async function type(
	{ services }: Pick<Identity, 'services'>,
	{ challenge, code }: { readonly challenge: string | null; readonly code: string },
	client = crypto.randomUUID(),
): ReturnType<typeof signIn> {
	const browser = { client, device: 'Firefox on Linux', earlierToken: null };
	return signIn(services, { ...browser, challenge, typed: code });
}

/** Signs in by a code. */
export async function enter(identity: Identity, asked: Parameters<typeof type>[1]) {
	const result = await type(identity, asked);
	if (result.kind !== 'signed_in') throw new Error(result.kind);
	const { token, trial } = result;
	const signedIn = await findSession(identity.services, token);
	if (signedIn === null) throw new Error('nobody is signed in');
	return { signedIn, token, trial };
}

/** A new person who is signed in. */
export const newPerson = async (identity: Identity, address = newAddress()) =>
	enter(identity, await askFor(identity, address));

/** The services where the throttle with this limit lets nobody through any more. */
export function fullAt({ services }: Identity, limit: number): Identity['services'] {
	const { attempts } = services;
	const count: typeof attempts.count = (key, most, now) =>
		most.limit === limit
			? Promise.resolve({ admitted: false, endsAt: now + 1 })
			: attempts.count(key, most, now);
	return { ...services, attempts: withMethods(attempts, { count }) };
}

/** The tables of people and accounts in which a text stands somewhere. */
export async function rowsWith(text: string): Promise<string[]> {
	const tables = ['accounts', 'users', 'sessions', 'codes', 'throttles', 'jobs', 'audit_log'];
	const found = await Promise.all(
		tables.map(async (table) => {
			const { results } = await env.DB.prepare(`SELECT * FROM ${table}`).all();
			return JSON.stringify(results).toLowerCase().includes(text.toLowerCase()) ? [table] : [];
		}),
	);
	return found.flat();
}
