import type { Accounts } from './operations/accounts/object-port.ts';
import type { Config } from './config.ts';
import type { DownloadResultsServices } from './operations/jobs/download-results.ts';
import type { JudgePorts } from './engine/judge-catch-all.ts';
import type { DevelopmentMailbox, IdentityServices } from './operations/people/port.ts';
import type { Metrics } from './core/metrics/metrics.ts';
import type { CheckDomainServices } from './operations/people/sign-up.ts';
import type { Address } from './core/address/parse-address.ts';
import type { LookedUpMail } from './engine/look-up-mail.ts';
import type { JobBlobs, KeptJobs } from './operations/jobs/job-blobs-port.ts';
import type { AuditServices } from './operations/audit/steps/audit-step.ts';
import type { ExportOutcomesServices, RecordOutcomesServices } from './operations/outcomes/outcomes.ts';
import type { RestoreServices } from './operations/accounts/restore-account.ts';
import type { PaymentServices } from './operations/payments/port.ts';
import type { OptOutServices } from './operations/opt-outs/opt-outs.ts';
import type { ShowProbersServices } from './operations/probers/probers.ts';
import type { StartUploadServices } from './operations/uploads/start-upload.ts';
import type { VerifiedAddresses } from './operations/verify/history-port.ts';
import type { UploadBlobs } from './operations/uploads/port.ts';
import type { VerifyServices } from './operations/verify/verify-address.ts';
import type { VerifyPartServices } from './operations/jobs/verify-part.ts';
import type { WebhookServices } from './operations/webhooks/webhooks.ts';

/** Everything that the ways in (HTTP, dashboard, queues, cron) may use; made by compose.ts. */
export interface Services
	extends
		RestoreServices,
		IdentityServices,
		CheckDomainServices,
		VerifyServices,
		StartUploadServices,
		DownloadResultsServices,
		VerifyPartServices,
		RecordOutcomesServices,
		ExportOutcomesServices,
		ShowProbersServices,
		OptOutServices,
		WebhookServices,
		Omit<AuditServices, 'directory' | 'accounts' | 'accountRegister' | 'auditedListing' | 'clock'>,
		PaymentServices,
		JudgePorts {
	/** Looks up the mail of the address's domain in DNS. */
	readonly lookUpMail: (address: Address, options: { readonly quick: boolean }) => Promise<LookedUpMail>;
	readonly auditedListing: AuditServices['auditedListing'];
	readonly jobBlobs: JobBlobs;
	readonly uploadBlobs: UploadBlobs;
	readonly verifiedAddresses: VerifiedAddresses;
	readonly keptJobs: KeptJobs;
	readonly config: Config;
	readonly metrics: Metrics;
	readonly accounts: Accounts;
	readonly newId: (prefix: string) => string;
	/** The services for the work of an account: those of a test key call no mail server. */
	readonly forAccount: (accountId: string) => Services;
	/** Null in production. */
	readonly developmentMailbox: DevelopmentMailbox | null;
	/** Deletes sessions, links and throttles that have ended. */
	readonly sweepIdentity: () => Promise<void>;
	/** Loads a fresh list of disposable domains, if a source is configured. */
	readonly refreshLists: () => Promise<void>;
	/** Measures how the probers are. */
	readonly noteProbers: () => Promise<void>;
	/** Removes uploads that were not started. */
	readonly removeStaleUploads: () => Promise<void>;
	/** Removes addresses of verifications that no account may show any more. */
	readonly removeStaleAddresses: () => Promise<void>;
	/** Asks about payments whose events have not reached us. */
	readonly settlePurchases: () => Promise<void>;
	/** Removes stored blobs of jobs that no account knows. */
	readonly removeOrphans: () => Promise<void>;
	/** Audits some of the accounts, and counts what is off. */
	readonly auditSome: () => Promise<void>;
	/** At most ten seconds old. */
	readonly health: () => Promise<Health>;
}

/** The problems of each part of the service, in words without secrets; empty where all is well. */
export interface Health {
	readonly keys: readonly string[];
	readonly database: readonly string[];
	/** The accounts' objects. */
	readonly accounts: readonly string[];
	/** The bucket. */
	readonly files: readonly string[];
	readonly queues: readonly string[];
	/** The machines that ask mail servers. */
	readonly probers: readonly string[];
}
