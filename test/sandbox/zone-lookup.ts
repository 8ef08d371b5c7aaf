import type { Answer, RecordType } from 'dns-packet';

/** What is wrong with the name servers of a name and everything below it. */
type ZoneFault = 'servfail' | 'silence' | 'garbage';

/** The records of one name. An empty entry exists and has no records. */
export interface ZoneEntry {
	/** In the order in which they are answered. */
	readonly mx?: readonly (readonly [preference: number, exchange: string])[];
	readonly a?: readonly string[];
	readonly aaaa?: readonly string[];
	readonly txt?: readonly string[];
	readonly ns?: readonly string[];
	readonly ptr?: readonly string[];
	readonly cname?: string;
	readonly fault?: ZoneFault;
	/** Questions of these types get no answer, at this name and everything below it. */
	readonly silentTypes?: readonly RecordType[];
}

/** Names in lower case, A-labels, without the final dot. `*.x.test` is a wildcard (RFC 4592). */
export type Zones = ReadonlyMap<string, ZoneEntry>;

/** The DNS answer to one question. */
export type Lookup =
	| {
			readonly kind: 'answer';
			readonly rcode: Rcode;
			readonly answers: Answer[];
			readonly authorities: Answer[];
	  }
	| { readonly kind: 'silence' }
	| { readonly kind: 'garbage' };

/** RFC 1035 §4.1.1 */
export const RCODE = { NOERROR: 0, SERVFAIL: 2, NXDOMAIN: 3, REFUSED: 5 } as const;
type Rcode = keyof typeof RCODE;

const TTL_SECONDS = 300;
// RFC 2308 §5: a negative answer lives as long as the SOA's minimum.
const NEGATIVE_TTL_SECONDS = 60;
const CNAMES_MAX = 8;
// RFC 6761 §6.2-6.5: the sandbox may answer for all of these. Nothing else is its business.
const RESERVED = new Set(['test', 'invalid', 'localhost', 'example']);

/** Answers from the table. A name outside the sandbox is REFUSED: nobody may conclude that it does not exist. */
export function lookup(zones: Zones, name: string, type: RecordType): Lookup {
	const answers: Answer[] = [];
	let current = name.toLowerCase().replace(/\.$/, '');
	const answer = (rcode: Rcode, records: Answer[], authorities: Answer[]): Lookup => ({
		kind: 'answer',
		rcode,
		answers: records,
		authorities,
	});
	for (let hops = 0; hops < CNAMES_MAX; hops += 1) {
		const fault = findSetting(zones, current, 'fault');
		if (fault === 'silence' || fault === 'garbage') return { kind: fault };
		if (findSetting(zones, current, 'silentTypes')?.includes(type)) return { kind: 'silence' };
		if (fault === 'servfail') return answer('SERVFAIL', [], []);
		const apex = apexOf(zones, current);
		if (apex === null) return answer('REFUSED', [], []);
		const entry = zones.get(current) ?? findWildcard(zones, current);
		if (entry === undefined) {
			// RFC 8020: a name that has names below it exists, with no records.
			const exists = current === apex || hasNamesBelow(zones, current);
			return answer(exists ? 'NOERROR' : 'NXDOMAIN', answers, [soaOf(apex)]);
		}
		if (entry.cname === undefined || type === 'CNAME') {
			answers.push(...recordsOf(entry, current, type));
			const isFound = answers.some((record) => record.type === type);
			return answer('NOERROR', answers, isFound ? [] : [soaOf(apex)]);
		}
		answers.push({ type: 'CNAME', name: current, ttl: TTL_SECONDS, data: entry.cname });
		current = entry.cname.toLowerCase();
	}
	return answer('SERVFAIL', [], []);
}

/** The addresses of a name, both families. */
export function addressesOf(zones: Zones, name: string): string[] {
	return (['A', 'AAAA'] as const).flatMap((type) => {
		const found = lookup(zones, name, type);
		if (found.kind !== 'answer') return [];
		return found.answers.flatMap((record) =>
			record.type === 'A' || record.type === 'AAAA' ? [record.data] : [],
		);
	});
}

function recordsOf(entry: ZoneEntry, name: string, type: RecordType): Answer[] {
	const all: Partial<Record<RecordType, readonly unknown[] | undefined>> = {
		A: entry.a,
		AAAA: entry.aaaa,
		TXT: entry.txt,
		PTR: entry.ptr,
		NS: entry.ns,
		MX: entry.mx?.map(([preference, exchange]) => ({ preference, exchange })),
		CNAME: entry.cname === undefined ? [] : [entry.cname],
	};
	return (all[type] ?? []).map((data) => ({ name, ttl: TTL_SECONDS, type, data }) as Answer);
}

/** The two-label name that contains `name`, or its reserved top-level domain; null outside the sandbox. */
function apexOf(zones: Zones, name: string): string | null {
	const labels = name.split('.');
	const domain = labels.slice(-2).join('.');
	if (labels.length >= 2 && (zones.has(domain) || hasNamesBelow(zones, domain))) return domain;
	const top = labels.at(-1) ?? '';
	return RESERVED.has(top) ? top : null;
}

/** What holds for a name because it holds for it, or for a name above it. */
function findSetting<K extends 'fault' | 'silentTypes'>(
	zones: Zones,
	name: string,
	key: K,
): ZoneEntry[K] | undefined {
	const labels = name.split('.');
	return labels
		.map((_, i) => zones.get(labels.slice(i).join('.'))?.[key])
		.find((setting) => setting !== undefined);
}

/** RFC 4592 §2.2.1: only for names that do not exist, here one label deep. */
function findWildcard(zones: Zones, name: string): ZoneEntry | undefined {
	if (hasNamesBelow(zones, name)) return undefined;
	return zones.get(`*${name.slice(Math.max(0, name.indexOf('.')))}`);
}

/** The names above those of a table, which has thousands and does not change. */
const above = new WeakMap<Zones, ReadonlySet<string>>();

function hasNamesBelow(zones: Zones, name: string): boolean {
	const aboveIt = (other: string): string[] =>
		other.split('.').map((_, at, labels) => labels.slice(at + 1).join('.'));
	const names = above.get(zones) ?? new Set([...zones.keys()].flatMap(aboveIt));
	above.set(zones, names);
	return names.has(name);
}

function soaOf(apex: string): Answer {
	return {
		type: 'SOA',
		name: apex,
		ttl: NEGATIVE_TTL_SECONDS,
		data: {
			mname: 'ns1.sandbox.test',
			rname: 'hostmaster.sandbox.test',
			serial: 1,
			refresh: 3600,
			retry: 600,
			expire: 86_400,
			minimum: NEGATIVE_TTL_SECONDS,
		},
	};
}
