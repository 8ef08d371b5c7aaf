import type { Address } from '../../core/address/parse-address.ts';
import type { Breakdown } from '../../core/catchall/breakdown.ts';
import { isFreeAnswer } from '../../core/credits/free-answers.ts';
import { PRICE, priceOfDomains } from '../../core/credits/price.ts';
import { operatorOf } from '../../core/metrics/metrics.ts';
import type { Metrics } from '../../core/metrics/metrics.ts';
import type { Evidence } from '../../core/verification/evidence.ts';
import { decidedBy, listFacts, renderResult } from '../../core/verification/render.ts';
import type { VerificationResult } from '../../core/verification/render.ts';
import { SUB_STATUSES } from '../../core/verification/sub-status.ts';
import { Trail } from '../../core/verification/trail.ts';
import { ALONE } from '../../engine/case.ts';
import type { How } from '../../engine/case.ts';
import type { DomainReport } from '../../engine/describe-domains.ts';
import type { Conclusion } from '../../engine/examine.ts';
import { errorOf } from '../../errors.ts';
import { assert } from '../../lib/assert.ts';
import { sha256Hex } from '../../lib/digest.ts';
import { networkOf } from '../../lib/ip-address.ts';
import { secondsToNextDay, within } from '../../lib/time.ts';
import type { Services } from '../../services.ts';
import type { AccountRef, AccountsFor } from '../accounts/port.ts';
import { throttle } from '../people/steps/throttle.ts';
import type { Throttled } from '../people/steps/throttle.ts';
import { answerCall, openAnswer } from './answer-call.ts';
import type { AdmittedCall, AnswerServices, Paid, SettledCall } from './answer-call.ts';
import { AT_WORK_MS, BY_DASHBOARD } from './port.ts';
import type { Admission, Admitted, KeptAnswer, Remembered } from './port.ts';

export type VerifyAddressServices = AnswerServices & Pick<Services, 'examineAddresses' | 'metrics' | 'later'>;

export interface VerifyAddressRequest
	extends AdmittedCall, Pick<Admitted, 'outcome' | 'payer'>, Pick<How, 'mail' | 'quick' | 'explain'> {
	readonly address: Address;
	/** The text that opens the kept answer. Left out: the address, which a repeated call brings. */
	readonly opensBy?: string;
	/** When the caller has to have an answer, counted from the call; null or left out: it waits. */
	readonly timeoutMs?: number | null;
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
): Promise<SettledCall<Examined>> {
	const { clock, metrics, later } = services;
	const { address, outcome, payer, quick = false, explain = false } = request;
	const { timeoutMs = null, calledAt, opensBy = address.email } = request;
	const deadline = timeoutMs === null ? null : calledAt + timeoutMs;
	let answeredAt = null as number | null;
	const settled = await answerCall(services, account, request, opensBy, async () => {
		const trail = new Trail(() => clock.now());
		const examining = services
			.examineAddresses([address], {
				...ALONE,
				asker: account.accountId,
				mail: request.mail ?? null,
				ownOutcomeOf: () => outcome?.kind ?? null,
				mayAsk: request.mayAsk ?? true,
				quick,
				// Also where the question may go on: the call that gets its end may want the steps.
				explain: explain || deadline !== null,
				...payer,
				...(deadline === null ? {} : { paysUntil: deadline }),
				trail,
			})
			.then((found) => examinedOf(address, found, clock.now()));
		const examined: Examined | null =
			deadline === null ? await examining : await within(examining, deadline - clock.now(), clock);
		const isLate = examined === null;
		// The work is under way, and a failure must not go unheard while the account settles.
		const noted = examining.then(
			({ result }) => noteOutcome(metrics, result),
			() => {},
		);
		if (isLate) later(() => noted);
		const result = examined?.result ?? tooEarly(request, trail, clock.now());
		const explained = explain && !isLate ? { ...result, evidence: trail.evidence() } : result;
		const { status, details } = result;
		// A quick check that proves nothing is one, too, for its look-ups.
		const isFree = isFreeAnswer(details.sub_status) || (quick && details.sub_status === 'not_asked');
		// Also a question without a conversation costs something, and one that goes on takes its target and an invented recipient.
		const free = isFree ? Math.max(isLate && !quick ? 2 : 1, trail.recipients) : 0;
		answeredAt = clock.now();
		return { found: { breakdown: null, ...examined, result: explained }, outcome: status, free };
	});
	if (answeredAt !== null) metrics.note('settle_lag', { class: 'single', ms: clock.now() - answeredAt });
	return settled;
}

/** The result for an address; on a catch-all domain, also the breakdown of its score. */
export interface Examined extends Pick<Conclusion, 'answeredBy'> {
	readonly result: VerificationResult;
	readonly breakdown: Breakdown | null;
}

/** The findings about an address alone, as its caller gets them at `now` (epoch ms). */
export function examinedOf(
	address: Address,
	[found = null]: readonly (Conclusion | null)[],
	now: number,
): Examined {
	assert(found !== null, 'an address alone has findings');
	const { lists, outcome, judgement, answeredBy } = found;
	const result = renderResult(address, lists, outcome, now);
	return { result, breakdown: judgement?.breakdown ?? null, answeredBy };
}

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

/** Describes domains against a reservation, which is released if DNS answered about none of them. */
export async function describeDomains(
	services: AnswerServices & Pick<Services, 'describeDomains'>,
	account: AccountRef,
	call: AdmittedCall & { readonly names: readonly string[] },
): Promise<SettledCall<{ readonly results: readonly DomainReport[] }>> {
	const { names, mayAsk = true } = call;
	return answerCall(services, account, call, names.join(' '), async () => {
		if (!mayAsk) throw errorOf('rate_limited', { retryAfterSeconds: secondsToNextDay(services.clock.now()) });
		const results = await services.describeDomains(names);
		const isTold = results.some(({ exists }) => exists !== null);
		const free = isTold ? 0 : priceOfDomains(names.length);
		return { found: { results }, outcome: isTold ? 'described' : 'failed', free };
	});
}

// So few that a digest leads to no network: 256 of them share what visitors may ask.
const NETWORK_DIGITS = 2;

/**
 * Verifies an address for an anonymous visitor, free of charge, with a limit per client. A mail server is asked only if
 * lists and the DNS don't decide; that costs us, so it has limits per network and for all together. A refusal says
 * whether it is the visitor's own limit.
 */
export async function tryAddress(
	services: Pick<Services, 'attempts' | 'clock' | 'examineAddresses'>,
	request: { readonly address: Address; readonly client: string },
): Promise<({ readonly kind: 'answered' } & Examined) | (Throttled & { readonly isOwn: boolean })> {
	const { address, client } = request;
	const throttled = await throttle(services, 'try_address', { client });
	if (throttled !== null) return { ...throttled, isOwn: true };
	const examine = async (how: Pick<How, 'quick' | 'owner'>) => {
		const found = await services.examineAddresses([address], { ...ALONE, asker: null, ...how });
		return { kind: 'answered', ...examinedOf(address, found, services.clock.now()) } as const;
	};
	const quick = await examine({ quick: true });
	if (quick.result.status !== 'unknown') return quick;
	const network = networkOf(client);
	const visitor = { client: network, account: 'everybody' };
	const isFirst = (await throttle(services, 'try_mailbox_first', visitor)) === null;
	const costly = isFirst ? null : await throttle(services, 'try_mailbox', visitor);
	if (costly !== null) return { ...costly, isOwn: false };
	return examine({ owner: sha256Hex(network).slice(0, NETWORK_DIGITS) });
}

const ID_LENGTH = 32;
// Apart from all keys of callers, which contain no plain space.
const FORM = 'form ';
/** The text that opens the answer of a page: its reader brings no address along. */
const openerOf = ({ accountId }: AccountRef, id: string): string => `${accountId} ${id}`;

export interface VerifyForOwnerServices extends VerifyAddressServices, Pick<Services, 'digestsOf' | 'newId'> {
	readonly accounts: AccountsFor<'admit' | 'settle'>;
	readonly config: Pick<Services['config'], 'RATE_WINDOW_SECONDS'>;
}

/**
 * Verifies an address for a person who is signed in, in the account's own window: once per form and address, as long as
 * the account keeps the answer. `verified`: it has its answer under `id`, or another Worker is at work on it, since the
 * same form was sent before.
 */
export async function verifyForOwner(
	services: VerifyForOwnerServices,
	account: AccountRef,
	{ address, formId }: { readonly address: Address; readonly formId: string },
): Promise<{ readonly kind: 'verified'; readonly id: string } | Exclude<Admission, Admitted>> {
	const { accountId } = account;
	// A browser may bring back the page of a form that was sent, in which another address is typed: that is another one.
	const id = `ver_${sha256Hex(`${formId} ${address.email}`).slice(0, ID_LENGTH)}`;
	const call = { key: `${FORM}${id}`, fingerprint: id };
	const now = services.clock.now();
	const requestId = services.newId('ver');
	const admission = await services.accounts(accountId).admit({
		...BY_DASHBOARD,
		category: 'default',
		windowMs: services.config.RATE_WINDOW_SECONDS * 1000,
		now,
		reservation: { id: requestId, credits: PRICE.single },
		outcomeOf: services.digestsOf(accountId, address),
		call,
	});
	if (admission.kind !== 'admitted') return admission;
	const { reservation } = admission;
	if (reservation !== undefined) {
		const opensBy = openerOf(account, id);
		const how = { calledAt: now, address, requestId, explain: true, call, opensBy };
		await verifyAddress(services, account, { ...admission, ...how, reservation });
	}
	return { kind: 'verified', id };
}

export interface AnsweredVerification {
	readonly kind: 'answered';
	readonly id: string;
	/** When it was begun, epoch ms. */
	readonly at: number;
	readonly answer: Paid<Examined>;
}

type ReadServices = Pick<Services, 'clock' | 'signingSecrets'>;

/** Null: there is none, or its time is over. `failed`: its Worker died, so nothing was charged. */
export async function findVerification(
	services: ReadServices & { readonly accounts: AccountsFor<'findForm'> },
	account: AccountRef,
	id: string,
): Promise<AnsweredVerification | { readonly kind: 'under_way' | 'failed' } | null> {
	const now = services.clock.now();
	const found = await services.accounts(account.accountId).findForm({ key: `${FORM}${id}`, now });
	if (found === null) return null;
	if (found.answer !== null) return answeredVerification(services, account, found);
	return { kind: (found.busyUntil ?? 0) > now ? 'under_way' : 'failed' };
}

/** A page of the answered verifications, from 0, the newest first. */
export async function listVerifications(
	services: ReadServices & { readonly accounts: AccountsFor<'listForms'> },
	account: AccountRef,
	page: { readonly page: number; readonly pageSize: number },
): Promise<{ readonly verifications: readonly AnsweredVerification[]; readonly total: number }> {
	const now = services.clock.now();
	const { forms, total } = await services.accounts(account.accountId).listForms({ ...page, now });
	const found = await Promise.all(forms.map((form) => answeredVerification(services, account, form)));
	return { verifications: found.filter((one) => one !== null), total };
}

/** Null: it has no answer, or no secret of ours opens it any more. */
async function answeredVerification(
	services: ReadServices,
	account: AccountRef,
	{ key, at, answer }: Remembered,
): Promise<AnsweredVerification | null> {
	if (answer === null) return null;
	const id = key.slice(FORM.length);
	const kept = JSON.parse(answer) as KeptAnswer;
	const opened = await openAnswer<Examined>(services, openerOf(account, id), kept);
	return opened === null ? null : { kind: 'answered', id, at, answer: opened };
}
