import type { Answer, DecodedPacket } from 'dns-packet';
import { decode, encode, RECURSION_AVAILABLE, RECURSION_DESIRED } from 'dns-packet';
import type { Counters } from './counters.ts';
import { increment } from './counters.ts';
import type { Zones } from './zone-lookup.ts';
import { lookup, RCODE } from './zone-lookup.ts';

/** What comes of a DNS message. `unreadable`: it was no question. */
export type DnsAnswer =
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
	counters.queries += 1;
	increment(counters.byName, `${question.name.toLowerCase()} ${question.type}`);
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
