import type { RecordSource } from '../core/dns/records.ts';
import { isSameRegistrable } from '../core/dns/registrable.ts';
import { usableAddresses } from '../core/dns/usable-addresses.ts';
import type { AddressPolicy } from '../core/dns/usable-addresses.ts';
import { hostOf } from '../core/webhooks/endpoint-url.ts';
import { readResponse } from './read-response.ts';

/** What a name resolves to: public addresses only, no address, or else: a private address, or a failed look-up. */
export type HostCheck = 'public' | 'no_address' | 'not_public';

/**
 * True for the URL of a website that strangers may lead us to, as far as its text tells: https on its own port, without a
 * password, by name, and not to ourselves or beside us.
 *
 * @param ownHost the host of our own address; null: not configured
 */
export function isOfStrangers(url: URL, ownHost: string | null): boolean {
	const isPlain = url.protocol === 'https:' && url.port === '' && url.username === '' && url.password === '';
	const host = hostOf(url);
	if (!isPlain || !/[a-z]/.test(host) || host.startsWith('[')) return false;
	return ownHost === null || !isSameRegistrable(host, ownHost);
}

/**
 * Looks a host up with our resolver. The platform resolves the name again when it connects, and can't be told the
 * address: the check stops names of private networks, but not a name that changes between the two look-ups.
 */
export async function checkHost(
	records: RecordSource,
	host: string,
	policy: AddressPolicy,
): Promise<HostCheck> {
	const answers = await Promise.all([records.look(host, 'A'), records.look(host, 'AAAA')]);
	const known = answers.map(({ answer }) => answer);
	const addresses = known.flatMap((answer) => (answer.kind === 'records' ? answer.records : []));
	if (addresses.length > 0)
		return usableAddresses(addresses, policy).length === addresses.length ? 'public' : 'not_public';
	return known.some(({ kind }) => kind === 'failed') ? 'not_public' : 'no_address';
}

export type Followed<Stop> =
	| { readonly kind: 'response'; readonly response: Response; readonly url: URL }
	| { readonly kind: 'stopped'; readonly stop: Stop }
	| { readonly kind: 'too_many' };

/** Sends a request and follows redirects itself. `admit` checks each URL before it is visited; null: allowed. */
export async function follow<Stop>(
	first: URL,
	request: (url: URL) => Promise<Response>,
	redirectsMax: number,
	admit: (url: URL, isRedirect: boolean) => Promise<Stop | null>,
): Promise<Followed<Stop>> {
	let url = first;
	for (let redirects = 0; redirects <= redirectsMax; redirects += 1) {
		const stop = await admit(url, redirects > 0);
		if (stop !== null) return { kind: 'stopped', stop };
		const response = await request(url);
		const location = response.headers.get('location');
		const isRedirect = [301, 302, 303, 307, 308].includes(response.status) && location !== null;
		if (!isRedirect) return { kind: 'response', response, url };
		await response.body?.cancel();
		if (!URL.canParse(location, url)) return { kind: 'too_many' };
		url = new URL(location, url);
	}
	return { kind: 'too_many' };
}

/** The body as text, cut off at the limit; the rest is not read. Invalid UTF-8 becomes U+FFFD. */
export async function readText(
	response: Response,
	octetsMax: number,
): Promise<{ readonly text: string; readonly isCut: boolean }> {
	const { octets, isWhole } = await readResponse(response, octetsMax);
	return {
		text: new TextDecoder('utf-8', { fatal: false, ignoreBOM: true }).decode(octets),
		isCut: !isWhole,
	};
}
