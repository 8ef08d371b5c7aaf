import { Webhook } from 'standardwebhooks';
import type { RecordSource } from '../core/dns/resolver.ts';
import type { SigningSecret } from '../core/keys/api-key.ts';
import type { DeliveryFault, DeliveryReply } from '../core/webhooks/delivery.ts';
import { hostOf, judgeEndpointUrl } from '../core/webhooks/endpoint-url.ts';
import type { EndpointRules } from '../core/webhooks/endpoint-url.ts';
import { ServiceError } from '../errors.ts';
import { unsealWithAny } from '../lib/seal.ts';
import type { OutgoingDelivery } from '../operations/webhooks/port.ts';
import type { Fetcher } from './invocation-fetch.ts';
import { checkHost } from './public-web.ts';

/** What a delivery needs of us. */
export interface Sender {
	/** Names us, and where to complain. */
	readonly userAgent: string;
	readonly rules: EndpointRules;
	/** One of them sealed the secrets of an endpoint. */
	readonly secrets: readonly SigningSecret[];
	/** How long an endpoint may take to answer. */
	readonly answerMs: number;
	readonly records: RecordSource;
	readonly fetcher: Fetcher;
}

/**
 * Posts an event to a customer's endpoint, signed by the Standard Webhooks scheme. Each time the URL is judged and its
 * host looked up again: only public addresses are visited, redirects are not followed, and nothing is read of an answer
 * but its status. Never throws for what an endpoint does.
 */
export async function deliver(sender: Sender, delivery: OutgoingDelivery): Promise<DeliveryReply> {
	const judged = judgeEndpointUrl(delivery.url, sender.rules);
	if (!judged.ok) return fault('refused_url');
	const seals = sender.secrets.map(({ secret }) => secret);
	const opened = await Promise.all(delivery.secrets.map((sealed) => unsealWithAny(seals, sealed)));
	const secrets = opened.filter((secret) => secret !== null);
	if (secrets.length === 0) return fault('no_secret');
	const refusal = judged.isLoopback ? null : await refuse(sender.records, hostOf(judged.url));
	return refusal ?? post(sender, judged.url, delivery, secrets);
}

/** Why a host is not visited, or null. */
async function refuse(records: RecordSource, host: string): Promise<DeliveryReply | null> {
	try {
		const check = await checkHost(records, host);
		return check === 'public' ? null : fault(check);
	} catch (error) {
		if (error instanceof ServiceError) return { kind: 'outage' };
		throw error;
	}
}

async function post(
	{ userAgent, answerMs, fetcher }: Sender,
	url: URL,
	{ eventId, body, now }: OutgoingDelivery,
	secrets: readonly string[],
): Promise<DeliveryReply> {
	const at = new Date(now);
	const signatures = secrets.map((secret) => new Webhook(secret).sign(eventId, at, body));
	const headers = {
		'content-type': 'application/json',
		'user-agent': userAgent,
		'webhook-id': eventId,
		'webhook-timestamp': String(Math.floor(now / 1000)),
		'webhook-signature': signatures.join(' '),
	};
	const signal = AbortSignal.timeout(answerMs);
	try {
		const response = await fetcher(url.href, { method: 'POST', headers, body, redirect: 'manual', signal });
		await response.body?.cancel();
		return { kind: 'answered', code: response.status };
	} catch {
		return fault(signal.aborted ? 'timed_out' : 'not_connected');
	}
}

function fault(what: DeliveryFault): DeliveryReply {
	return { kind: 'fault', fault: what };
}
