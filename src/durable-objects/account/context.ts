import type { PartQueue } from '../../core/jobs/kinds.ts';
import type { JobRecord, ListedJob, PartMessage, WebhookEvent } from '../../operations/jobs/port.ts';
import type { DeliveryReply } from '../../core/webhooks/delivery.ts';
import type { DisabledWebhook, LowBalance, OutgoingDelivery } from '../../operations/webhooks/port.ts';
import type { Sql } from '../sql.ts';
import type { CreditStorage } from './credits/storage.ts';
import type { Outbox } from './tell/outbox.ts';

/** The tables and rooms that the calls of an account work on. Each call is one transaction. */
export interface AccountContext {
	readonly sql: Sql;
	readonly credits: CreditStorage;
	readonly outbox: Outbox;
	/** The body of an event, in the API's form. */
	readonly render: (event: WebhookEvent) => string;
	readonly renderAccepted: Outside['renderAccepted'];
	/** The object's own clock; epoch milliseconds. */
	readonly now: () => number;
	/** Has the alarm ring by then (epoch ms), once the transaction holds. */
	readonly wakeBy: (at: number) => void;
	/** When it will ring, epoch ms; null: none is set. */
	readonly alarmAt: () => number | null;
}

/** The account's alarm calls these ports; wired by `compose.ts`. Tests use their own. */
export interface Outside {
	readonly now: () => number;
	readonly sendParts: (queue: PartQueue, messages: readonly PartMessage[]) => Promise<void>;
	/** Tells the operators' listing of a job. */
	readonly listJob: (accountId: string, job: ListedJob) => Promise<void>;
	/** Deletes all that the bucket holds of a job. */
	readonly deleteBlobs: (jobId: string) => Promise<void>;
	/** The age at which lines of the ledger are deleted. */
	readonly ledgerRetentionMs: () => number;
	/** The body of an event, in the API's form. `test`: it is of the account of test keys. */
	readonly renderEvent: (event: WebhookEvent, test: boolean) => string;
	/** The body of the 202 that tells of a new job or task. `previousTaskId`: the last task made from the job before. */
	readonly renderAccepted: (
		job: JobRecord,
		about: { readonly requestId: string; readonly previousTaskId: string | null },
	) => string;
	/** Sends an event to an endpoint. */
	readonly deliver: (delivery: OutgoingDelivery) => Promise<DeliveryReply>;
	/** Tells the account's owner that an endpoint was disabled. */
	readonly tellDisabled: (disabled: DisabledWebhook) => Promise<void>;
	/** Tells the account's owner that a list ended. */
	readonly tellDone: (done: { readonly accountId: string; readonly job: JobRecord }) => Promise<void>;
	/** Tells the account's owner that credits run low. */
	readonly tellCreditsLow: (low: LowBalance) => Promise<void>;
}
