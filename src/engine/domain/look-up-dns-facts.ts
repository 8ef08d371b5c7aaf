import { NO_DNS_FACTS } from '../../core/catchall/domain-facts.ts';
import type { DnsFacts } from '../../core/catchall/domain-facts.ts';
import {
	decideDmarc,
	hasBimi,
	hasMtaSts,
	operatorSelectors,
	readDane,
	readDkim,
	readDmarcRecord,
	readSpf,
	readTlsRpt,
} from '../../core/catchall/domain/mail-policies.ts';
import type { DmarcRecord } from '../../core/catchall/domain/mail-policies.ts';
import { readParking } from '../../core/catchall/domain/website.ts';
import { readCaaAddresses, readReportUris, readSoaAddress } from '../../core/catchall/domain/published.ts';
import type { PublishedAddress } from '../../core/catchall/domain/published.ts';
import { findRegistrable } from '../../core/dns/registrable.ts';
import type { Answer, Looked, LookedUpType } from '../../core/dns/resolver.ts';
import type { DomainPorts } from './port.ts';
import { withinTime } from './within-time.ts';

/** The facts of the DNS about a domain, and the addresses that it publishes there. */
export interface DnsFindings {
	readonly facts: DnsFacts;
	readonly published: readonly PublishedAddress[] | null;
}

export const NO_DNS_FINDINGS: DnsFindings = { facts: NO_DNS_FACTS, published: null };

const TTL_SECONDS_MIN = 300;
const TTL_SECONDS_MAX = 86_400;
// Long enough that no real label is equal, so that only a wildcard matches.
const CONTROL_LENGTH = 24;

/** Sends some twenty DNS queries about a domain. A late answer is null. Only complete findings are cached. */
export async function lookUpDnsFacts(
	ports: DomainPorts,
	domain: string,
	mailHosts: readonly string[],
	limitMs: number,
): Promise<DnsFindings> {
	const { cache, clock } = ports;
	const ends = clock.now() + limitMs;
	const key = `dns/1/${domain}/${mailHosts[0] ?? ''}`;
	const remembered = await withinTime(clock, limitMs, () => cache.get(key));
	if (remembered !== null && remembered !== undefined) return remembered as DnsFindings;
	const questions = new Questions(ports, ends);
	const findings = await ask(questions, domain, mailHosts, ports.randomness.word(CONTROL_LENGTH));
	if (questions.allAnswered) {
		const ttl = Math.min(TTL_SECONDS_MAX, Math.max(TTL_SECONDS_MIN, Math.floor(questions.shortestTtl)));
		await withinTime(clock, ends - clock.now(), () => cache.put(key, findings, ttl));
	}
	return findings;
}

/** Sends DNS queries, and keeps the shortest TTL. */
class Questions {
	readonly #ports: DomainPorts;
	readonly #ends: number;
	#unanswered = 0;
	shortestTtl = TTL_SECONDS_MAX;

	constructor(ports: DomainPorts, ends: number) {
		this.#ports = ports;
		this.#ends = ends;
	}

	get allAnswered(): boolean {
		return this.#unanswered === 0;
	}

	async look(name: string, type: LookedUpType): Promise<Looked | null> {
		const { clock, records } = this.#ports;
		const looked = await withinTime(clock, this.#ends - clock.now(), () => records.look(name, type));
		if (looked === null || looked.answer.kind === 'failed') this.#unanswered += 1;
		else this.shortestTtl = Math.min(this.shortestTtl, looked.ttlSeconds);
		return looked;
	}

	async answer(name: string, type: LookedUpType): Promise<Answer<string> | null> {
		return (await this.look(name, type))?.answer ?? null;
	}

	/** The records; empty where there are none, null where the DNS did not answer. */
	async list(name: string, type: LookedUpType): Promise<readonly string[] | null> {
		const answer = await this.answer(name, type);
		if (answer === null || answer.kind === 'failed') return null;
		return answer.kind === 'records' ? answer.records : [];
	}
}

async function ask(
	questions: Questions,
	domain: string,
	mailHosts: readonly string[],
	control: string,
): Promise<DnsFindings> {
	const [host] = mailHosts;
	const unknownName = `${control}.${domain}`;
	const [mx, apex, dmarc, dkim, sts, tls, bimi, dane, parking, soa, caa, wildcardMx, wildcardAddress] =
		await Promise.all([
			questions.look(domain, 'MX'),
			questions.list(domain, 'TXT'),
			lookUpDmarc(questions, domain),
			lookUpDkim(questions, domain, mailHosts, unknownName),
			questions.list(`_mta-sts.${domain}`, 'TXT'),
			questions.list(`_smtp._tls.${domain}`, 'TXT'),
			questions.list(`default._bimi.${domain}`, 'TXT'),
			host === undefined ? null : questions.look(`_25._tcp.${host}`, 'TLSA'),
			lookUpParking(questions, domain),
			questions.list(domain, 'SOA'),
			questions.list(domain, 'CAA'),
			questions.list(unknownName, 'MX'),
			questions.list(unknownName, 'A'),
		]);
	const tlsRpt = tls === null ? null : readTlsRpt(tls);
	const mxAnswered = mx !== null && mx.answer.kind !== 'failed';
	const facts: DnsFacts = {
		spf: apex === null ? null : readSpf(apex),
		dmarc: dmarc === null ? null : decideDmarc(dmarc.own, dmarc.organisational),
		dkim,
		mtaSts: sts === null ? null : hasMtaSts(sts) ? 'record' : 'missing',
		tlsRpt: tls === null ? null : presence(tlsRpt !== null),
		bimi: bimi === null ? null : presence(hasBimi(bimi)),
		dnssec: mxAnswered ? (mx.authenticated ? 'signed' : 'unsigned') : null,
		dane: readDane(dane),
		parking,
		wildcardMx: wildcardMx === null ? null : wildcardMx.length > 0,
		wildcardAddress: wildcardAddress === null ? null : wildcardAddress.length > 0,
	};
	const reports = dmarc?.own?.reportsTo ?? dmarc?.organisational?.reportsTo ?? '';
	const isAnyKnown = [dmarc, tls, soa, caa].some((answer) => answer !== null);
	const published = [
		...readReportUris(reports, domain, 'dmarc'),
		...readReportUris(tlsRpt ?? '', domain, 'tls_rpt'),
		...(soa ?? []).flatMap((rname) => readSoaAddress(rname, domain)),
		...readCaaAddresses(caa ?? [], domain),
	];
	return { facts, published: isAnyKnown ? published : null };
}

function presence(isPresent: boolean): 'present' | 'missing' {
	return isPresent ? 'present' : 'missing';
}

interface DmarcRecords {
	readonly own: DmarcRecord | null;
	readonly organisational: DmarcRecord | null;
}

/** The record of the domain or, where it has none, that of the organisational domain. */
async function lookUpDmarc(questions: Questions, domain: string): Promise<DmarcRecords | null> {
	const texts = await questions.list(`_dmarc.${domain}`, 'TXT');
	if (texts === null) return null;
	const record = readDmarcRecord(texts);
	const above = findRegistrable(domain)?.domain ?? domain;
	if (record !== null || above === domain) return { own: record, organisational: null };
	const textsAbove = await questions.list(`_dmarc.${above}`, 'TXT');
	return textsAbove === null ? null : { own: record, organisational: readDmarcRecord(textsAbove) };
}

async function lookUpDkim(
	questions: Questions,
	domain: string,
	mailHosts: readonly string[],
	unknownName: string,
): Promise<DnsFacts['dkim']> {
	const [parent, control, ...selectors] = await Promise.all([
		questions.answer(`_domainkey.${domain}`, 'TXT'),
		questions.answer(unknownName, 'TXT'),
		...operatorSelectors(mailHosts).map((selector) =>
			questions.answer(`${selector}._domainkey.${domain}`, 'TXT'),
		),
	]);
	return readDkim({ parent, control, selectors });
}

async function lookUpParking(questions: Questions, domain: string): Promise<DnsFacts['parking']> {
	const registrable = findRegistrable(domain)?.domain ?? domain;
	const [nameServers, addresses, bare, www] = await Promise.all([
		questions.list(registrable, 'NS'),
		questions.list(domain, 'A'),
		questions.list(domain, 'CNAME'),
		questions.list(`www.${domain}`, 'CNAME'),
	]);
	return readParking({
		nameServers,
		addresses,
		aliases: bare === null || www === null ? null : [...bare, ...www],
	});
}
