import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Answer, DecodedPacket } from 'dns-packet';
import { AUTHENTIC_DATA, decode, encode, RECURSION_AVAILABLE, RECURSION_DESIRED } from 'dns-packet';
import type { Counters } from './counters.ts';
import { increment } from './counters.ts';
import type { Listener } from './listener.ts';
import { openListener } from './listener.ts';
import type { Lookup, Zones } from './zone-lookup.ts';
import { lookup, RCODE } from './zone-lookup.ts';

const MEDIA_TYPE = 'application/dns-message';
// RFC 8484 §6: a DNS message has at most 65,535 octets.
const MESSAGE_OCTETS_MAX = 65_535;
const DNS_PATH = '/dns-query';

/** DNS over HTTPS (RFC 8484, here without the S) from a zone table. */
export async function startDnsServer(
	zones: Zones,
	counters: Counters['dns'],
	port?: number,
): Promise<Listener & { readonly url: string }> {
	const server = createServer((request, response) => {
		handle(zones, counters, request, response).catch(() => response.destroy());
	});
	const listener = await openListener(server, port);
	return { ...listener, url: `http://127.0.0.1:${listener.port}${DNS_PATH}` };
}

async function handle(
	zones: Zones,
	counters: Counters['dns'],
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
	const query = parseQuery(message);
	const question = query?.questions?.[0];
	if (query === null || question === undefined) return refuse(response, 400);

	counters.queries += 1;
	increment(counters.byName, `${question.name.toLowerCase()} ${question.type}`);
	const found = lookup(zones, question.name, question.type);
	if (found.kind === 'silence') return; // The request stays open until the client gives up or the sandbox ends.
	response.setHeader('content-type', MEDIA_TYPE);
	if (found.kind === 'garbage') {
		response.end(Buffer.from('this is not a DNS message'));
		return;
	}
	// RFC 8484 §5.1: HTTP must not keep an answer longer than DNS would.
	const ttls = [...found.answers, ...found.authorities].map((record) =>
		'ttl' in record ? (record.ttl ?? 0) : 0,
	);
	response.setHeader('cache-control', `max-age=${ttls.length === 0 ? 0 : Math.min(...ttls)}`);
	response.end(
		encode({
			type: 'response',
			id: query.id ?? 0,
			flags: RECURSION_DESIRED | RECURSION_AVAILABLE | checkedFlag(query, found) | RCODE[found.rcode],
			questions: [question],
			answers: found.answers,
			authorities: found.authorities,
			// RFC 6891 §6.1.1: OPT is answered with OPT.
			additionals: (query.additionals ?? []).some((record) => record.type === 'OPT') ? [OPT] : [],
		}),
	);
}

/** RFC 6840 §5.7: a resolver says that it checked to those who ask. */
function checkedFlag(query: DecodedPacket, { isSigned }: Extract<Lookup, { kind: 'answer' }>): number {
	return isSigned && query.flag_ad ? AUTHENTIC_DATA : 0;
}

const OPT: Answer = {
	type: 'OPT',
	name: '.',
	udpPayloadSize: 1232,
	extendedRcode: 0,
	ednsVersion: 0,
	flags: 0,
	flag_do: false,
	options: [],
};

function parseQuery(message: Buffer): DecodedPacket | null {
	try {
		const query = decode(message);
		return query.type === 'query' ? query : null;
	} catch {
		return null;
	}
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
