import { readMtaStsPolicy } from '../../core/catchall/domain/mail-policies.ts';
import type { MtaStsFinding } from '../../core/catchall/domain/mail-policies.ts';
import type { DomainPorts } from './port.ts';

// RFC 8461 §3.3 suggests 64 kilobytes as the longest policy to accept.
const POLICY_OCTETS_MAX = 65_536;
const KEPT_SECONDS = 86_400;

/** The mode of a domain's MTA-STS policy, or null where it can't be read. For domains that announce one in the DNS. */
export async function lookUpMtaSts(
	{ cache, web }: DomainPorts,
	domain: string,
	limitMs: number,
): Promise<MtaStsFinding | null> {
	const key = `mta-sts/1/${domain}`;
	const remembered = await cache.get(key);
	if (remembered !== undefined) return remembered as MtaStsFinding;
	const host = `mta-sts.${domain}`;
	// RFC 8461 §3.3: redirects are not followed.
	const answer = await web.get(`https://${host}/.well-known/mta-sts.txt`, {
		limitMs,
		octetsMax: POLICY_OCTETS_MAX,
		redirectsMax: 0,
		within: (visited) => visited === host,
	});
	if (answer.kind !== 'page' || answer.status !== 200 || answer.mediaType !== 'text/plain') return null;
	const mode = readMtaStsPolicy(answer.text);
	if (mode !== null) await cache.put(key, mode, KEPT_SECONDS);
	return mode;
}
