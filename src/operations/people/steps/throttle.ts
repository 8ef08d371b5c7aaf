import { THROTTLES, throttleKey } from '../../../core/identity/throttles.ts';
import type { ThrottledAction } from '../../../core/identity/throttles.ts';
import type { Services } from '../../../services.ts';

/** The keys of an attempt: the client's IP address, and a login name or account; null: not counted. */
export interface Attempt {
	readonly client: string | null;
	readonly account: string | null;
}

/** Too many attempts; the next one may be made in `retryAfterMs`. */
export interface Throttled {
	readonly kind: 'throttled';
	readonly retryAfterMs: number;
}

/** Counts an attempt by both keys before it is made; null: it is allowed. */
export async function throttle(
	{ attempts, clock }: Pick<Services, 'attempts' | 'clock'>,
	action: ThrottledAction,
	{ client, account }: Attempt,
): Promise<Throttled | null> {
	const now = clock.now();
	const limits = THROTTLES[action];
	const sides = [
		['client', client, limits.client],
		['account', account, limits.account],
	] as const;
	for (const [side, who, limit] of sides) {
		if (who === null) continue;
		const { admitted, endsAt } = await attempts.count(throttleKey(action, side, who), limit, now);
		if (!admitted) return { kind: 'throttled', retryAfterMs: Math.max(1, endsAt - now) };
	}
	return null;
}

/** After a right code: resets the count of the account. */
export async function forgive(
	{ attempts }: Pick<Services, 'attempts'>,
	action: ThrottledAction,
	{ account }: Pick<Attempt, 'account'>,
): Promise<void> {
	if (account !== null) await attempts.forget(throttleKey(action, 'account', account));
}
