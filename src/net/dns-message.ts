import { Buffer } from 'node:buffer';
import { decode, encode, RECURSION_DESIRED } from 'dns-packet';
import type { Answer as DnsAnswer, DecodedPacket } from 'dns-packet';
import type { Answer, RecordType, MxRecord } from '../core/dns/resolver.ts';
import { LABEL_OCTETS_MAX } from '../lib/idna.ts';

// As RFC 8484 §4.1 advises, so that caches can share the answer.
const QUESTION_ID = 0;

/** A question in wire format (RFC 1035). */
export function encodeQuestion(name: string, type: RecordType): Uint8Array {
	return encode({ type: 'query', id: QUESTION_ID, flags: RECURSION_DESIRED, questions: [{ type, name }] });
}

/** Whether the name can be encoded in a question (RFC 1035 §3.1): hostile zones hold names that can't. */
export function isEncodable(name: string): boolean {
	const labels = name
		.replace(/\.$/, '')
		.split('.')
		.map((label) => Buffer.byteLength(label));
	const octets = labels.reduce((sum, length) => sum + 1 + length, 1);
	return octets <= NAME_OCTETS_MAX && labels.every((length) => length >= 1 && length <= LABEL_OCTETS_MAX);
}

/** The content of a resolver's message, with its TTL. `unreadable`: not an answer to this question. */
export type Reading =
	| {
			readonly kind: 'answer';
			readonly answer: Answer<string | MxRecord>;
			readonly ttlSeconds: number;
	  }
	| { readonly kind: 'server_failure' | 'unreadable' };

// RFC 2308 §5: the SOA gives the TTL of a negative answer; this one applies without a SOA.
const NEGATIVE_TTL_SECONDS = 30;
const CNAME_CHAIN_MAX = 16;
// RFC 1035 §2.3.4, including the length octets and the root.
const NAME_OCTETS_MAX = 255;

/** Reads a resolver's answer. Hostile bytes end in `unreadable`, never in an exception. */
export function readAnswer(bytes: Uint8Array, name: string, type: RecordType): Reading {
	let packet: DecodedPacket;
	try {
		packet = decode(Buffer.from(bytes));
	} catch {
		return { kind: 'unreadable' };
	}
	// The package reads beyond the end of a truncated message, and takes what is not there for data.
	if (decode.bytes > bytes.length) return { kind: 'unreadable' };
	const [question] = packet.questions ?? [];
	const isOurs =
		packet.type === 'response' &&
		packet.id === QUESTION_ID &&
		question?.type === type &&
		normalized(question.name) === normalized(name);
	if (!isOurs) return { kind: 'unreadable' };
	// The package's types lack the decoded rcode.
	const { rcode } = packet as { rcode?: string };
	if (rcode === 'NOERROR') return readRecords(packet, name, type);
	if (rcode !== 'NXDOMAIN') return { kind: 'server_failure' };
	return negative(packet, 'no_such_name');
}

function readRecords(packet: DecodedPacket, name: string, type: RecordType): Reading {
	const answers = packet.answers ?? [];
	const owner = type === 'CNAME' ? normalized(name) : followAliases(answers, normalized(name));
	// A chain without an end is a mistake of the names' owner, or of the resolver: it does not say what is at its
	// end.
	if (owner === null) return { kind: 'server_failure' };
	const matching = answers.filter((answer) => answer.type === type && normalized(answer.name) === owner);
	// RFC 2181 §9: a truncated message says nothing about what is missing.
	if (matching.length === 0 && packet.flag_tc) return { kind: 'server_failure' };
	if (matching.length === 0) return negative(packet, 'no_data');
	const ttlSeconds = Math.min(...answers.map((answer) => ('ttl' in answer ? Number(answer.ttl) : 0)));
	const answer = { kind: 'records', records: matching.map(dataOf) } as const;
	return { kind: 'answer', answer, ttlSeconds };
}

function negative(packet: DecodedPacket, kind: 'no_data' | 'no_such_name'): Reading {
	const soa = packet.authorities?.find((record) => record.type === 'SOA');
	const { ttl = NEGATIVE_TTL_SECONDS, data } = soa ?? {};
	const ttlSeconds = Math.min(ttl, data?.minimum ?? NEGATIVE_TTL_SECONDS);
	return { kind: 'answer', answer: { kind }, ttlSeconds };
}

/** The name at the end of the CNAME chain (RFC 1034 §3.6.2); null: it has none, or is too long to be followed. */
function followAliases(answers: readonly DnsAnswer[], name: string): string | null {
	let owner = name;
	for (let step = 0; step <= CNAME_CHAIN_MAX; step += 1) {
		const alias = answers.find((answer) => answer.type === 'CNAME' && normalized(answer.name) === owner);
		if (alias === undefined || alias.type !== 'CNAME') return owner;
		owner = normalized(alias.data);
	}
	return null;
}

function dataOf(answer: DnsAnswer): string | MxRecord {
	const { type } = answer;
	if (type === 'MX')
		return { preference: answer.data.preference ?? 0, exchange: normalized(answer.data.exchange) };
	// RFC 7208 §3.3: the strings of one TXT record are joined without spaces.
	if (type === 'TXT') return [answer.data].flat().map(String).join('');
	if (type === 'A' || type === 'AAAA') return answer.data;
	return type === 'NS' || type === 'CNAME' ? normalized(answer.data) : '';
}

function normalized(name: string): string {
	return name.toLowerCase().replace(/\.$/, '');
}
