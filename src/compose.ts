import { readConfig } from './config.ts';
import { isTestAccount } from './core/keys/api-key.ts';
import type { PartQueue } from './core/jobs/kinds.ts';
import type { Metrics } from './core/metrics/metrics.ts';
import { ANSWER_MS } from './core/webhooks/delivery.ts';
import type { Outside } from './durable-objects/account/context.ts';
import { renderAccepted, renderEvent } from './http/schemas/webhook.ts';
import { sendInBatches } from './lib/slots.ts';
import { DAY_MS } from './lib/time.ts';
import { invocationFetch } from './net/invocation-fetch.ts';
import { SignedWebhooks } from './net/webhook-sender.ts';
import { tellDone } from './operations/jobs/complete.ts';
import { tellCreditsLow, tellDisabled } from './operations/webhooks/mails.ts';
import { clock, endpointRulesOf, mailerOf, resolverOf, userAgentOf, wire } from './services.ts';
import type { Services } from './services.ts';
import { D1Directory } from './storage/accounts/directory.ts';
import { metricsIn } from './storage/analytics-metrics.ts';
import { jobBlobsOf } from './storage/jobs/blobs.ts';
import { servicesOfTestKeys } from './test-key-services.ts';

// The configuration is read once.
const composed = new WeakMap<Env, Services>();

/** The services of an isolate. */
export function compose(env: Env): Services {
	const known = composed.get(env);
	if (known !== undefined) return known;
	const services: Services = {
		...wire(env),
		forAccount: (accountId) => (isTestAccount(accountId) ? ofTestKeys : services),
	};
	const ofTestKeys = servicesOfTestKeys(services);
	composed.set(env, services);
	return services;
}

/** The clock, queues, bucket and endpoints of an account's alarm. */
export function openOutside(env: Pick<Env, PartQueue | 'BLOBS' | 'DB' | 'MAIL' | 'METRICS'>): Outside {
	const jobBlobs = jobBlobsOf(env.BLOBS);
	const metrics = metricsIn(env.METRICS);
	// Most accounts never send an event or a mail: their objects wake up without this.
	let webhooks: ReturnType<typeof webhookPorts> | null = null;
	const ports = (): ReturnType<typeof webhookPorts> => (webhooks ??= webhookPorts(env, metrics));
	return {
		now: () => clock.now(),
		sendParts: (queue, messages) => sendInBatches(env[queue], messages),
		listJob: (accountId, job) => new D1Directory(env.DB).listJob(accountId, job),
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

/** The ports that send events to customers' endpoints, and mails about disabled ones to their owners. */
function webhookPorts(env: Pick<Env, 'DB' | 'MAIL'>, metrics: Metrics) {
	const config = readConfig(env);
	const settings = {
		userAgent: userAgentOf(config),
		rules: endpointRulesOf(config),
		secrets: config.KEY_SIGNING_SECRET,
		answerMs: ANSWER_MS,
	};
	return {
		sender: new SignedWebhooks(settings, resolverOf(config), invocationFetch),
		mail: {
			directory: new D1Directory(env.DB),
			mailer: mailerOf(env, config, metrics),
			publicUrl: config.PUBLIC_URL ?? null,
		},
	};
}
