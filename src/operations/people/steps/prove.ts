import { factorSecret, readCode } from '../../../core/identity/second-factor.ts';
import { recoveryCodeUsedMail } from '../../../core/identity/mails.ts';
import { totpStepOf } from '../../../lib/totp.ts';
import type { IdentityServices, SecondFactor, User } from '../port.ts';
import { pageLink } from './links.ts';
import { note } from './note.ts';
import { forgive, throttle } from './throttle.ts';
import type { Attempt, Throttled } from './throttle.ts';

export type CheckCodeServices = Pick<
	IdentityServices,
	'clock' | 'attempts' | 'secondFactors' | 'signingSecrets' | 'activities' | 'mailer' | 'later'
>;

export interface CheckCodeRequest {
	/** As typed. */
	readonly code: string;
	readonly attempt: Attempt;
	readonly device: string;
	/** Our public URL. */
	readonly base: string;
}

/**
 * Checks a code of the app, or a recovery code, of a person whose password was right, and takes it: no code is taken
 * twice. Guesses are counted here alone, so that only people with the password can use them up.
 */
export async function checkCode(
	services: CheckCodeServices,
	user: User,
	factor: SecondFactor,
	{ code, attempt, device, base }: CheckCodeRequest,
): Promise<{ kind: 'right' } | { kind: 'wrong_code' } | Throttled> {
	const { account } = attempt;
	const throttled =
		(await throttle(services, 'second_factor', attempt)) ??
		(await throttle(services, 'second_factor_row', { client: null, account }));
	if (throttled !== null) return throttled;
	const typed = readCode(code);
	if (typed?.kind === 'recovery') {
		if (!(await services.secondFactors.useRecoveryCode(user.id, typed.digest)))
			return refused(services, user, device);
		note(services, user.accountId, { kind: 'recovery_code_used', device });
		const left = await services.secondFactors.countCodes(user.id);
		const mail = recoveryCodeUsedMail(left, pageLink(base, 'forgotten-password'));
		services.later(() => services.mailer.send({ to: user.email, ...mail }));
	} else {
		const secret = factorSecret(services.signingSecrets, user.id, factor);
		const isRight = typed !== null && secret !== null && (await takeStep(services, user, secret, typed.code));
		if (!isRight) return refused(services, user, device);
	}
	await forgive(services, 'second_factor', attempt);
	// The owner is there: the row of everybody ends, so that another browser of theirs need not wait for weeks.
	for (const who of new Set([account, user.loginName, signedInName(user)]))
		await forgive(services, 'second_factor_row', { account: who });
	return { kind: 'right' };
}

/** By which the codes of a person who is signed in are counted: wrong ones of sign-ins must not keep them out. */
export function signedInName({ id }: Pick<User, 'id'>): string {
	return `signed in ${id}`;
}

async function takeStep(
	{ clock, secondFactors }: CheckCodeServices,
	user: User,
	secret: Uint8Array,
	code: string,
): Promise<boolean> {
	const step = totpStepOf(secret, code, clock.now());
	return step !== null && secondFactors.useStep(user.id, step);
}

function refused(services: CheckCodeServices, user: User, device: string): { kind: 'wrong_code' } {
	note(services, user.accountId, { kind: 'code_refused', device });
	return { kind: 'wrong_code' };
}

/** Checks the password again for a person who is signed in. */
export async function askPassword(
	services: Pick<IdentityServices, 'clock' | 'attempts' | 'passwords'>,
	user: User,
	password: string,
	client: string,
): Promise<{ kind: 'right' } | { kind: 'wrong_password' } | Throttled> {
	return services.passwords.inLine(user.id, async (turn) => {
		const throttled = await throttle(services, 'ask_password', { client, account: user.id });
		if (throttled !== null) return throttled;
		if (!(await turn.isRight(password, user.passwordHash))) return { kind: 'wrong_password' };
		await forgive(services, 'ask_password', { account: user.id });
		return { kind: 'right' };
	});
}

/** The proof of a signed-in person before a grave change. */
export interface AskAgainRequest {
	readonly password: string;
	/** As typed; empty where there is no second factor. */
	readonly code: string;
	readonly client: string;
	readonly device: string;
	/** Our public URL. */
	readonly base: string;
}

export type AskedAgain =
	| { readonly kind: 'right' }
	| { readonly kind: 'wrong_password' }
	| { readonly kind: 'wrong_code' }
	| Throttled;

/** Checks the password again, then a code where the person has a second factor. */
export async function askAgain(
	services: CheckCodeServices & Pick<IdentityServices, 'passwords'>,
	user: User,
	{ password, code, client, device, base }: AskAgainRequest,
): Promise<AskedAgain> {
	const proof = await askPassword(services, user, password, client);
	if (proof.kind !== 'right') return proof;
	const factor = await services.secondFactors.find(user.id);
	if (factor === null) return proof;
	const attempt = { client, account: signedInName(user) };
	return checkCode(services, user, factor, { code, attempt, device, base });
}
