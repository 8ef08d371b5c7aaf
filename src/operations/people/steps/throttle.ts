import { THROTTLES, throttleKey } from '../../../core/identity/throttles.ts';
import type { Throttle, ThrottledAction } from '../../../core/identity/throttles.ts';
import type { Services } from '../../../services.ts';

/** Too many attempts; the next one may be made in `retryAfterMs`. */
export interface Throttled {
	readonly kind: 'throttled';
	readonly retryAfterMs: number;
}

/** Counts an attempt by each side that the action has a limit for, before it is made; null: it is allowed. */
export async function throttle(
	{ attempts, clock }: Pick<Services, 'attempts' | 'clock'>,
	action: ThrottledAction,
	/** The client's IP address or network, and a mailbox or account; null: not counted. */
	by: { readonly client?: string | null; readonly account?: string | null },
): Promise<Throttled | null> {
	const now = clock.now();
	const limits: { readonly client?: Throttle; readonly account?: Throttle } = THROTTLES[action];
	for (const side of ['client', 'account'] as const) {
		const [who = null, limit] = [by[side], limits[side]];
		if (who === null || limit === undefined) continue;
		const { admitted, endsAt } = await attempts.count(throttleKey(action, side, who), limit, now);
		if (!admitted) return { kind: 'throttled', retryAfterMs: Math.max(1, endsAt - now) };
	}
	return null;
}
