import type { Payer } from '../../core/turns/who.ts';
import { isFreeAnswer } from '../../core/credits/free-answers.ts';
import { operatorOf } from '../../core/metrics/metrics.ts';
import type { Metrics } from '../../core/metrics/metrics.ts';
import type { VerificationResult } from '../../core/verification/render.ts';
import type { Examined } from '../../engine/case.ts';
import type { Address } from '../../core/address/parse-address.ts';
import type { Evidence } from '../../core/verification/evidence.ts';
import { Trail } from '../../core/verification/trail.ts';
import { ownOutcomeAt } from '../../core/outcomes/outcome.ts';
import type { KeptOutcome } from '../outcomes/port.ts';
import type { AccountRef } from '../accounts/port.ts';
import { AT_WORK_MS } from './port.ts';
import type { Hold, KeptAnswer, KeyedCall, ReservationRef, SettleRequest } from './port.ts';
import { openRepeated, sealAnswer } from './remembered.ts';
import { timedOut } from '../../engine/timed-out.ts';
import type { LookedUpMail } from '../../engine/look-up-mail.ts';
import type { Clock } from '../../engine/ports.ts';
import type { Services } from '../../services.ts';
import type { AccountsFor } from '../accounts/object-port.ts';

export type VerifyServices = Pick<Services, 'clock' | 'examine'>;

export interface VerifyAddressServices
	extends VerifyServices, Pick<Services, 'metrics' | 'secureRandom' | 'signing' | 'signingSecrets'> {
	readonly accounts: AccountsFor<'settle'>;
}

export interface VerifyAddressRequest {
	readonly reservation: ReservationRef;
	/** As the admission told it; left out: there is nothing to settle. */
	readonly hold?: Hold;
	/** Epoch ms. The reservation may be that of an earlier call. */
	readonly calledAt: number;
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
	readonly payer?: Payer;
	/** The answer holds the steps that led to it. */
	readonly explain?: boolean;
	/** The answer is kept under this key. Null or left out: it is not. */
	readonly call?: KeyedCall | null;
	/** The text that opens the kept answer. Left out: the address, which a repeated call brings. */
	readonly opensBy?: string;
	/** The answer to an earlier call under the key, by which there is no reservation; null or left out: none. */
	readonly answered?: KeptAnswer | null;
	/** When the caller has to have an answer, counted from the call; null or left out: it waits. */
	readonly timeoutMs?: number | null;
}

/** An answer, and what was charged for it. */
export interface PaidAnswer extends Examined, Omit<KeptAnswer, 'sealed'> {}

export interface VerifiedAddress {
	readonly answer: PaidAnswer;
	/** It is the answer to an earlier call. */
	readonly replayed: boolean;
	/** Resolves when the question that went on has its end; never rejects. Left out: none went on. */
	readonly afterwards?: Promise<void>;
}

/**
 * Verifies one address against a reservation. A definite answer is charged, an `unknown` refunded, and after a failure
 * of ours the credit is released. A crash leaves a reservation that the account releases by itself.
 *
 * All calls under a key have one answer, which is charged once: of two that work on one reservation, the one that settles
 * first gives the answer of both.
 *
 * A caller whose time is up hears `timeout`, for nothing, and the question goes on. The prober keeps its end for the next
 * call about the address, which pays as usual.
 */
export async function verifyAddress(
	services: VerifyAddressServices,
	account: AccountRef,
	request: VerifyAddressRequest,
): Promise<VerifiedAddress> {
	const { clock } = services;
	const { reservation, call = null, answered = null, timeoutMs = null, calledAt } = request;
	const { explain = false, quick = false } = request;
	if (answered !== null) return { answer: await answerOf(services, request, answered), replayed: true };
	const deadline = timeoutMs === null ? null : calledAt + timeoutMs;
	const trail = new Trail(() => clock.now());
	const examining = examine(services, account, { ...request, deadline }, trail);
	let examined: Examined | null;
	try {
		examined = await byThen(clock, examining, deadline);
	} catch (error) {
		await services.accounts(account.accountId).settle({
			reservation,
			...held(request.hold),
			outcome: 'failed',
			now: clock.now(),
			...(call === null ? {} : { call: { key: call.key, answer: null } }),
		});
		throw error;
	}
	if (examined !== null) {
		noteOutcome(services.metrics, examined.result);
		const answer = explain ? withEvidence(examined, trail) : examined;
		return settleAnswer(services, account, request, answer, recipientsOf(trail));
	}
	// The work is under way, and a failure must not go unheard while the account settles.
	const afterwards = examining.then(
		({ result }) => noteOutcome(services.metrics, result),
		() => {},
	);
	const early = { result: tooEarly(services, request, trail), breakdown: null };
	const recipients = quick ? 1 : Math.max(recipientsOf(trail), GOES_ON_RECIPIENTS);
	return { ...(await settleAnswer(services, account, request, early, recipients)), afterwards };
}

// A question that goes on takes its target and an invented recipient.
const GOES_ON_RECIPIENTS = 2;

/** The recipients that were asked about by now, at least one: also a question without a conversation costs something. */
function recipientsOf({ recipients }: Trail): number {
	return Math.max(1, recipients);
}

/** Examines the address, and collects the steps. */
function examine(
	{ examine: examineAddress }: Pick<VerifyServices, 'examine'>,
	{ accountId }: AccountRef,
	request: VerifyAddressRequest & { readonly deadline: number | null },
	trail: Trail,
): Promise<Examined> {
	const { address, mail, outcome, mayAsk = true, quick = false, payer, explain = false, deadline } = request;
	return examineAddress(address, accountId, {
		mail,
		ownOutcomeOf: () => (outcome === null ? null : ownOutcomeAt(outcome, trail.begun)),
		mayAsk,
		quick,
		// Also where the question may go on: the call that gets its end may want the steps.
		explain: explain || deadline !== null,
		...payer,
		...(deadline === null ? {} : { paysUntil: deadline }),
		trail,
	});
}

function withEvidence(examined: Examined, trail: Trail): Examined {
	return { ...examined, result: { ...examined.result, evidence: trail.evidence() } };
}

/** The answer for a caller whose time is up. */
function tooEarly(
	{ clock }: Pick<VerifyServices, 'clock'>,
	{ address, calledAt, quick = false, timeoutMs, explain = false }: VerifyAddressRequest,
	trail: Trail,
): VerificationResult {
	const now = clock.now();
	const retryAfterSeconds = Math.max(1, Math.ceil((calledAt + AT_WORK_MS - now) / 1000));
	const about = { quick, timeoutMs: timeoutMs ?? 0, retryAfterSeconds, now };
	const result = timedOut(address, trail, about);
	if (!explain) return result;
	// This answer is free. The next call pays for what the mail server said, and what we made of it.
	const evidence = trail.evidence(calledAt).filter(({ step }) => !TOLD_BY_ANSWER.has(step));
	return { ...result, evidence };
}

const TOLD_BY_ANSWER: ReadonlySet<Evidence['step']> = new Set(['rcpt', 'rule', 'score']);

/** Settles the reservation by the answer, and keeps it where the call has a key. */
async function settleAnswer(
	services: VerifyAddressServices,
	account: AccountRef,
	request: VerifyAddressRequest,
	examined: Examined,
	recipients: number,
): Promise<VerifiedAddress> {
	const { clock, metrics } = services;
	const { address, reservation, hold, requestId, quick = false, call = null } = request;
	const { result } = examined;
	const { sub_status: subStatus } = result.details;
	// A quick check that proves nothing is one, too, for its look-ups.
	const isFree = isFreeAnswer(subStatus) || (quick && subStatus === 'not_asked');
	const keep =
		call === null
			? null
			: { requestId, sealed: await sealAnswer(services, request.opensBy ?? address.email, examined) };
	const answeredAt = clock.now();
	const { charged, balance, answer } = await services.accounts(account.accountId).settle({
		reservation,
		...held(hold),
		outcome: result.status,
		free: isFree ? recipients : 0,
		now: answeredAt,
		...(call === null ? {} : { call: { key: call.key, answer: keep } }),
	});
	metrics.note('settle_lag', { class: 'single', ms: clock.now() - answeredAt });
	// Another Worker at the same call may have been faster.
	if (answer !== null && answer.requestId !== requestId)
		return { answer: await answerOf(services, request, answer), replayed: true };
	const remaining = balance.availableCredits;
	return { answer: { ...examined, requestId, charged, remaining }, replayed: false };
}

/** The answer that is kept under the key of the call. */
async function answerOf(
	services: VerifyAddressServices,
	{ address, opensBy = address.email }: Pick<VerifyAddressRequest, 'address' | 'opensBy'>,
	{ sealed, ...paid }: KeptAnswer,
): Promise<PaidAnswer> {
	return { ...(await openRepeated<Examined>(services, opensBy, { sealed })), ...paid };
}

function held(hold: Hold | undefined): Pick<SettleRequest, 'hold'> {
	return hold === undefined ? {} : { hold };
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

/** The value, or null if it is not there by then (epoch ms; null: there is time). Late work goes on. */
async function byThen<T>(clock: Clock, work: Promise<T>, deadline: number | null): Promise<T | null> {
	if (deadline === null) return work;
	const timer = new AbortController();
	const tooLate = clock.sleep(Math.max(0, deadline - clock.now()), timer.signal).then(() => null);
	try {
		return await Promise.race([work, tooLate]);
	} finally {
		timer.abort();
	}
}
