import { NO_DNS_FACTS } from '../../core/catchall/domain.ts';
import type { DnsFacts } from '../../core/catchall/domain.ts';
import { decideDmarc, readDmarcRecord, readSpf } from '../../core/catchall/domain/mail-policies.ts';
import type { DmarcFinding } from '../../core/catchall/domain/mail-policies.ts';
import { readParking } from '../../core/catchall/domain/website.ts';
import { findRegistrable } from '../../core/dns/registrable.ts';
import type { LookedUpType } from '../../core/dns/resolver.ts';
import type { DomainPorts } from './port.ts';
import { withinTime } from './within-time.ts';

const TTL_SECONDS_MIN = 300;
const TTL_SECONDS_MAX = 86_400;

/** The records; empty where there are none, null where the DNS did not answer. */
type List = (name: string, type: LookedUpType) => Promise<readonly string[] | null>;

/** Sends five or six DNS queries about a domain. A late answer is null. Only complete facts are cached. */
export async function lookUpDnsFacts(
	{ cache, clock, records }: DomainPorts,
	domain: string,
	limitMs: number,
): Promise<DnsFacts> {
	const ends = clock.now() + limitMs;
	const key = `dns/2/${domain}`;
	const remembered = await withinTime(clock, limitMs, () => cache.get(key));
	if (remembered !== null && remembered !== undefined) return remembered as DnsFacts;
	let shortestTtl = TTL_SECONDS_MAX;
	let isComplete = true;
	const list: List = async (name, type) => {
		const looked = await withinTime(clock, ends - clock.now(), () => records.look(name, type));
		if (looked === null || looked.answer.kind === 'failed') {
			isComplete = false;
			return null;
		}
		shortestTtl = Math.min(shortestTtl, looked.ttlSeconds);
		return looked.answer.kind === 'records' ? looked.answer.records : [];
	};
	const [texts, dmarc, parking] = await Promise.all([
		list(domain, 'TXT'),
		lookUpDmarc(list, domain),
		lookUpParking(list, domain),
	]);
	const facts = { ...NO_DNS_FACTS, spf: texts === null ? null : readSpf(texts), dmarc, parking };
	if (isComplete) {
		const ttl = Math.max(TTL_SECONDS_MIN, Math.floor(shortestTtl));
		await withinTime(clock, ends - clock.now(), () => cache.put(key, facts, ttl));
	}
	return facts;
}

/** The policy of the domain or, where it has none, of the organisational domain. */
async function lookUpDmarc(list: List, domain: string): Promise<DmarcFinding | null> {
	const texts = await list(`_dmarc.${domain}`, 'TXT');
	if (texts === null) return null;
	const record = readDmarcRecord(texts);
	const above = findRegistrable(domain)?.domain ?? domain;
	if (record !== null || above === domain) return decideDmarc(record, null);
	const textsAbove = await list(`_dmarc.${above}`, 'TXT');
	return textsAbove === null ? null : decideDmarc(null, readDmarcRecord(textsAbove));
}

async function lookUpParking(list: List, domain: string): Promise<DnsFacts['parking']> {
	const [nameServers, addresses, aliases] = await Promise.all([
		list(findRegistrable(domain)?.domain ?? domain, 'NS'),
		list(domain, 'A'),
		list(`www.${domain}`, 'CNAME'),
	]);
	return readParking({ nameServers, addresses, aliases });
}
