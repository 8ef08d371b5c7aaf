import type { DomainPolicies } from './signals.ts';
import type { Answer, Resolver } from '../dns/resolver.ts';

/** Reads SPF (RFC 7208) and DMARC (RFC 7489) of a domain. What can't be read is null. */
export async function readDomainPolicies(resolver: Resolver, domain: string): Promise<DomainPolicies> {
	const [apex, dmarc] = await Promise.all([resolver.txt(domain), resolver.txt(`_dmarc.${domain}`)]);
	return { spf: readSpf(apex), dmarc: readDmarc(dmarc) };
}

function readSpf(answer: Answer<string>): DomainPolicies['spf'] {
	const texts = textsOf(answer);
	if (texts === null) return null;
	// RFC 7208 §4.5: the version is the whole first word.
	const records = texts.filter((text) => /^v=spf1(?: |$)/i.test(text));
	if (records.length > 1) return 'several';
	const [record] = records;
	if (record === undefined) return 'missing';
	return /^v=spf1\s+-all\s*$/i.test(record) ? 'sends_no_mail' : 'ok';
}

function readDmarc(answer: Answer<string>): DomainPolicies['dmarc'] {
	const texts = textsOf(answer);
	if (texts === null) return null;
	const record = texts.find((text) => /^v=DMARC1\s*(?:;|$)/i.test(text));
	if (record === undefined) return 'missing';
	return /;\s*p\s*=\s*(?:reject|quarantine)\b/i.test(record) ? 'enforced' : 'monitored';
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
