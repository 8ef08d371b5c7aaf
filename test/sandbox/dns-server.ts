import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Answer, DecodedPacket } from 'dns-packet';
import { decode, encode, RECURSION_AVAILABLE, RECURSION_DESIRED } from 'dns-packet';
import type { Counters } from './counters.ts';
import { increment } from './counters.ts';
import type { Listener } from './listener.ts';
import { LOOPBACK, openListener } from './listener.ts';
import type { Zones } from './zone-lookup.ts';
import { lookup, RCODE } from './zone-lookup.ts';

const MEDIA_TYPE = 'application/dns-message';
const DNS_PATH = '/dns-query';

/**
 * DNS over HTTPS (RFC 8484, here without the S, and by GET alone, as we ask) from a zone table.
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
		const { pathname, searchParams } = new URL(request.url ?? '/', 'http://sandbox.test');
		const isAsked = pathname === DNS_PATH && request.method === 'GET';
		const message = Buffer.from(searchParams.get('dns') ?? '', 'base64url');
		const answer = isAsked ? answerQuestion(zones, counters, message) : null;
		if (answer === null || answer.kind === 'unreadable') return void response.writeHead(400).end();
		if (answer.kind === 'silence') return; // The request stays open until the client gives up or the sandbox ends.
		response.setHeader('content-type', MEDIA_TYPE);
		// RFC 8484 §5.1: HTTP must not keep an answer longer than DNS would.
		if (answer.kind === 'message') response.setHeader('cache-control', `max-age=${answer.ttlSeconds}`);
		const bytes = answer.kind === 'message' ? answer.bytes : 'this is not a DNS message';
		if (delayMs === 0) response.end(bytes);
		else setTimeout(() => response.end(bytes), delayMs);
	});
	const listener = await openListener(server, port);
	return { ...listener, url: `http://127.0.0.1:${listener.port}${DNS_PATH}` };
}

/**
 * DNS over UDP (RFC 1035 §4.2.1) from a zone table, for programs that know no DNS over HTTPS.
 *
 * @param delayMs the round trip to it
 */
export async function startPlainDnsServer(
	zones: Zones,
	counters: Counters['dns'],
	delayMs: number,
): Promise<Listener> {
	const socket = createSocket('udp4');
	let isOpen = true;
	socket.on('message', (message, from) => {
		const answer = answerQuestion(zones, counters, message);
		if (answer.kind !== 'message') return;
		setTimeout(() => {
			if (isOpen) socket.send(answer.bytes, from.port, from.address);
		}, delayMs);
	});
	socket.bind(0, LOOPBACK);
	await once(socket, 'listening');
	return {
		port: socket.address().port,
		async close() {
			if (!isOpen) return;
			isOpen = false;
			const closed = once(socket, 'close');
			socket.close();
			await closed;
		},
	};
}

/** What comes of a DNS message. `unreadable`: it was no question. */
type DnsAnswer =
	| { readonly kind: 'message'; readonly bytes: Buffer; readonly ttlSeconds: number }
	| { readonly kind: 'garbage' }
	| { readonly kind: 'silence' }
	| { readonly kind: 'unreadable' };

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

/** Answers one message from the zone table, whichever way it came, and counts it. */
export function answerQuestion(zones: Zones, counters: Counters['dns'], message: Buffer): DnsAnswer {
	const query = parseQuery(message);
	const question = query?.questions?.[0];
	if (query === null || question === undefined) return { kind: 'unreadable' };
	increment(counters, `${question.name.toLowerCase()} ${question.type}`);
	const found = lookup(zones, question.name, question.type);
	if (found.kind !== 'answer') return found;
	const ttls = [...found.answers, ...found.authorities].map((record) =>
		'ttl' in record ? (record.ttl ?? 0) : 0,
	);
	const bytes = encode({
		type: 'response',
		id: query.id ?? 0,
		flags: RECURSION_DESIRED | RECURSION_AVAILABLE | RCODE[found.rcode],
		questions: [question],
		answers: found.answers,
		authorities: found.authorities,
		// RFC 6891 §6.1.1: OPT is answered with OPT.
		additionals: (query.additionals ?? []).some((record) => record.type === 'OPT') ? [OPT] : [],
	});
	return { kind: 'message', bytes, ttlSeconds: ttls.length === 0 ? 0 : Math.min(...ttls) };
}

function parseQuery(message: Buffer): DecodedPacket | null {
	try {
		const query = decode(message);
		return query.type === 'query' ? query : null;
	} catch {
		return null;
	}
}
