import type { Payer } from '../../core/turns/who.ts';
import type { AccountPort } from '../accounts/object-port.ts';
import { isFreeAnswer } from '../../core/credits/free-answers.ts';
import { operatorOf } from '../../core/metrics/metrics.ts';
import type { Metrics } from '../../core/metrics/metrics.ts';
import { withoutAddress, withAddress } from '../../core/verification/render.ts';
import type { VerificationResult } from '../../core/verification/render.ts';
import type { Examined } from '../../engine/case.ts';
import type { Address } from '../../core/address/parse-address.ts';
import { describeError, log } from '../../lib/log.ts';
import type { Trace } from '../../core/verification/trace.ts';
import type { Evidence } from '../../core/verification/evidence.ts';
import { evidenceOf } from '../../core/verification/read-evidence.ts';
import type { TimedEvent } from '../../core/verification/read-evidence.ts';
import { ownOutcomeAt } from '../../core/outcomes/outcome.ts';
import type { KeptOutcome } from '../outcomes/port.ts';
import type { AccountRef } from '../accounts/port.ts';
import type {
	EarlierCall,
	Hold,
	KeyedCall,
	LateAnswer,
	RememberedAnswer,
	ReservationRef,
	SettleRequest,
} from './port.ts';
import { timedOut } from '../../engine/timed-out.ts';
import { byThen, secondsToEnd, waitForLate } from './steps/late-answer.ts';
import { keptAnswer } from './history.ts';
import type { LookedUpMail } from '../../engine/look-up-mail.ts';
import type { Clock } from '../../engine/ports.ts';
import { ServiceError } from '../../errors.ts';
import type { Services } from '../../services.ts';
import type { AccountsFor } from '../accounts/object-port.ts';

export type VerifyServices = Pick<Services, 'clock' | 'examine'>;

export interface VerifyAddressServices extends VerifyServices, Pick<Services, 'digestsOf' | 'metrics'> {
	readonly accounts: AccountsFor<'settle' | 'findCall' | 'takeCall' | 'findLate' | 'endLate'>;
}

export interface VerifyAddressRequest {
	readonly reservation: ReservationRef;
	/** As the admission told it; left out: there is nothing to settle. */
	readonly hold?: Hold;
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
	/** The answer is kept in the account's history, which the reservation began. */
	readonly isKept?: boolean;
	/** Takes each step as it happens. */
	readonly trace?: Trace;
	/** The answer is remembered under this key, without the address. Null or left out: it is not. */
	readonly call?: KeyedCall | null;
	/** The earlier call under the key, by which there is no reservation for this one; null or left out: none. */
	readonly earlier?: EarlierCall | null;
	/** When the caller has to have an answer, counted from the reservation; null or left out: it waits. */
	readonly timeoutMs?: number | null;
	/** The state of an earlier question about the address that went on; null or left out: none did. */
	readonly late?: LateAnswer | null;
	/** Credits that are available; only for an answer that costs nothing. */
	readonly remaining?: number;
}

export interface VerifiedAddress {
	readonly answer: RememberedAnswer;
	/** It is the answer to an earlier call. */
	readonly replayed: boolean;
	/** Resolves when the question that went on has its end; never rejects. Left out: none went on. */
	readonly afterwards?: Promise<void>;
}

/**
 * Verifies one address against a reservation. A definite answer is charged, an `unknown` refunded, and after a failure
 * of ours the credit is released. A crash leaves a reservation that the account releases by itself.
 *
 * All calls under an Idempotency-Key have one answer, which is charged once. A repeat waits for the answer of the first,
 * or takes its work over: of two that work side by side, the one that settles first gives the answer of both.
 *
 * A caller whose time is up hears `timeout`, for nothing, and the question goes on. The next call about the address gets
 * its end and pays for it. If the Worker dies, that call asks anew.
 */
export async function verifyAddress(
	services: VerifyAddressServices,
	account: AccountRef,
	request: VerifyAddressRequest,
): Promise<VerifiedAddress> {
	const { clock } = services;
	const { address, call = null, earlier = null, late = null, timeoutMs = null } = request;
	const till = services.accounts(account.accountId);
	const deadline = timeoutMs === null ? null : request.reservation.at + timeoutMs;
	const patience = deadline === null ? {} : { paysUntil: deadline };
	let current: VerifyAddressRequest = { ...request, payer: { ...patience, ...request.payer } };
	if (call !== null && earlier !== null) {
		const found = await waitForEarlier(till, clock, { call, earlier, by: request.reservation.id });
		if ('result' in found) return { answer: answerTo(address, found), replayed: true };
		current = { ...current, ...found, mail: null };
	}
	const digests = services.digestsOf(account.accountId, address);
	const found = late === null ? null : await waitForLate(till, clock, { digests, late, deadline });
	if (found === 'too_early')
		return settleAnswer(services, account, current, { result: tooEarly(services, current, []) });
	if (found !== null) return giveLate(services, account, current, found);
	const steps: Steps = { begunAt: clock.now(), events: [] };
	const examining = examine(services, account, current, steps);
	let examined: Examined | null;
	try {
		examined = await byThen(clock, examining, deadline);
	} catch (error) {
		const { reservation, hold, isKept = false } = current;
		const kept = isKept ? { keep: null } : {};
		await till.settle({ reservation, ...held(hold), outcome: 'failed', now: clock.now(), ...kept });
		throw error;
	}
	if (examined !== null) {
		const { explain = false, isKept = false } = current;
		const answer = explain || isKept ? withEvidence(examined, steps) : examined;
		noteOutcome(services.metrics, examined.result);
		return settleAnswer(services, account, current, answer, { recipients: recipientsOf(steps) });
	}
	const result = tooEarly(services, current, steps.events);
	const recipients = Math.max(recipientsOf(steps), GOES_ON_RECIPIENTS);
	const goesOn = current.quick === true ? {} : { goesOn: digests, recipients };
	// The work is under way, and a failure must not go unheard while the account settles.
	examining.catch(() => {});
	const answered = await settleAnswer(services, account, current, { result }, goesOn);
	return { ...answered, afterwards: endQuestion(services, account, current, examining, steps) };
}

// A question that goes on takes its target and an invented recipient.
const GOES_ON_RECIPIENTS = 2;

/** The recipients that were asked about by now, at least one: also a question without a conversation costs something. */
function recipientsOf({ events }: Steps): number {
	const recipients = events.map(({ event }) => (event.step === 'asked' ? event.recipients : 0));
	return Math.max(
		1,
		recipients.reduce((sum, each) => sum + each, 0),
	);
}

/** The steps of an examination. */
interface Steps {
	/** Epoch milliseconds. */
	readonly begunAt: number;
	readonly events: TimedEvent[];
}

/** Examines the address, and collects the steps. */
function examine(
	{ clock, examine: examineAddress }: VerifyServices,
	{ accountId }: AccountRef,
	request: VerifyAddressRequest,
	{ begunAt, events }: Steps,
): Promise<Examined> {
	const { address, mail, outcome, mayAsk = true, quick = false, payer, trace } = request;
	const { explain = false, isKept = false, timeoutMs = null } = request;
	return examineAddress(address, accountId, {
		mail,
		ownOutcomeOf: () => (outcome === null ? null : ownOutcomeAt(outcome, begunAt)),
		mayAsk,
		quick,
		// Also where the question may go on: the call that gets its end may want the steps.
		explain: explain || isKept || timeoutMs !== null,
		...payer,
		trace: (event) => {
			events.push({ event, at: clock.now() });
			trace?.(event);
		},
	});
}

function withEvidence(examined: Examined, { begunAt, events }: Steps): Examined {
	return { ...examined, result: { ...examined.result, evidence: evidenceOf(events, begunAt) } };
}

/** The answer for a caller whose time is up. */
function tooEarly(
	{ clock }: Pick<VerifyServices, 'clock'>,
	{ address, reservation, late, quick = false, timeoutMs, explain = false }: VerifyAddressRequest,
	events: readonly TimedEvent[],
): VerificationResult {
	const now = clock.now();
	const begunAt = late?.kind === 'under_way' ? late.at : reservation.at;
	const retryAfterSeconds = secondsToEnd(begunAt, now);
	const about = { quick, timeoutMs: timeoutMs ?? 0, retryAfterSeconds, now };
	const result = timedOut(address, events, about);
	if (!explain) return result;
	// This answer is free. The next call pays for what the mail server said, and what we made of it.
	const evidence = evidenceOf(events, reservation.at).filter(({ step }) => !TOLD_BY_ANSWER.has(step));
	return { ...result, evidence };
}

const TOLD_BY_ANSWER: ReadonlySet<Evidence['step']> = new Set(['rcpt', 'rule', 'score']);

/** Stores the end of a question whose caller was answered before. If it failed, the next call asks anew. */
async function endQuestion(
	services: VerifyAddressServices,
	account: AccountRef,
	{ address, reservation, quick = false }: VerifyAddressRequest,
	examining: Promise<Examined>,
	steps: Steps,
): Promise<void> {
	const examined = await examining.catch(() => null);
	if (examined !== null) noteOutcome(services.metrics, examined.result);
	if (quick) return;
	try {
		await services.accounts(account.accountId).endLate({
			digests: services.digestsOf(account.accountId, address),
			reservationId: reservation.id,
			// The later call may want the steps.
			result: examined === null ? null : withoutAddress(withEvidence(examined, steps).result),
			now: services.clock.now(),
		});
	} catch (error) {
		// The next call waits as for a Worker that died, and asks anew.
		log('late_answer_lost', { account: account.accountId, ...describeError(error) }, 'warn');
	}
}

/** Gives the end of an earlier question, which is charged once. */
async function giveLate(
	services: VerifyAddressServices,
	account: AccountRef,
	request: VerifyAddressRequest,
	{ result: kept, isPaid }: Extract<LateAnswer, { kind: 'answered' }>,
): Promise<VerifiedAddress> {
	const { address, requestId, late, call = null, remaining = 0 } = request;
	const result = withAddress(kept, address);
	// Nothing was reserved for an answer that was paid when the call came.
	const wasPaid = isPaid && late?.kind === 'answered' && call === null;
	if (wasPaid)
		return { answer: { result: shown(result, request), requestId, charged: 0, remaining }, replayed: false };
	const digests = services.digestsOf(account.accountId, address);
	return settleAnswer(services, account, request, { result }, { late: digests });
}

/** The result as the caller gets it. */
function shown(
	{ evidence, ...result }: VerificationResult,
	{ explain = false }: Pick<VerifyAddressRequest, 'explain'>,
): VerificationResult {
	return explain && evidence !== undefined ? { ...result, evidence } : result;
}

/** Settles the reservation by the answer. An answer that was free is counted, unless its question was counted before. */
async function settleAnswer(
	services: VerifyAddressServices,
	account: AccountRef,
	request: VerifyAddressRequest,
	examined: Pick<Examined, 'result'> & Partial<Examined>,
	{
		recipients = 1,
		...about
	}: Pick<SettleRequest, 'goesOn' | 'late'> & { readonly recipients?: number } = {},
): Promise<VerifiedAddress> {
	const { clock, metrics } = services;
	const { address, reservation, hold, requestId, quick = false, isKept = false, call = null } = request;
	const result = shown(examined.result, request);
	const { sub_status: subStatus } = result.details;
	const answeredAt = clock.now();
	// A quick check that proves nothing is one, too, for its look-ups.
	const isFree =
		about.late === undefined && (isFreeAnswer(subStatus) || (quick && subStatus === 'not_asked'));
	const settled = await services.accounts(account.accountId).settle({
		reservation,
		...held(hold),
		outcome: result.status,
		free: isFree ? recipients : 0,
		now: answeredAt,
		...about,
		...(isKept ? { keep: keptAnswer({ breakdown: null, ...examined }) } : {}),
		...(call === null ? {} : { remember: { key: call.key, requestId, result: withoutAddress(result) } }),
	});
	metrics.note('settle_lag', { class: 'single', ms: clock.now() - answeredAt });
	const remaining = settled.balance.availableCredits;
	// Under a key the account has it without the address, and it may be that of another repeat, which was faster.
	const { answer = { result, requestId, charged: settled.charged, remaining } } = settled;
	return { answer: answerTo(address, answer), replayed: answer.requestId !== requestId };
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
