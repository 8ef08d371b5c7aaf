import type { AccountPort } from '../../accounts/object-port.ts';
import type { Address } from '../../../core/address/parse-address.ts';
import { withAddress } from '../../../core/verification/render.ts';
import type { Clock } from '../../../engine/ports.ts';
import { ServiceError } from '../../../errors.ts';
import type { EarlierCall, KeyedCall, RememberedAnswer, ReservationRef } from '../port.ts';

// The network work of a call takes 15 s at most: a Worker that has given no answer by then has died.
const AT_WORK_MS = 20_000;
// An answer takes 30 s at most: so long is waited for another one's, and there is time left to find our own.
const WAIT_MAX_MS = 12_000;
const FIRST_PAUSE_MS = 100;
const PAUSE_MAX_MS = 1_000;

/** The reservation of a call whose Worker died, for the repeat that does its work. */
interface TakenCall {
	readonly reservation: ReservationRef;
	/** False: no free answers are left today. */
	readonly mayAsk: boolean;
}

/**
 * Waits for the answer of an earlier call under the same Idempotency-Key. If none comes, the repeat takes the call over
 * and does the work on its reservation. `by` names the repeat.
 */
export async function waitForEarlier(
	account: Pick<AccountPort, 'findCall' | 'takeCall'>,
	clock: Clock,
	{ call, by, ...first }: { readonly call: KeyedCall; readonly by: string; readonly earlier: EarlierCall },
): Promise<RememberedAnswer | TakenCall> {
	let earlier: EarlierCall | null = first.earlier;
	const begunAt = earlier.kind === 'under_way' ? earlier.reservation.at : 0;
	const until = Math.min(begunAt + AT_WORK_MS, clock.now() + WAIT_MAX_MS);
	for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, PAUSE_MAX_MS)) {
		if (earlier === null) throw firstFailed();
		if (earlier.kind === 'answered') return earlier.answer;
		if (earlier.kind === 'mismatch')
			throw new ServiceError('idempotency_key_reused', 'This Idempotency-Key was used for another request');
		if (clock.now() >= until) break;
		await clock.sleep(pause);
		earlier = await account.findCall({ call, now: clock.now() });
	}
	const taken = await account.takeCall({ call, by, now: clock.now() });
	if (taken === null) throw firstFailed();
	return { ...taken, reservation: earlier.reservation };
}

/** An answer under a key as it is given: the account keeps it without the address, which the same request brings again. */
export function answerTo(address: Address, kept: RememberedAnswer): RememberedAnswer {
	return { ...kept, result: withAddress(kept.result, address) };
}

function firstFailed(): ServiceError {
	return new ServiceError('upstream_unavailable', 'The first request under this Idempotency-Key failed');
}
