import { env } from 'cloudflare:workers';
import { parseAddress } from '../../src/core/address/parse-address.ts';
import type { MailRoute } from '../../src/core/dns/find-mail-exchangers.ts';
import { confirmAddress, signUp } from '../../src/operations/people/sign-up.ts';
import type { CheckDomainServices, ConfirmResult } from '../../src/operations/people/sign-up.ts';
import type { Address } from '../../src/core/address/parse-address.ts';
import { isMailProvider } from '../../src/core/identity/login-name.ts';
import { accountsOf } from '../../src/durable-objects/account/client.ts';
import { sha256Hex } from '../../src/lib/digest.ts';
import { newId, secureRandom } from '../../src/lib/encodings.ts';
import { findSession } from '../../src/operations/people/sign-in.ts';
import type {
	Challenge,
	IdentityServices,
	Mail,
	Passwords,
	PasswordTurn,
	SignedIn,
} from '../../src/operations/people/port.ts';
import { D1Attempts } from '../../src/storage/people/attempts.ts';
import { D1Directory } from '../../src/storage/accounts/directory.ts';
import { D1People } from '../../src/storage/people/people.ts';
import { D1Activities } from '../../src/storage/people/activities.ts';
import { D1SecondFactors } from '../../src/storage/people/second-factors.ts';
import { D1Sessions } from '../../src/storage/people/sessions.ts';
import { R2UploadBlobs } from '../../src/storage/uploads.ts';

export const PASSWORD = 'vellum otter quilt';
export const BASE = 'https://mailsonar.example';

const INBOX: MailRoute = { kind: 'hosts', hosts: ['mx.inbox.test'], implicit: false };

/** Password hashing that takes no time: most tests are about the decisions around it. */
function quickPasswords(): Passwords {
	const stored = (password: string, salt: string): string => `quick$${salt}$${sha256Hex(salt + password)}`;
	const turn: PasswordTurn = {
		hash: async (password) => stored(password, crypto.randomUUID()),
		isRight: async (password, hash) => hash === stored(password, hash?.split('$')[1] ?? ''),
	};
	return { inLine: async (_, work) => work(turn), isCrowded: () => false };
}

/** The operations around people, on the real database and objects, with the test's own clock and mailbox. */
export function makeIdentity({
	passwords = quickPasswords(),
	challenge = null,
}: { readonly passwords?: Passwords; readonly challenge?: Challenge | null } = {}) {
	const mails: Mail[] = [];
	const pending: Promise<void>[] = [];
	const time = { now: Date.now() };
	/** The DNS of a domain, where it does not say that it has a mail host. */
	const routes = new Map<string, MailRoute>();
	const later = (work: () => Promise<void>): void => void pending.push(work());
	const signing = { version: 1, secret: new Uint8Array(32).fill(7) };
	const services: IdentityServices &
		CheckDomainServices & {
			uploadBlobs: R2UploadBlobs;
			signing: { version: number; secret: Uint8Array };
		} = {
		clock: { now: () => time.now, sleep: async () => {} },
		secureRandom,
		newId,
		accounts: accountsOf(env.ACCOUNT),
		directory: new D1Directory(env.DB),
		people: new D1People(env.DB),
		sessions: new D1Sessions(env.DB),
		attempts: new D1Attempts(env.DB),
		secondFactors: new D1SecondFactors(env.DB),
		activities: new D1Activities(env.DB),
		passwords,
		challenge,
		mailer: { requireReady: () => {}, send: async (mail) => void mails.push(mail) },
		lookUpMail: async ({ domain }) => ({ route: routes.get(domain) ?? INBOX, hosts: null }),
		refusesDisposable: true,
		isProvider: (domain) => domain === 'inbox.test' || isMailProvider(domain),
		trialCredits: 100,
		later,
		uploadBlobs: new R2UploadBlobs(env.BLOBS),
		signing,
		signingSecrets: [signing],
	};
	/** Waits for the work that goes on after the responses. */
	const settled = async (): Promise<void> => {
		await Promise.all(pending.splice(0));
	};
	return { services, mails, time, routes, settled };
}

/** The renewed proof of a signed-in person without a second factor. */
export const PROOF = { password: PASSWORD, code: '', client: 'here', device: 'Firefox on Linux', base: BASE };

let people = 0;

/** An address that no other test uses. */
export function newAddress(): Address {
	people += 1;
	return addressOf(`person${people}-${crypto.randomUUID().slice(0, 8)}@inbox.test`);
}

export function addressOf(text: string): Address {
	const parsed = parseAddress(text);
	if (!parsed.ok) throw new Error(parsed.reason);
	return parsed.address;
}

/** The token of the first link in a mail that has one. */
export function tokenOf({ text }: Mail): string {
	const token = /token=([\w-]+)/.exec(text)?.[1];
	if (token === undefined) throw new Error('This mail has no link with a token');
	return token;
}

let forms = 0;

export function newFormId(): string {
	forms += 1;
	return `form-${forms}-${crypto.randomUUID()}`;
}

export type Identity = ReturnType<typeof makeIdentity>;
/** The visitor token of the browser that signs up. */
const VISITOR = 'the browser that signed up';

/** Signs up and returns the token of the link. */
export async function signUpAs({ services, settled, mails }: Identity, address: Address): Promise<string> {
	const request = {
		address,
		password: PASSWORD,
		keepsAddress: false,
		client: crypto.randomUUID(),
		work: null,
	};
	await signUp(services, { ...request, formId: newFormId(), visitor: VISITOR, base: BASE });
	await settled();
	return tokenOf(mails.at(-1) ?? { to: '', subject: '', text: '' });
}

/** Follows the link in the browser that signed up. */
export async function confirm({ services }: Identity, token: string): Promise<ConfirmResult> {
	const browser = { device: 'Firefox on Linux', formId: newFormId(), client: crypto.randomUUID() };
	return confirmAddress(services, { ...browser, token, visitor: VISITOR, password: null });
}

/** A new person who is signed in. */
export async function newPerson(
	identity: Identity,
	address = newAddress(),
): Promise<{ signedIn: SignedIn; token: string }> {
	const confirmed = await confirm(identity, await signUpAs(identity, address));
	if (confirmed.kind !== 'confirmed') throw new Error(confirmed.kind);
	const signedIn = await findSession(identity.services, { token: confirmed.token });
	if (signedIn === null) throw new Error('nobody is signed in');
	return { signedIn, token: confirmed.token };
}
