import { isPassword } from '../../core/identity/password-hash.ts';
import type { IdentityServices, User } from './port.ts';
import { forgive, throttle } from './throttle.ts';
import type { Throttled } from './throttle.ts';

/** Asks somebody who is signed in for the password again. */
export async function askPassword(
	services: Pick<IdentityServices, 'clock' | 'attempts'>,
	user: User,
	password: string,
	client: string,
): Promise<{ kind: 'right' } | { kind: 'wrong_password' } | Throttled> {
	const throttled = await throttle(services, 'ask_password', { client, account: user.id });
	if (throttled !== null) return throttled;
	if (!(await isPassword(password, user.passwordHash))) return { kind: 'wrong_password' };
	await forgive(services, 'ask_password', user.id);
	return { kind: 'right' };
}
