import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { Counters } from './counters.ts';
import { answerQuestion } from './dns-answer.ts';
import type { Listener } from './listener.ts';
import { openListener } from './listener.ts';
import type { Zones } from './zone-lookup.ts';

const MEDIA_TYPE = 'application/dns-message';
// RFC 8484 §6: a DNS message has at most 65,535 octets.
const MESSAGE_OCTETS_MAX = 65_535;
const DNS_PATH = '/dns-query';

/**
 * DNS over HTTPS (RFC 8484, here without the S) from a zone table.
 *
 * @param delayMs the round trip to it
 */
export async function startDnsServer(
	zones: Zones,
	counters: Counters['dns'],
	port?: number,
	delayMs = 0,
): Promise<Listener & { readonly url: string }> {
	const server = createServer((request, response) => {
		handle(zones, counters, delayMs, request, response).catch(() => response.destroy());
	});
	const listener = await openListener(server, port);
	return { ...listener, url: `http://127.0.0.1:${listener.port}${DNS_PATH}` };
}

async function handle(
	zones: Zones,
	counters: Counters['dns'],
	delayMs: number,
	request: IncomingMessage,
	response: ServerResponse,
): Promise<void> {
	const url = new URL(request.url ?? '/', 'http://sandbox.test');
	if (url.pathname !== DNS_PATH) return refuse(response, 404);
	if (request.method !== 'GET' && request.method !== 'POST') return refuse(response, 405);
	if (request.method === 'POST' && request.headers['content-type'] !== MEDIA_TYPE)
		return refuse(response, 415);
	const message =
		request.method === 'POST'
			? await readBody(request)
			: Buffer.from(url.searchParams.get('dns') ?? '', 'base64url');
	const answer = answerQuestion(zones, counters, message);
	if (answer.kind === 'unreadable') return refuse(response, 400);
	if (answer.kind === 'silence') return; // The request stays open until the client gives up or the sandbox ends.
	if (delayMs > 0) await pause(delayMs);
	response.setHeader('content-type', MEDIA_TYPE);
	if (answer.kind === 'garbage') {
		response.end(Buffer.from('this is not a DNS message'));
		return;
	}
	// RFC 8484 §5.1: HTTP must not keep an answer longer than DNS would.
	response.setHeader('cache-control', `max-age=${answer.ttlSeconds}`);
	response.end(answer.bytes);
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
	const chunks: Buffer[] = [];
	let octets = 0;
	for await (const chunk of request as AsyncIterable<Buffer>) {
		octets += chunk.length;
		if (octets > MESSAGE_OCTETS_MAX) return Buffer.alloc(0);
		chunks.push(chunk);
	}
	return Buffer.concat(chunks);
}

function refuse(response: ServerResponse, status: number): void {
	response.writeHead(status).end();
}
