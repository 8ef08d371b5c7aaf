import type { Payer } from '../../core/turns/who.ts';
import { isFreeAnswer } from '../../core/credits/free-answers.ts';
import { operatorOf } from '../../core/metrics/metrics.ts';
import type { Metrics } from '../../core/metrics/metrics.ts';
import { decidedBy, renderResult } from '../../core/verification/render.ts';
import type { VerificationResult } from '../../core/verification/render.ts';
import { SUB_STATUSES } from '../../core/verification/sub-status.ts';
import type { Examined } from '../../engine/case.ts';
import type { Address } from '../../core/address/parse-address.ts';
import type { Evidence } from '../../core/verification/evidence.ts';
import { Trail } from '../../core/verification/trail.ts';
import type { KeptOutcome } from '../../core/outcomes/outcome.ts';
import type { AccountRef } from '../accounts/port.ts';
import { AT_WORK_MS } from './port.ts';
import { failCall, replay, settleCall } from './settle-call.ts';
import type { AdmittedCall, SettledCall, SettleServices } from './settle-call.ts';
import type { LookedUpMail } from '../../engine/look-up-mail.ts';
import type { Clock } from '../../engine/ports.ts';
import { listFacts } from '../../engine/refusal.ts';
import type { Services } from '../../services.ts';

export type VerifyServices = Pick<Services, 'clock' | 'examine'>;
export type VerifyAddressServices = VerifyServices & SettleServices & Pick<Services, 'metrics'>;

export interface VerifyAddressRequest extends AdmittedCall {
	readonly address: Address;
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
	/** The text that opens the kept answer. Left out: the address, which a repeated call brings. */
	readonly opensBy?: string;
	/** When the caller has to have an answer, counted from the call; null or left out: it waits. */
	readonly timeoutMs?: number | null;
}

export interface VerifiedAddress extends SettledCall<Examined> {
	/** Resolves when the question that went on has its end; never rejects. Left out: none went on. */
	readonly afterwards?: Promise<void>;
}

/**
 * Verifies one address against a reservation. A definite answer is charged, an `unknown` refunded, and after a failure
 * of ours the credit is released. A crash leaves a reservation that the account releases by itself.
 *
 * A caller whose time is up hears `timeout`, for nothing, and the question goes on. The prober keeps its end for the next
 * call about the address, which pays as usual.
 */
export async function verifyAddress(
	services: VerifyAddressServices,
	account: AccountRef,
	request: VerifyAddressRequest,
): Promise<VerifiedAddress> {
	const { clock, metrics } = services;
	const { address, mail, outcome, mayAsk = true, quick = false, payer, explain = false } = request;
	const { answered = null, timeoutMs = null, calledAt, opensBy = address.email } = request;
	if (answered !== null) return replay(services, opensBy, answered);
	const deadline = timeoutMs === null ? null : calledAt + timeoutMs;
	const trail = new Trail(() => clock.now());
	const examining = services.examine(address, account.accountId, {
		mail,
		ownOutcomeOf: () => outcome?.kind ?? null,
		mayAsk,
		quick,
		// Also where the question may go on: the call that gets its end may want the steps.
		explain: explain || deadline !== null,
		...payer,
		...(deadline === null ? {} : { paysUntil: deadline }),
		trail,
	});
	/** `recipients`: how many were asked about by now. Also a question without a conversation costs something. */
	const settle = async (found: Examined, recipients: number): Promise<SettledCall<Examined>> => {
		const { status, details } = found.result;
		// A quick check that proves nothing is one, too, for its look-ups.
		const isFree = isFreeAnswer(details.sub_status) || (quick && details.sub_status === 'not_asked');
		const by = { opener: opensBy, found, outcome: status, free: isFree ? Math.max(1, recipients) : 0 };
		const answeredAt = clock.now();
		const settled = await settleCall(services, account, request, by);
		metrics.note('settle_lag', { class: 'single', ms: clock.now() - answeredAt });
		return settled;
	};
	let examined: Examined | null;
	try {
		examined = await byThen(clock, examining, deadline);
	} catch (error) {
		await failCall(services, account, request);
		throw error;
	}
	if (examined !== null) {
		noteOutcome(metrics, examined.result);
		const evidence = explain ? { evidence: trail.evidence() } : {};
		return settle({ ...examined, result: { ...examined.result, ...evidence } }, trail.recipients);
	}
	// The work is under way, and a failure must not go unheard while the account settles.
	const afterwards = examining.then(
		({ result }) => noteOutcome(metrics, result),
		() => {},
	);
	const early = { result: tooEarly(request, trail, clock.now()), breakdown: null };
	const recipients = quick ? 1 : Math.max(trail.recipients, GOES_ON_RECIPIENTS);
	return { ...(await settle(early, recipients)), afterwards };
}

// A question that goes on takes its target and an invented recipient.
const GOES_ON_RECIPIENTS = 2;

/** The answer for a caller whose time is up before the examination ends. */
function tooEarly(
	{ address, calledAt, quick = false, timeoutMs, explain = false }: VerifyAddressRequest,
	trail: Trail,
	now: number,
): VerificationResult {
	const seconds = (timeoutMs ?? 0) / 1000;
	const outcome = quick
		? // The quick check waits for name servers alone.
			decidedBy('dns', 'dns_error')
		: {
				...decidedBy('smtp', 'timeout'),
				note: `${SUB_STATUSES.timeout.reason}: it did not answer within the ${seconds} s of this call, and we go on asking`,
				retryAfterSeconds: Math.max(1, Math.ceil((calledAt + AT_WORK_MS - now) / 1000)),
			};
	const result = renderResult(address, listFacts(address), { ...outcome, ...trail.server }, now);
	if (!explain) return result;
	// This answer is free. The next call pays for what the mail server said, and what we made of it.
	const evidence = trail.evidence(calledAt).filter(({ step }) => !TOLD_BY_ANSWER.has(step));
	return { ...result, evidence };
}

const TOLD_BY_ANSWER: ReadonlySet<Evidence['step']> = new Set(['rcpt', 'rule', 'score']);

function noteOutcome(metrics: Metrics, { details }: VerificationResult): void {
	metrics.note('outcome', {
		operator: operatorOf(details.mail_server),
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
