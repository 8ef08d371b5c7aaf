import { checkAccount } from './check.ts';
import type { AccountContext } from './context.ts';
import { admitRequest, setLimits } from './credits/admission.ts';
import { grantCredits } from './credits/grants.ts';
import { listLedger } from './credits/ledger.ts';
import { settleReservation } from './credits/settle.ts';
import { findRemembered, listForms } from './idempotency.ts';
import { endDamaged } from './jobs/end-all.ts';
import * as claims from './jobs/claims.ts';
import * as jobs from './jobs/jobs.ts';
import { findJob } from './jobs/record.ts';
import { createKey, renameKey, revokeKey, showAccount, showKeys, usageSince } from './keys.ts';
import { closeAccount, openAccount, suspend } from './lifetime.ts';
import { findOutcomes, recordOutcomes } from './outcomes.ts';
import { callbackSecret, renewCallbackSecret } from './tell/callbacks.ts';
import * as webhooks from './tell/endpoints.ts';

/** The calls of an account by the names of their RPC methods. Each is one transaction: all of it or nothing. */
export const CALLS = {
	open: openAccount,
	suspend,
	close: closeAccount,
	show: showAccount,
	check: checkAccount,

	keys: showKeys,
	createKey,
	renameKey,
	revokeKey,
	usageSince,

	admit: admitRequest,
	settle: settleReservation,
	/** A form of the Verify page; null: there is none, or its time is over. */
	findForm: ({ sql }: AccountContext, form: { key: string; now: number }) =>
		findRemembered(sql, form.key, form.now),
	listForms,
	grant: grantCredits,
	setLimits,
	listLedger,

	openJob: jobs.openJob,
	findJob,
	findAnswer: jobs.findAnswer,
	listJobs: jobs.listJobs,
	tasksOf: jobs.tasksOf,
	claimPart: claims.claimPart,
	renewPart: claims.renewPart,
	settlePart: claims.settlePart,
	postponePart: claims.postponePart,
	finishJob: jobs.finishJob,
	attemptsOf: jobs.attemptsOf,
	newestPart: claims.newestPart,
	deleteResults: jobs.deleteResults,
	completeJob: jobs.completeJob,
	failJob: jobs.failJob,
	endDamaged,
	inspectJob: jobs.inspectJob,
	retryJob: jobs.retryJob,
	renameJob: jobs.renameJob,
	setMailWhenDone: jobs.setMailWhenDone,

	findOutcomes,
	recordOutcomes,

	addWebhook: webhooks.addWebhook,
	listWebhooks: webhooks.listWebhooks,
	changeWebhook: webhooks.changeWebhook,
	removeWebhook: webhooks.removeWebhook,
	rotateSecret: webhooks.rotateSecret,
	testWebhook: webhooks.testWebhook,
	listDeliveries: webhooks.listDeliveries,
	replayDelivery: webhooks.replayDelivery,
	callbackSecret,
	renewCallbackSecret,
	setCreditsLow: webhooks.setCreditsLow,
	creditsLow: webhooks.creditsLow,
} as const;

/** The same as methods of the object. */
export type Calls = {
	readonly [K in keyof typeof CALLS]: (typeof CALLS)[K] extends (
		account: AccountContext,
		...request: infer R
	) => infer Answer
		? (...request: R) => Promise<Answer>
		: never;
};
