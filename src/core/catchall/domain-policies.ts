import type { DomainPolicies } from './signals.ts';
import { readDmarcRecord } from './domain/dmarc.ts';
import { readSpf } from './domain/spf.ts';
import type { Answer, Resolver } from '../dns/resolver.ts';

/** Reads SPF (RFC 7208) and DMARC (RFC 7489) of a domain itself. What can't be read is null. */
export async function readDomainPolicies(resolver: Resolver, domain: string): Promise<DomainPolicies> {
	const [apex, dmarc] = await Promise.all([resolver.txt(domain), resolver.txt(`_dmarc.${domain}`)]);
	const texts = textsOf(apex);
	return { spf: texts === null ? null : readSpf(texts), dmarc: readDmarc(textsOf(dmarc)) };
}

function readDmarc(texts: readonly string[] | null): DomainPolicies['dmarc'] {
	if (texts === null) return null;
	const record = readDmarcRecord(texts);
	if (record === null) return 'missing';
	return record.policy === 'none' ? 'monitored' : 'enforced';
}

function textsOf(answer: Answer<string>): readonly string[] | null {
	switch (answer.kind) {
		case 'records':
			return answer.records;
		case 'no_data':
		case 'no_such_name':
			return [];
		case 'failed':
			return null;
	}
}
