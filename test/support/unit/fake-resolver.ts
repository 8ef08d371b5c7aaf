import type { AddressPolicy } from '../../../src/core/dns/find-mail-exchangers.ts';
import type { Answer, RecordType, MxRecord, Resolver } from '../../../src/core/dns/resolver.ts';

type Failed = 'server_failure' | 'timeout';

/** The records of one name. A type that is left out is `no_data`. */
export interface Zone {
	/** `10 mx1.x.test`; `0 .` is a null MX. */
	readonly mx?: readonly string[] | Failed;
	readonly a?: readonly string[] | Failed;
	readonly aaaa?: readonly string[] | Failed;
}

interface FakeResolver extends Resolver {
	/** `MX x.test` and so on, in order. */
	readonly asked: readonly string[];
}

/** The address policy of production. */
export const PUBLIC_ONLY: AddressPolicy = [];

/** A DNS as a literal. A name that is left out does not exist. */
export function fakeResolver(zones: Readonly<Record<string, Zone>>): FakeResolver {
	const asked: string[] = [];
	const look = (type: RecordType, name: string): Answer<string> => {
		asked.push(`${type} ${name}`);
		const zone = zones[name];
		if (zone === undefined) return { kind: 'no_such_name' };
		const found = zone[type.toLowerCase() as keyof Zone];
		if (typeof found === 'string') return { kind: 'failed', cause: found };
		return found === undefined || found.length === 0
			? { kind: 'no_data' }
			: { kind: 'records', records: found };
	};
	return {
		asked,
		mx: (domain) => {
			const answer = look('MX', domain);
			return Promise.resolve(
				answer.kind === 'records' ? { kind: 'records', records: answer.records.map(mxRecord) } : answer,
			);
		},
		look: (name, type) => Promise.resolve(look(type, name)),
	};
}

function mxRecord(written: string): MxRecord {
	const [preference = '', exchange = ''] = written.split(' ');
	return { preference: Number(preference), exchange: exchange === '.' ? '' : exchange };
}
