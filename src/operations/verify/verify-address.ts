import { isFreeAnswer } from '../../core/credits/free-answers.ts';
import { operatorOf } from '../../core/metrics/operator-of.ts';
import type { Metrics } from '../../core/metrics/port.ts';
import type { VerificationResult } from '../../core/verification/result.ts';
import type { Examined } from '../../engine/examined.ts';
import type { Address } from '../../core/address/parse-address.ts';
import type { Trace } from '../../core/verification/trace.ts';
import type { Asker } from '../../core/politeness/mail-host.ts';
import { ownOutcomeAt } from '../../core/outcomes/own-outcome.ts';
import { withoutAddress } from '../../core/verification/without-address.ts';
import type { KeptOutcome, Outcomes } from '../outcomes/port.ts';
import { noteScores } from '../outcomes/steps/note-scores.ts';
import type { DigestsOf } from '../outcomes/steps/own-outcomes.ts';
import type { AccountRef } from '../accounts/port.ts';
import type { Admissions, ReservationRef, Settled } from './port.ts';
import type { ExamineOptions } from '../../engine/examine-address.ts';
import { keptAnswer } from './steps/shown-verification.ts';
import type { LookedUpMail } from '../../engine/look-up-mail.ts';
import type { Clock } from '../../engine/ports.ts';

export interface VerifyServices {
	readonly clock: Clock;
	readonly examine: (address: Address, asker: Asker, options?: ExamineOptions) => Promise<Examined>;
}

export interface VerifyAddressServices extends VerifyServices {
	readonly accounts: (accountId: string) => Pick<Admissions & Outcomes, 'settle' | 'noteScores'>;
	readonly digestsOf: DigestsOf;
	readonly metrics: Metrics;
}

export interface VerifyAddressRequest {
	readonly reservation: ReservationRef;
	readonly address: Address;
	/** What was looked up while the account was asked; null: nothing. */
	readonly mail: Promise<LookedUpMail> | null;
	/** What the account keeps of its own last message to the address; null: nothing. */
	readonly outcome: KeptOutcome | null;
	/** False: too many of the account's answers were free today. */
	readonly mayAsk?: boolean;
	/** The answer is kept in the account's history, which the reservation began. */
	readonly isKept?: boolean;
	/** Takes each step as it happens. */
	readonly trace?: Trace;
	/** The answer is remembered under the key, without the address. Left out: it is not. */
	readonly remember?: { readonly key: string; readonly requestId: string };
}

/**
 * Verifies one address against a reservation. A definite answer is charged, an `unknown` refunded, and after a failure
 * of ours the credit is released. A crash leaves a reservation that the account releases by itself.
 */
export async function verifyAddress(
	services: VerifyAddressServices,
	account: AccountRef,
	request: VerifyAddressRequest,
): Promise<Examined & { settled: Settled }> {
	const { accountId } = account;
	const { reservation, address, mail, outcome, mayAsk = true, remember, isKept = false, trace } = request;
	const ownOutcome = outcome === null ? null : ownOutcomeAt(outcome, services.clock.now());
	const till = services.accounts(accountId);
	let examined: Examined;
	try {
		const traced = trace === undefined ? {} : { trace };
		examined = await services.examine(address, accountId, { mail, ownOutcome, mayAsk, ...traced });
	} catch (error) {
		const kept = isKept ? { keep: null } : {};
		await till.settle({ reservation, outcome: 'failed', now: services.clock.now(), ...kept });
		throw error;
	}
	const { result, countedPoints: points = null } = examined;
	const settling = {
		reservation,
		outcome: result.status,
		isFree: isFreeAnswer(result.details.sub_status),
		now: services.clock.now(),
		...(isKept ? { keep: keptAnswer(examined, address) } : {}),
		...(remember === undefined ? {} : { remember: { ...remember, result: withoutAddress(result) } }),
	};
	const answeredAt = settling.now;
	const [settled] = await Promise.all([
		till.settle(settling),
		noteScores(services, account, points === null ? [] : [{ address, points }]),
	]);
	noteOutcome(services.metrics, result);
	services.metrics.note('settle_lag', { class: 'single', ms: services.clock.now() - answeredAt });
	return { ...examined, settled };
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
