import { inParallel } from '../../../tools/sandbox-report.ts';
import { IDENTITY } from './contender.ts';
import type { Answer, Contender } from './contender.ts';

// Each peer is called as its README says, with its defaults, and with what it needs to be told.

// As many as @emailcheck and @devmehq ask about at once in their batches.
const WIDTH = 5;

const bySmtp = (valid: boolean | null): Answer => (valid === null ? 'unsure' : valid ? 'valid' : 'invalid');

async function emailcheck(): Promise<Contender> {
	const { verifyEmail, verifyEmailBatch } = await import('@emailcheck/email-validator-js');
	const how = { verifyMx: true, verifySmtp: true } as const;
	const read = (verdict: Awaited<ReturnType<typeof verifyEmail>>): Answer =>
		verdict.isCatchAll === true ? 'catch_all' : bySmtp(verdict.validSmtp);
	return {
		ask: async (emailAddress) => read(await verifyEmail({ ...how, emailAddress })),
		askAll: async (emailAddresses) =>
			[...(await verifyEmailBatch({ ...how, emailAddresses })).results.values()].map(read),
	};
}

async function devmehq(): Promise<Contender> {
	const { verifyEmailDetailed, verifyEmailBatch } = await import('@devmehq/email-validator-js');
	const how = { verifyMx: true, verifySmtp: true } as const;
	return {
		ask: async (emailAddress) => bySmtp((await verifyEmailDetailed({ ...how, emailAddress })).smtp.valid),
		askAll: async (emailAddresses) => {
			const { results } = await verifyEmailBatch({ ...how, emailAddresses, detailed: true });
			return [...results.values()].map(({ smtp }) => bySmtp(smtp.valid));
		},
	};
}

async function deepEmailValidator(): Promise<Contender> {
	const { validate } = await import('deep-email-validator');
	// Its typo check would stop at the names of our world before it asks anybody.
	const ask = async (email: string): Promise<Answer> =>
		bySmtp((await validate({ email, sender: IDENTITY.mailFrom, validateTypo: false })).valid);
	return { ask, askAll: (emails) => inParallel(emails, WIDTH, ask) };
}

async function emailDeepValidator(): Promise<Contender> {
	const { default: EmailValidator } = await import('email-deep-validator');
	const validator = new EmailValidator();
	const ask = async (email: string): Promise<Answer> => bySmtp((await validator.verify(email)).validMailbox);
	return { ask, askAll: (emails) => inParallel(emails, WIDTH, ask) };
}

async function serverAcceptsEmail(): Promise<Contender> {
	const { default: accepts } = await import('server-accepts-email');
	const from = { senderDomain: IDENTITY.heloName, senderAddress: IDENTITY.mailFrom };
	const ask = async (email: string): Promise<Answer> => bySmtp(await accepts(email, from));
	// It has a pool of its own, of five connections a host.
	return { ask, askAll: (emails) => Promise.all(emails.map(ask)) };
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
	return { ask, askAll: (emails) => inParallel(emails, WIDTH, ask) };
}

/** The peers by their names on npm. */
export const PEERS: Readonly<Record<string, () => Promise<Contender>>> = {
	'@emailcheck/email-validator-js': emailcheck,
	'@devmehq/email-validator-js': devmehq,
	'deep-email-validator': deepEmailValidator,
	'email-deep-validator': emailDeepValidator,
	'server-accepts-email': serverAcceptsEmail,
	'zb-email-verifier': zbEmailVerifier,
};
