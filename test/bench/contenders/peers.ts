import { Slots } from '../../../src/lib/slots.ts';

// Each peer is called as its README says, with its defaults, and with what it needs to be told.

/** What somebody says of a mailbox. `unsure`: neither yes nor no. */
export type Answer = 'valid' | 'invalid' | 'catch_all' | 'unsure';

/** Who is measured: asks about one address, or about a list in the way its maker means it. */
export type Contender = (emails: readonly string[]) => Promise<readonly Answer[]>;

/** Who we are to mail servers, whoever asks. */
export const IDENTITY = {
	heloName: 'probe.mailsonar.test',
	mailFrom: 'verify@probe.mailsonar.test',
} as const;

// As many as @emailcheck asks about at once in its batches.
const WIDTH = 5;

const bySmtp = (valid: boolean | null): Answer => (valid === null ? 'unsure' : valid ? 'valid' : 'invalid');

async function emailcheck(): Promise<Contender> {
	const { verifyEmail, verifyEmailBatch } = await import('@emailcheck/email-validator-js');
	const how = { verifyMx: true, verifySmtp: true } as const;
	const read = (verdict: Awaited<ReturnType<typeof verifyEmail>>): Answer =>
		verdict.isCatchAll === true ? 'catch_all' : bySmtp(verdict.validSmtp);
	return async (emailAddresses) => {
		const [emailAddress = '', ...more] = emailAddresses;
		if (more.length === 0) return [read(await verifyEmail({ ...how, emailAddress }))];
		return [...(await verifyEmailBatch({ ...how, emailAddresses })).results.values()].map(read);
	};
}

async function serverAcceptsEmail(): Promise<Contender> {
	const { default: accepts } = await import('server-accepts-email');
	const from = { senderDomain: IDENTITY.heloName, senderAddress: IDENTITY.mailFrom };
	// It has a pool of its own, of five connections a host.
	return (emails) => Promise.all(emails.map(async (email) => bySmtp(await accepts(email, from))));
}

async function zbEmailVerifier(): Promise<Contender> {
	const { verify } = await import('zb-email-verifier');
	const codes: Readonly<Record<string, Answer>> = {
		EXIST: 'valid',
		NOT_EXIST: 'invalid',
		CATCH_ALL: 'catch_all',
	};
	const ask = async (to: string): Promise<Answer> => {
		const { heloName: helo, mailFrom: from } = IDENTITY;
		return codes[await verify({ helo, from, to, catchalltest: true })] ?? 'unsure';
	};
	const slots = new Slots(WIDTH);
	return (emails) => Promise.all(emails.map((email) => slots.run(() => ask(email))));
}

/** By their names on npm: the quickest at one address, the quickest at a list, and one that knows catch-all domains. */
export const PEERS: Readonly<Record<string, () => Promise<Contender>>> = {
	'@emailcheck/email-validator-js': emailcheck,
	'server-accepts-email': serverAcceptsEmail,
	'zb-email-verifier': zbEmailVerifier,
};
