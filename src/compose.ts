import { readConfig } from './config.ts';
import { isTestAccount } from './core/keys/api-key.ts';
import type { PartQueue } from './core/jobs/kinds.ts';
import { ANSWER_MS } from './core/webhooks/delivery.ts';
import type { Outside } from './durable-objects/account/context.ts';
import { renderAccepted, renderEvent } from './http/schemas/webhook.ts';
import { sendInBatches } from './lib/slots.ts';
import { DAY_MS } from './lib/time.ts';
import { invocationFetch } from './net/invocation-fetch.ts';
import { deliver } from './net/webhook-sender.ts';
import { tellCreditsLow, tellDisabled, tellDone } from './operations/webhooks/owner-mails.ts';
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

/** The clock, queues, bucket, endpoints and mails of an account's alarm. Most objects wake up without needing the last two. */
export function openOutside(env: Pick<Env, PartQueue | 'BLOBS' | 'DB' | 'MAIL' | 'METRICS'>): Outside {
	const jobBlobs = jobBlobsOf(env.BLOBS);
	const metrics = metricsIn(env.METRICS);
	const directory = new D1Directory(env.DB);
	const mails = () => {
		const config = readConfig(env);
		const linkTo = (path: string): string | null =>
			config.PUBLIC_URL === undefined ? null : new URL(path, config.PUBLIC_URL).href;
		return { directory, mailer: mailerOf(env, config, metrics), linkTo };
	};
	return {
		now: () => clock.now(),
		sendParts: (queue, messages) => sendInBatches(env[queue], messages),
		listJob: (accountId, job) => directory.listJob(accountId, job),
		deleteBlobs: (jobId) => jobBlobs.remove(jobId),
		ledgerRetentionMs: () => readConfig(env).LEDGER_RETENTION_DAYS * DAY_MS,
		renderEvent,
		renderAccepted,
		deliver: async (delivery) => {
			const config = readConfig(env);
			const sender = {
				userAgent: userAgentOf(config),
				rules: endpointRulesOf(config),
				secrets: config.KEY_SIGNING_SECRET,
				answerMs: ANSWER_MS,
				records: resolverOf(config),
				fetcher: invocationFetch,
			};
			return deliver(sender, delivery);
		},
		tellDisabled: async (disabled) => tellDisabled(mails(), disabled),
		tellDone: async (done) => tellDone(mails(), done),
		tellCreditsLow: async (low) => tellCreditsLow(mails(), low),
	};
}
