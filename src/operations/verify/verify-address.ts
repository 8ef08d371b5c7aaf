import type { AccountPort } from '../accounts/object-port.ts';
import { isFreeAnswer } from '../../core/credits/free-answers.ts';
import { operatorOf } from '../../core/metrics/metrics.ts';
import type { Metrics } from '../../core/metrics/metrics.ts';
import { withoutAddress } from '../../core/verification/render.ts';
import type { VerificationResult } from '../../core/verification/render.ts';
import type { Examined } from '../../engine/examination.ts';
import type { Address } from '../../core/address/parse-address.ts';
import type { Trace } from '../../core/verification/trace.ts';
import type { Asker } from '../../core/politeness/mail-host.ts';
import { ownOutcomeAt } from '../../core/outcomes/outcome.ts';
import type { KeptOutcome } from '../outcomes/port.ts';
import { noteScores } from '../outcomes/outcomes.ts';
import type { DigestsOf } from '../outcomes/outcomes.ts';
import type { AccountRef } from '../accounts/port.ts';
import type { EarlierCall, KeyedCall, RememberedAnswer, ReservationRef } from './port.ts';
import type { ExamineOptions } from '../../engine/examine-address.ts';
import { answerTo, waitForEarlier } from './steps/earlier-call.ts';
import { keptAnswer } from './history.ts';
import type { LookedUpMail } from '../../engine/look-up-mail.ts';
import type { Clock } from '../../engine/ports.ts';

export interface VerifyServices {
	readonly clock: Clock;
	readonly examine: (address: Address, asker: Asker, options?: ExamineOptions) => Promise<Examined>;
}

export interface VerifyAddressServices extends VerifyServices {
	readonly accounts: (
		accountId: string,
	) => Pick<AccountPort, 'settle' | 'noteScores' | 'findCall' | 'takeCall'>;
	readonly digestsOf: DigestsOf;
	readonly metrics: Metrics;
}

export interface VerifyAddressRequest {
	readonly reservation: ReservationRef;
	readonly address: Address;
	readonly requestId: string;
	/** The look-up that ran while the account was asked; null: none. */
	readonly mail: Promise<LookedUpMail> | null;
	/** The account's record of its own last message to the address; null: none. */
	readonly outcome: KeptOutcome | null;
	/** False: too many of the account's answers were free today. */
	readonly mayAsk?: boolean;
	/** No mail host is asked. */
	readonly quick?: boolean;
	/** The account never paid. */
	readonly isTrial?: boolean;
	/** The answer is kept in the account's history, which the reservation began. */
	readonly isKept?: boolean;
	/** Takes each step as it happens. */
	readonly trace?: Trace;
	/** The answer is remembered under this key, without the address. Null or left out: it is not. */
	readonly call?: KeyedCall | null;
	/** The earlier call under the key, by which there is no reservation for this one; null or left out: none. */
	readonly earlier?: EarlierCall | null;
}

export interface VerifiedAddress {
	readonly answer: RememberedAnswer;
	/** It is the answer to an earlier call. */
	readonly replayed: boolean;
}

/**
 * Verifies one address against a reservation. A definite answer is charged, an `unknown` refunded, and after a failure
 * of ours the credit is released. A crash leaves a reservation that the account releases by itself.
 *
 * All calls under an Idempotency-Key have one answer, which is charged once. A repeat waits for the answer of the first,
 * or takes its work over: of two that work side by side, the one that settles first gives the answer of both.
 */
export async function verifyAddress(
	services: VerifyAddressServices,
	account: AccountRef,
	request: VerifyAddressRequest,
): Promise<VerifiedAddress> {
	const { clock, metrics } = services;
	const { address, requestId, outcome, isKept = false, trace, call = null, earlier = null } = request;
	const { isTrial = false, quick = false } = request;
	const till = services.accounts(account.accountId);
	let { reservation, mail, mayAsk = true } = request;
	if (call !== null && earlier !== null) {
		const found = await waitForEarlier(till, clock, { call, earlier, by: reservation.id });
		if ('result' in found) return { answer: answerTo(address, found), replayed: true };
		({ reservation, mayAsk } = found);
		mail = null;
	}
	const ownOutcome = outcome === null ? null : ownOutcomeAt(outcome, clock.now());
	let examined: Examined;
	try {
		const traced = trace === undefined ? {} : { trace };
		examined = await services.examine(address, account.accountId, {
			mail,
			ownOutcome,
			mayAsk,
			quick,
			...(isTrial ? { isTrial } : {}),
			...traced,
		});
	} catch (error) {
		const kept = isKept ? { keep: null } : {};
		await till.settle({ reservation, outcome: 'failed', now: clock.now(), ...kept });
		throw error;
	}
	const { result, countedPoints: points = null } = examined;
	const { sub_status: subStatus } = result.details;
	const answeredAt = clock.now();
	const settling = till.settle({
		reservation,
		outcome: result.status,
		// A quick check that proves nothing is one, too, for its look-ups.
		isFree: isFreeAnswer(subStatus) || (quick && subStatus === 'not_asked'),
		now: answeredAt,
		...(isKept ? { keep: keptAnswer(examined, address) } : {}),
		...(call === null ? {} : { remember: { key: call.key, requestId, result: withoutAddress(result) } }),
	});
	const scored = points === null ? [] : [{ address, points }];
	const [settled] = await Promise.all([settling, noteScores(services, account, scored)]);
	noteOutcome(metrics, result);
	metrics.note('settle_lag', { class: 'single', ms: clock.now() - answeredAt });
	const remaining = settled.balance.availableCredits;
	// Under a key the account has it without the address, and it may be that of another repeat, which was faster.
	const { answer = { result, requestId, charged: settled.charged, remaining } } = settled;
	return { answer: answerTo(address, answer), replayed: answer.requestId !== requestId };
}

function noteOutcome(metrics: Metrics, { details }: VerificationResult): void {
	const {
		gateway,
		smtp_provider: smtpProvider,
		mx_record: mxRecord,
		implicit_mx: implicitMx,
	} = details.mail_server;
	metrics.note('outcome', {
		operator: operatorOf({ gateway, smtpProvider, mxRecord, implicitMx }),
		subStatus: details.sub_status,
		stage: details.general.validation_method,
		class: 'single',
		count: 1,
	});
}
