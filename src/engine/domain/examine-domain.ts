import { NOT_TOLD } from '../../core/catchall/domain.ts';
import type { DomainFacts } from '../../core/catchall/domain.ts';
import { readDmarc, readSpf } from '../../core/catchall/domain/mail-policies.ts';
import type { DmarcFinding } from '../../core/catchall/domain/mail-policies.ts';
import { readParking } from '../../core/catchall/domain/website.ts';
import type { ParkingFinding } from '../../core/catchall/domain/website.ts';
import { findRegistrable } from '../../core/dns/registrable.ts';
import type { LookedUpType } from '../../core/dns/resolver.ts';
import { ServiceError } from '../../errors.ts';
import { describeError, log } from '../../lib/log.ts';
import { lookAtWebsite, NO_SITE } from './look-at-website.ts';
import { lookUpRegistration } from './look-up-registration.ts';
import type { DomainPorts } from './port.ts';
import { within } from '../../lib/time.ts';

const BUDGET_MS = 5_000;

/** The records; empty where there are none, null where the DNS did not answer in time. */
type List = (name: string, type: LookedUpType) => Promise<readonly string[] | null>;

/**
 * Looks up everything about a domain in parallel. Never throws: a look-up that fails or is late is null in the facts, so
 * that no failure of ours or of a third party becomes a fact about the domain.
 * @param deadline epoch ms; a later answer counts as not measured
 */
export async function examineDomain(
	ports: DomainPorts,
	domain: string,
	deadline: number,
): Promise<DomainFacts> {
	const { clock, records } = ports;
	const ends = Math.min(clock.now() + BUDGET_MS, deadline);
	const registrable = findRegistrable(domain);
	/** The result, or null (not measured) when it fails or is late. Late work goes on, to fill the cache. */
	const measured = async <T>(work: (limitMs: number) => Promise<T>): Promise<T | null> => {
		const limitMs = ends - clock.now();
		if (limitMs <= 0) return null;
		const found = settled(() => work(limitMs));
		return within(found, limitMs, clock);
	};
	const list: List = async (name, type) => {
		const answer = await measured(() => records.look(name, type));
		if (answer === null || answer.kind === 'failed') return null;
		return answer.kind === 'records' ? answer.records : [];
	};
	const above = registrable?.domain ?? domain;
	const [texts, dmarc, parking, site, registration] = await Promise.all([
		list(domain, 'TXT'),
		lookUpDmarc(list, domain, above),
		lookUpParking(list, domain, above),
		measured((limitMs) => lookAtWebsite(ports, domain, limitMs)),
		// Under a private suffix such as uk.com, the registration's age is the suffix's, not the domain's.
		registrable === null || registrable.isPrivate
			? null
			: measured(async (limitMs) => ({
					found: await lookUpRegistration(ports, registrable.domain, limitMs),
				})).then((answer) => (answer === null ? NOT_TOLD : answer.found)),
	]);
	return {
		domain,
		measuredAt: clock.now(),
		spf: texts === null ? null : readSpf(texts),
		dmarc,
		parking,
		...(site ?? NO_SITE),
		registration,
	};
}

/** Never rejects. The port itself reports an outage; any other failure is a bug of ours, which costs one finding. */
async function settled<T>(work: () => Promise<T>): Promise<T | null> {
	try {
		return await work();
	} catch (error) {
		if (!(error instanceof ServiceError)) log('look_up_failed', describeError(error));
		return null;
	}
}

/** The policy of the domain or, where it has none, of the organisational domain above it (RFC 7489 §6.6.3). */
async function lookUpDmarc(list: List, domain: string, above: string): Promise<DmarcFinding | null> {
	const texts = await list(`_dmarc.${domain}`, 'TXT');
	if (texts === null) return null;
	const policy = readDmarc(texts);
	if (policy !== 'missing' || above === domain) return policy;
	const textsAbove = await list(`_dmarc.${above}`, 'TXT');
	return textsAbove === null ? null : readDmarc(textsAbove, true);
}

async function lookUpParking(list: List, domain: string, above: string): Promise<ParkingFinding | null> {
	const [nameServers, addresses, aliases] = await Promise.all([
		list(above, 'NS'),
		list(domain, 'A'),
		list(`www.${domain}`, 'CNAME'),
	]);
	return readParking({ nameServers, addresses, aliases });
}
