import type { Address } from './core/address/parse-address.ts';
import type { PartQueue } from './core/jobs/kinds/kinds.ts';
import type { SigningSecret } from './core/keys/api-key.ts';
import type { Metrics } from './core/metrics/metrics.ts';
import type { EndpointRules } from './core/webhooks/endpoint-url.ts';
import type { Config } from './config.ts';
import type { describeDomains } from './engine/describe-domains.ts';
import type { examineAddress, examineAddresses } from './engine/examine.ts';
import type { lookUpMail } from './engine/look-up-mail.ts';
import type { JobBlobs } from './operations/jobs/job-blobs-port.ts';
import type { JobRecord, OpenJobRequest, PartMessage } from './operations/jobs/port.ts';
import type { Digests } from './core/outcomes/outcome.ts';
import type { PaymentServices } from './operations/payments/port.ts';
import type { DevelopmentMailbox, IdentityServices } from './operations/people/port.ts';
import type { ProberClient } from './net/prober-client.ts';
import type { OptOuts } from './storage/opt-outs.ts';
import type { OneAtATime } from './lib/slots.ts';
import type { R2UploadBlobs } from './storage/uploads.ts';

/** A function of the engine after compose.ts gave it its ports and settings. */
type Wired<Work> = Work extends (ports: never, settings: never, ...rest: infer Rest) => infer Answer
	? (...rest: Rest) => Answer
	: never;

/**
 * Everything that the ways in (HTTP, dashboard, queues, cron) may use; made by compose.ts. An operation names what it
 * takes of it: `Pick<Services, 'clock' | 'accounts'>`.
 */
export interface Services extends IdentityServices, PaymentServices {
	readonly config: Config;
	readonly metrics: Metrics;
	/** The services for the work of an account: those of a test key call no mail server. */
	readonly forAccount: (accountId: string) => Services;

	// Verifications.
	/** Examines an address. */
	readonly examine: Wired<typeof examineAddress>;
	/** Examines addresses of one domain, in their order; null: not reached in time. */
	readonly examineAddresses: Wired<typeof examineAddresses>;
	/** Describes domains by DNS, lists and memory, in their order. */
	readonly describeDomains: Wired<typeof describeDomains>;
	/** Looks up the domain's mail in DNS; `quick`: its route alone. */
	readonly lookUpMail: Wired<typeof lookUpMail>;
	/** Throws where there is no way out to mail servers: a job that can't be worked on is not begun. */
	readonly requireProber: () => void;
	readonly probers: Pick<ProberClient, 'states' | 'askers'>;
	readonly optOuts: Pick<OptOuts, 'list' | 'add' | 'remove'>;
	/** The digests that stand for an address where the address must not be kept. */
	readonly digestsOf: (accountId: string, address: Pick<Address, 'localPart' | 'domain'>) => Digests;

	// Lists.
	readonly jobBlobs: JobBlobs;
	readonly uploadBlobs: Pick<R2UploadBlobs, keyof R2UploadBlobs>;
	/** Runs the reading of whole files, which takes as much CPU time as some hundred calls, one file at a time. */
	readonly fileWork: Pick<OneAtATime, 'run'>;
	readonly jobTiming: OpenJobRequest['timing'];
	/** The timing that the addresses of a test key ask for; left out: none. May throw. */
	readonly termsOf?: (addresses: readonly string[]) => OpenJobRequest['timing'];
	readonly sendParts: (queue: PartQueue, messages: readonly PartMessage[]) => Promise<void>;
	/** Tells the operators' listing of a job, after the response: nothing waits for the database. */
	readonly listJob: (accountId: string, job: JobRecord) => Promise<void>;

	// Accounts.
	/** The first secret signs; all are accepted when verifying. */
	readonly signingSecrets: readonly SigningSecret[];
	/** The secret that signs keys and webhooks; null: not configured. */
	readonly signing: SigningSecret | null;
	/** The operator who acts, by name; outside the operators' API, the service itself. */
	readonly actor: string;
	/** False where objects have no point-in-time recovery, as on a developer's machine. */
	readonly hasRecovery: boolean;
	/** Whether people may not sign up with an address of a disposable domain. */
	readonly refusesDisposable: boolean;
	readonly endpointRules: EndpointRules;

	/** Null in production. */
	readonly developmentMailbox: DevelopmentMailbox | null;
	/** Deletes sessions, codes and throttles that have ended. */
	readonly sweepIdentity: () => Promise<void>;
	/** Measures how the probers are. */
	readonly noteProbers: () => Promise<void>;
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
