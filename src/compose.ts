import { waitUntil } from 'cloudflare:workers';
import { enabledLookups, jobTimingOf, readConfig } from './config.ts';
import type { Config } from './config.ts';
import { isMailProvider } from './core/identity/login-name.ts';
import type { Metrics } from './core/metrics/metrics.ts';
import { isTestAccount } from './core/keys/api-key.ts';
import { addressDigests } from './core/outcomes/outcome.ts';
import { ANSWER_MS } from './core/webhooks/delivery.ts';
import type { EndpointRules } from './core/webhooks/endpoint-url.ts';
import type { PartQueue } from './core/jobs/kinds/kinds.ts';
import { accountsOf } from './durable-objects/account/client.ts';
import type { Outside } from './durable-objects/account/context.ts';
import { renderAccepted } from './http/schemas/task.ts';
import { renderEvent } from './http/schemas/webhook.ts';
import { healthOf } from './health.ts';
import type { Services } from './services.ts';
import { underTest } from './under-test.ts';
import { ExpiringMap, remembered } from './lib/expiring-map.ts';
import { finished, log } from './lib/log.ts';
import { OneAtATime, sendInBatches } from './lib/slots.ts';
import { newId, randomLetters, secureRandom } from './lib/encodings.ts';
import { DAY_MS, sleep } from './lib/time.ts';
import { CloudflareMailer } from './net/cloudflare-mailer.ts';
import { DohResolver } from './net/doh-resolver.ts';
import type { DnsMemory } from './net/doh-resolver.ts';
import { ProberClient } from './net/prober-client.ts';
import { CheckedWeb, visitsTo } from './net/public-web.ts';
import { STRIPE_API_URL, StripeCheckout } from './net/stripe-checkout.ts';
import { RdapClient } from './net/rdap-client.ts';
import { invocationFetch } from './net/invocation-fetch.ts';
import { SignedWebhooks } from './net/webhook-sender.ts';
import type { DomainPorts, FactCache } from './engine/domain/port.ts';
import { DomainDoubt } from './engine/domain-doubt.ts';
import { describeDomains } from './engine/describe-domains.ts';
import type { DescribePorts } from './engine/describe-domains.ts';
import { examineAddress, examineAddresses } from './engine/examine.ts';
import { lookUpMail } from './engine/look-up-mail.ts';
import type { ExaminePorts, ExamineSettings } from './engine/case.ts';
import type { DigestsOf } from './operations/outcomes/outcomes.ts';
import type { PaymentServices } from './operations/payments/port.ts';
import { tellDone } from './operations/jobs/complete-job.ts';
import { sweepIdentity } from './operations/people/settings.ts';
import type { Clock } from './engine/ports.ts';
import type { Mailer } from './operations/people/port.ts';
import { noteProbers } from './operations/probers/probers.ts';
import { tellCreditsLow, tellDisabled } from './operations/webhooks/mails.ts';
import { metricsIn } from './storage/analytics-metrics.ts';
import { jobBlobsOf } from './storage/jobs/blobs.ts';
import { D1Directory } from './storage/accounts/directory.ts';
import { PlatformFactCache } from './storage/fact-cache.ts';
import type { FactMemory } from './storage/fact-cache.ts';
import { D1Attempts } from './storage/people/attempts.ts';
import { D1DevelopmentMailbox } from './storage/people/development-mailbox.ts';
import { OptOuts } from './storage/opt-outs.ts';
import { D1Purchases } from './storage/payments.ts';
import { D1People } from './storage/people/people.ts';
import { D1Sessions } from './storage/people/sessions.ts';
import { R2UploadBlobs } from './storage/uploads.ts';

const DNS_ANSWERS_MAX = 5_000;
const FACTS_MAX = 5_000;

// Anybody may ask how we are: the stores and the probers are asked this often, not that often.
const HEALTH = { freshMs: 10_000, patienceMs: 10_000 };

const clock: Clock = {
	now: () => Date.now(),
	sleep,
};

// The isolate's memory: configuration is read once, DNS answers are kept for their TTL.
const composed = new WeakMap<Env, Services>();
const domainDoubt = new DomainDoubt(clock);
const dnsAnswers: DnsMemory = new ExpiringMap(DNS_ANSWERS_MAX);
const facts: FactMemory = new ExpiringMap(FACTS_MAX);
const fileWork = new OneAtATime(clock);

/** Wires the adapters to the operations. The only place that knows both. */
export function compose(env: Env): Services {
	const known = composed.get(env);
	if (known !== undefined) return known;
	const services = wire(env);
	composed.set(env, services);
	return services;
}

function wire(env: Env): Services {
	const config = readConfig(env);
	for (const feature of config.switchedOff) log('feature_off', { feature }, 'warn');
	const directory = new D1Directory(env.DB);
	const blobs = blobsIn(env.BLOBS);
	const optOuts = new OptOuts(env.DB, clock);
	const accounts = accountsOf(env.ACCOUNT, config.JURISDICTION);
	const payments = paymentPorts(env, config, accounts);
	const queues = [env.VERIFY_QUEUE, env.SMALL_QUEUE, env.CATCHALL_QUEUE];
	const metrics = metricsIn(env.METRICS);
	const prober = new ProberClient(config.PROBERS, clock, invocationFetch, metrics);
	const resolver = new DohResolver(config.DOH_URL, dnsAnswers, clock);
	const ports = {
		clock,
		prober,
		examineDomain: lookUpsOf(config, resolver),
		resolver,
		randomness: { word: randomLetters },
		domainDoubt,
		facts: factCache(),
		addressPolicy: config.ALLOW_PRIVATE_MX,
		optOuts,
	};
	const settings = { budgetMs: config.VERIFY_BUDGET_MS };
	const services: Services = {
		...identityPorts(env, config, metrics),
		...payments,
		config,
		metrics,
		newId,
		forAccount: (accountId) => (isTestAccount(accountId) ? forTests : services),
		secureRandom,
		directory,
		actor: 'service',
		optOuts,
		accounts,
		...settingsOf(config),
		later,
		...examinations(ports, settings),
		...blobs,
		fileWork,
		jobTiming: jobTimingOf(config),
		sendParts: (queue, messages) => sendInBatches(env[queue], messages),
		listJob: async (accountId, job) => later(() => directory.listJob(accountId, job)),
		probers: prober,
		requireProber: () => prober.requireOne(),
		noteProbers: () => noteProbers({ probers: prober, metrics }),
		health: remembered(clock, HEALTH, () => {
			const health = healthOf(config, { directory, accounts, bucket: env.BLOBS, queues }, prober);
			// Other requests may wait for the result after the first one was cancelled.
			waitUntil(finished(health));
			return health;
		}),
	};
	const forTests = underTest(services);
	return services;
}

/** The ways to find out about addresses. */
function examinations(ports: ExaminePorts & DescribePorts, settings: ExamineSettings) {
	return {
		examine: examineAddress.bind(null, ports, settings),
		examineAddresses: examineAddresses.bind(null, ports, settings),
		lookUpMail: lookUpMail.bind(null, ports, settings),
		describeDomains: describeDomains.bind(null, ports, settings),
	};
}

function blobsIn(bucket: R2Bucket) {
	return {
		uploadBlobs: new R2UploadBlobs(bucket),
		jobBlobs: jobBlobsOf(bucket),
	};
}

/** The clock, queues, bucket and endpoints of an account's alarm. */
export function openOutside(env: Pick<Env, PartQueue | 'BLOBS' | 'DB' | 'MAIL' | 'METRICS'>): Outside {
	const { jobBlobs } = blobsIn(env.BLOBS);
	const metrics = metricsIn(env.METRICS);
	// Most accounts never send an event or a mail: their objects wake up without this.
	let webhooks: ReturnType<typeof webhookPorts> | null = null;
	const ports = (): ReturnType<typeof webhookPorts> => (webhooks ??= webhookPorts(env, metrics));
	return {
		now: () => clock.now(),
		sendParts: (queue, messages) => sendInBatches(env[queue], messages),
		listJobs: (accountId, jobs) => new D1Directory(env.DB).listJobs(accountId, jobs),
		deleteBlobs: (jobId) => jobBlobs.remove(jobId),
		ledgerRetentionMs: () => readConfig(env).LEDGER_RETENTION_DAYS * DAY_MS,
		renderEvent,
		renderAccepted,
		deliver: async (delivery) => ports().sender.deliver(delivery),
		tellDisabled: async (disabled) => tellDisabled(ports().mail, disabled),
		tellDone: async (done) => tellDone(ports().mail, done),
		tellCreditsLow: async (low) => tellCreditsLow(ports().mail, low),
	};
}

/** The settings that operations take from the configuration as they are. */
function settingsOf(config: Config) {
	return {
		signing: config.KEY_SIGNING_SECRET[0] ?? null,
		signingSecrets: config.KEY_SIGNING_SECRET,
		endpointRules: endpointRulesOf(config),
		// On a developer's machine all sign up at the sandbox's domains, which have no owner (RFC 6761 §6.2).
		isProvider: (domain: string) =>
			isMailProvider(domain) || (config.DEVELOPMENT && domain.endsWith('.test')),
		trialCredits: config.TRIAL_CREDITS,
		// Asked for one on a developer's machine, the platform never answers.
		hasRecovery: !config.DEVELOPMENT,
		refusesDisposable: config.SIGN_UP_REFUSES_DISPOSABLE,
	};
}

/** Where events may be sent. */
function endpointRulesOf({ PUBLIC_URL, DEVELOPMENT }: Config): EndpointRules {
	return {
		ownHost: PUBLIC_URL === undefined ? null : new URL(PUBLIC_URL).hostname,
		allowsLoopback: DEVELOPMENT,
	};
}

/** The ports that send events to customers' endpoints, and mails about disabled ones to their owners. */
function webhookPorts(env: Pick<Env, 'DB' | 'MAIL'>, metrics: Metrics) {
	const config = readConfig(env);
	const resolver = new DohResolver(config.DOH_URL, dnsAnswers, clock);
	const settings = {
		userAgent: userAgentOf(config),
		rules: endpointRulesOf(config),
		secrets: config.KEY_SIGNING_SECRET,
		answerMs: ANSWER_MS,
	};
	return {
		sender: new SignedWebhooks(settings, resolver, invocationFetch),
		mail: {
			directory: new D1Directory(env.DB),
			mailer: mailerOf(env, config, metrics),
			publicUrl: config.PUBLIC_URL ?? null,
		},
	};
}

/**
 * The cache of the isolate, in front of that of the data centre. No caller waits until the data centre has stored a
 * fact.
 */
function factCache(): FactCache {
	const cache = new PlatformFactCache(() => caches.open('facts'), facts, clock);
	return {
		get: (key) => cache.get(key),
		put: async (key, value, ttlSeconds) => later(() => cache.put(key, value, ttlSeconds)),
	};
}

/** The name by which strangers' servers know us. */
function userAgentOf({ PUBLIC_URL }: Config): string {
	return PUBLIC_URL === undefined ? 'Mailsonar' : `Mailsonar (+${PUBLIC_URL})`;
}

/** The look-ups about a domain. */
export function lookUpsOf(config: Config, resolver: DohResolver): ExaminePorts['examineDomain'] {
	const userAgent = userAgentOf(config);
	const { ownHost } = endpointRulesOf(config);
	const web = new CheckedWeb({ userAgent, ownHost }, resolver, invocationFetch);
	const rdap = { bootstrapUrl: config.RDAP_BOOTSTRAP_URL, spacingMs: config.RDAP_SPACING_MS };
	const ports: DomainPorts = {
		clock,
		records: resolver,
		cache: factCache(),
		visit: visitsTo(web),
		rdap: new RdapClient(rdap, web, clock),
	};
	const enabled = enabledLookups(config);
	return async (domain, deadline) => {
		// Read with the first catch-all domain, not at each start.
		const { examineDomain } = await import('./engine/domain/examine-domain.ts');
		return examineDomain(ports, enabled, domain, deadline);
	};
}

/** People, their sessions, the mail to them, and what stands for an address that must not be kept. */
function identityPorts(env: Env, config: Config, metrics: Metrics) {
	const mailbox = config.DEVELOPMENT ? new D1DevelopmentMailbox(env.DB, clock) : null;
	const stores = {
		clock,
		people: new D1People(env.DB),
		sessions: new D1Sessions(env.DB),
		attempts: new D1Attempts(env.DB),
	};
	return {
		...stores,
		mailer: mailerOf(env, config, metrics),
		developmentMailbox: mailbox,
		digestsOf: ((...of) => addressDigests(config.KEY_SIGNING_SECRET, ...of)) satisfies DigestsOf,
		sweepIdentity: () => sweepIdentity(stores),
	};
}

/** The packs on sale, and the ports of payment. */
function paymentPorts(env: Env, config: Config, accounts: PaymentServices['accounts']): PaymentServices {
	const { CREDIT_PACKS: packs, STRIPE_SECRET_KEY: key, STRIPE_API_URL: url = STRIPE_API_URL } = config;
	const checkout =
		key === undefined ? null : new StripeCheckout(key, url, { fetcher: invocationFetch, clock });
	return { clock, accounts, purchases: new D1Purchases(env.DB), packs, checkout };
}

function mailerOf(
	env: Pick<Env, 'DB' | 'MAIL'>,
	{ DEVELOPMENT, MAIL_SENDER }: Config,
	metrics: Metrics,
): Mailer {
	return DEVELOPMENT
		? new D1DevelopmentMailbox(env.DB, clock)
		: new CloudflareMailer(env.MAIL, MAIL_SENDER ?? null, metrics);
}

/** Runs work after the response. Failures are logged. */
function later(work: () => Promise<void>): void {
	waitUntil(finished(work()));
}
