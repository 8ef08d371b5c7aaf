import { waitUntil } from 'cloudflare:workers';
import { jobTimingOf, readConfig } from './config.ts';
import type { Config } from './config.ts';
import type { Address } from './core/address/parse-address.ts';
import { isMailProvider } from './core/identity/login-name.ts';
import type { PartQueue } from './core/jobs/kinds.ts';
import type { Metrics } from './core/metrics/metrics.ts';
import { addressDigests } from './core/outcomes/outcome.ts';
import type { EndpointRules } from './core/webhooks/endpoint-url.ts';
import { accountsOf } from './durable-objects/account/client.ts';
import type { DomainPorts } from './engine/domain.ts';
import { describeDomains } from './engine/describe-domains.ts';
import { lookUpMail } from './engine/case.ts';
import type { ExaminePorts, KnownCatchAll } from './engine/case.ts';
import { examineAddresses } from './engine/examine.ts';
import { healthOf } from './health.ts';
import { ExpiringMap, remembered } from './lib/expiring-map.ts';
import { finished, log } from './lib/log.ts';
import { OneAtATime, sendInBatches } from './lib/slots.ts';
import { newId, randomLetters, secureRandom } from './lib/encodings.ts';
import { sleep } from './lib/time.ts';
import type { Clock } from './lib/time.ts';
import { cloudflareMailer } from './net/cloudflare-mailer.ts';
import { dohResolver } from './net/doh-resolver.ts';
import type { DnsMemory, DohResolver } from './net/doh-resolver.ts';
import { ProberClient } from './net/prober-client.ts';
import { webReader } from './net/public-web.ts';
import { STRIPE_API_URL, stripeCheckout } from './net/stripe-checkout.ts';
import { registryReader } from './net/rdap-client.ts';
import { invocationFetch } from './net/invocation-fetch.ts';
import type { ListedJob, OpenJobRequest, PartMessage } from './operations/jobs/port.ts';
import type { Mailer } from './operations/people/port.ts';
import { metricsIn } from './storage/analytics-metrics.ts';
import { jobBlobsOf } from './storage/jobs/blobs.ts';
import { D1Directory } from './storage/accounts/directory.ts';
import { D1Attempts, D1DevelopmentMailbox, D1People, D1Sessions } from './storage/people.ts';
import { OptOuts } from './storage/opt-outs.ts';
import { D1Purchases } from './storage/payments.ts';
import { uploadBlobsOf } from './storage/uploads.ts';

const DNS_ANSWERS_MAX = 5_000;
const SITES_MAX = 5_000;
const CATCH_ALLS_MAX = 20_000;

// Anybody may ask how we are: the stores and the probers are asked this often, not that often.
const HEALTH = { freshMs: 10_000, patienceMs: 10_000 };

export const clock: Clock = {
	now: () => Date.now(),
	sleep,
};

// The isolate's memory: DNS answers are kept for their TTL, facts about domains for a week at most.
const dnsAnswers: DnsMemory = new ExpiringMap(DNS_ANSWERS_MAX);
const sites: DomainPorts['sites'] = new ExpiringMap(SITES_MAX);
const catchAlls = new ExpiringMap<KnownCatchAll>(CATCH_ALLS_MAX);
const fileWork = new OneAtATime(clock);

/**
 * Everything that the ways in (HTTP, dashboard, queues, cron) may use. An operation names what it takes of it:
 * `Pick<Services, 'clock' | 'accounts'>`.
 */
export interface Services extends ReturnType<typeof wire> {
	/** The services for the work of an account: those of a test key call no mail server. */
	readonly forAccount: (accountId: string) => Services;
	/** The timing that the addresses of a test key ask for; left out: none. May throw. */
	readonly termsOf?: (addresses: readonly string[]) => OpenJobRequest['timing'];
}

/** The services of the operations around people. */
export type PeopleServices = Pick<
	Services,
	| 'clock'
	| 'secureRandom'
	| 'newId'
	| 'accounts'
	| 'directory'
	| 'people'
	| 'sessions'
	| 'attempts'
	| 'mailer'
	| 'isProvider'
	| 'trialCredits'
	| 'later'
>;

/** The services of buying credits. */
export type PaymentServices = Pick<Services, 'clock' | 'accounts' | 'purchases' | 'packs' | 'checkout'>;

/** A class by its methods, so that what stands for it in a test needs no more. */
type Methods<Class> = Pick<Class, keyof Class>;

/** Wires the adapters. */
export function wire(env: Env) {
	const config = readConfig(env);
	for (const feature of config.switchedOff) log('feature_off', { feature }, 'warn');
	const { CREDIT_PACKS: packs, STRIPE_SECRET_KEY: key, STRIPE_API_URL: url = STRIPE_API_URL } = config;
	const directory: Methods<D1Directory> = new D1Directory(env.DB);
	const optOuts: Methods<OptOuts> = new OptOuts(env.DB, clock);
	const accounts = accountsOf(env.ACCOUNT, config.JURISDICTION);
	const metrics: Metrics = metricsIn(env.METRICS);
	const prober = new ProberClient(config.PROBERS, clock, invocationFetch, metrics);
	const checkout = key === undefined ? null : stripeCheckout(key, url, { fetcher: invocationFetch, clock });
	return {
		config,
		clock,
		metrics,
		newId: (prefix: string): string => newId(prefix),
		secureRandom: (octets: number): Uint8Array => secureRandom(octets),
		/** Runs work after the response, so that its duration reveals nothing. Errors are logged. */
		later,
		...examinationsOf(config, prober, optOuts),
		probers: prober as Pick<ProberClient, 'states' | 'askers'>,
		/** Throws where there is no way out to mail servers: a job that can't be worked on is not begun. */
		requireProber: (): void => prober.requireOne(),
		optOuts,
		/** The digests that stand for an address where the address must not be kept. */
		digestsOf: (accountId: string, address: Pick<Address, 'localPart' | 'domain'>): readonly string[] =>
			addressDigests(config.KEY_SIGNING_SECRET, accountId, address),

		jobBlobs: jobBlobsOf(env.BLOBS),
		uploadBlobs: uploadBlobsOf(env.BLOBS),
		/** Runs the reading of whole files, which takes as much CPU time as some hundred calls, one file at a time. */
		fileWork: fileWork as Methods<OneAtATime>,
		jobTiming: jobTimingOf(config),
		sendParts: (queue: PartQueue, messages: readonly PartMessage[]): Promise<void> =>
			sendInBatches(env[queue], messages),
		/** Tells the operators' listing of a new job. Where that fails, the account's alarm tells it. */
		listJob: (accountId: string, job: ListedJob): void => later(() => directory.listJob(accountId, job)),

		accounts,
		directory,
		...peopleIn(env, config, metrics),
		...settingsOf(config),
		purchases: new D1Purchases(env.DB) as Methods<D1Purchases>,
		/** The packs on sale, fewest credits first. */
		packs,
		/** Null: nothing can be paid here. */
		checkout,
		/** The problems of each part of the service. At most ten seconds old. */
		health: remembered(clock, HEALTH, () => {
			const queues = [env.VERIFY_QUEUE, env.SMALL_QUEUE, env.CATCHALL_QUEUE];
			const health = healthOf(config, { directory, accounts, bucket: env.BLOBS, queues }, prober);
			// Other requests may wait for the result after the first one was cancelled.
			waitUntil(finished(health));
			return health;
		}),
	};
}

/** The ways to find out about addresses and domains. */
function examinationsOf(config: Config, prober: ProberClient, optOuts: Methods<OptOuts>) {
	const resolver = resolverOf(config);
	const ports = {
		clock,
		prober,
		examineDomain: lookUpsOf(config, resolver),
		resolver,
		randomness: { word: randomLetters },
		catchAlls,
		addressPolicy: config.ALLOW_PRIVATE_MX,
		optOuts,
	};
	const settings = { budgetMs: config.VERIFY_BUDGET_MS };
	return {
		/** Examines addresses of one domain, in their order; null: not reached in time. */
		examineAddresses: examineAddresses.bind(null, ports, settings),
		/** Looks up the domain's mail in DNS; `quick`: its route alone. */
		lookUpMail: lookUpMail.bind(null, ports),
		/** Describes domains by DNS, lists and memory, in their order. */
		describeDomains: describeDomains.bind(null, ports, settings),
	};
}

/** The settings that operations take from the configuration as they are. */
function settingsOf(config: Config) {
	return {
		/** The secret that signs keys and webhooks; null: not configured. */
		signing: config.KEY_SIGNING_SECRET[0] ?? null,
		/** The first signs; all are accepted when verifying. */
		signingSecrets: config.KEY_SIGNING_SECRET,
		endpointRules: endpointRulesOf(config),
		/** The operator who acts, by name; outside the operators' API, the service itself. */
		actor: 'service' as string,
		/**
		 * Whether mailboxes of the domain belong to customers of its owner. On a developer's machine all sign up at the
		 * sandbox's domains, which have no owner (RFC 6761 §6.2).
		 */
		isProvider: (domain: string): boolean =>
			isMailProvider(domain) || (config.DEVELOPMENT && domain.endsWith('.test')),
		trialCredits: config.TRIAL_CREDITS,
		/** Asked for point-in-time recovery on a developer's machine, the platform never answers. */
		hasRecovery: !config.DEVELOPMENT,
		/** Whether people may not sign up with an address of a disposable domain. */
		refusesDisposable: config.SIGN_UP_REFUSES_DISPOSABLE,
	};
}

/** Where events may be sent. */
export function endpointRulesOf({ PUBLIC_URL, DEVELOPMENT }: Config): EndpointRules {
	return {
		ownHost: PUBLIC_URL === undefined ? null : new URL(PUBLIC_URL).hostname,
		allowsLoopback: DEVELOPMENT,
	};
}

/** The name by which strangers' servers know us. */
export function userAgentOf({ PUBLIC_URL }: Config): string {
	return PUBLIC_URL === undefined ? 'Mailsonar' : `Mailsonar (+${PUBLIC_URL})`;
}

export function resolverOf(config: Config): DohResolver {
	return dohResolver(config.DOH_URL, dnsAnswers, clock);
}

/** The look-ups about a domain. */
export function lookUpsOf(config: Config, resolver: DohResolver): ExaminePorts['examineDomain'] {
	const userAgent = userAgentOf(config);
	const { ownHost } = endpointRulesOf(config);
	const web = webReader({ userAgent, ownHost }, resolver, invocationFetch);
	const rdap = { bootstrapUrl: config.RDAP_BOOTSTRAP_URL, spacingMs: config.RDAP_SPACING_MS };
	const ports: DomainPorts = {
		clock,
		records: resolver,
		sites,
		// A Worker can't choose the IP address it connects to, so a name could lead it into a developer's own network.
		web: config.DEVELOPMENT ? null : web,
		registrationOf: registryReader(rdap, web, clock),
	};
	return async (domain, deadline) => {
		// Read with the first catch-all domain, not at each start.
		const { examineDomain } = await import('./engine/domain.ts');
		return examineDomain(ports, domain, deadline);
	};
}

/** People, their sessions, and the mail to them. */
function peopleIn(env: Env, config: Config, metrics: Metrics) {
	const mailbox = config.DEVELOPMENT ? new D1DevelopmentMailbox(env.DB, clock) : null;
	return {
		people: new D1People(env.DB) as Methods<D1People>,
		sessions: new D1Sessions(env.DB) as Methods<D1Sessions>,
		attempts: new D1Attempts(env.DB) as Methods<D1Attempts>,
		mailer: mailerOf(env, config, metrics),
		/** Null in production. */
		developmentMailbox: mailbox as Pick<D1DevelopmentMailbox, 'list'> | null,
	};
}

export function mailerOf(
	env: Pick<Env, 'DB' | 'MAIL'>,
	{ DEVELOPMENT, MAIL_SENDER }: Config,
	metrics: Metrics,
): Mailer {
	return DEVELOPMENT
		? new D1DevelopmentMailbox(env.DB, clock)
		: cloudflareMailer(env.MAIL, MAIL_SENDER ?? null, metrics);
}

/** Runs work after the response. Failures are logged. */
function later(work: () => Promise<void>): void {
	waitUntil(finished(work()));
}
