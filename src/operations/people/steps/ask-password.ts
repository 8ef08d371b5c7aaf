import type { IdentityServices, User } from '../port.ts';
import { forgive, throttle } from './throttle.ts';
import type { Throttled } from './throttle.ts';

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
