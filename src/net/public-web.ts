import { readOctets } from '../lib/streams.ts';
import type { RecordSource } from '../core/dns/resolver.ts';
import { isPublicAddress } from '../lib/ip-address.ts';
import { hostOf, judgeEndpointUrl } from '../core/webhooks/endpoint-url.ts';
import type { Fetcher } from './invocation-fetch.ts';

/** The first `octetsMax` octets of a response, and whether that is all of it. The rest is cancelled. */
export async function readResponse(response: Response, octetsMax: number): ReturnType<typeof readOctets> {
	const read = await readOctets(response, octetsMax);
	if (!read.isWhole) await response.body?.cancel();
	return read;
}

const REDIRECTS_MAX = 3;

/** The answer of a website. */
export type WebAnswer =
	| {
			readonly kind: 'page';
			/** The URL of the page itself, after redirects. */
			readonly url: string;
			readonly status: number;
			readonly headers: Headers;
			/** Cut off at the limit. */
			readonly text: string;
	  }
	/** It redirects to a host that may not be visited. */
	| { readonly kind: 'left'; readonly host: string }
	/** The DNS has no address for the name. */
	| { readonly kind: 'no_address' }
	/** No answer: no connection, too late, not https, no public address, or too many redirects. */
	| { readonly kind: 'failed' };

/**
 * Looks a host up with our resolver; `not_public`: a private address, or a failed look-up. The platform resolves the name
 * again when it connects, and takes no address: the check stops names of private networks, but not a name that changes
 * between the two look-ups.
 */
export async function checkHost(
	records: RecordSource,
	host: string,
): Promise<'public' | 'no_address' | 'not_public'> {
	const known = await Promise.all([records.look(host, 'A'), records.look(host, 'AAAA')]);
	const addresses = known.flatMap((answer) => (answer.kind === 'records' ? answer.records : []));
	if (addresses.length > 0) return addresses.every(isPublicAddress) ? 'public' : 'not_public';
	return known.some(({ kind }) => kind === 'failed') ? 'not_public' : 'no_address';
}

/** Which URLs are fetched, and how much of them. */
export interface WebLimits {
	readonly limitMs: number;
	readonly octetsMax: number;
	readonly accept: string;
	/** Whether a host may be visited; it may take its time. */
	readonly admits: (host: string) => boolean | Promise<boolean>;
	/** The first URL is our configuration's, which may name any host and port. */
	readonly trusted?: boolean;
}

/** Fetches a URL. Never throws. */
export type WebReader = (url: string, limits: WebLimits) => Promise<WebAnswer>;

const FAILED = { kind: 'failed' } as const;

/**
 * Fetches untrusted URLs by https on port 443 only, at public addresses. Each redirect is checked too.
 *
 * @param userAgent names us, and where to complain
 * @param ownHost the host of our own address, which we never call; null: not configured
 */
export function webReader(
	{ userAgent, ownHost }: { readonly userAgent: string; readonly ownHost: string | null },
	records: RecordSource,
	fetcher: Fetcher,
): WebReader {
	/** Why a URL is not visited, or null. */
	const refuse = async (
		url: URL,
		isRedirect: boolean,
		{ admits, trusted = false }: WebLimits,
	): Promise<WebAnswer | null> => {
		const host = hostOf(url);
		if (!(await admits(host))) return isRedirect ? { kind: 'left', host } : FAILED;
		if (trusted && !isRedirect) return null;
		const isOfStrangers = judgeEndpointUrl(url.href, { ownHost, allowsLoopback: false }).ok;
		if (!isOfStrangers || url.port !== '') return FAILED;
		const check = await checkHost(records, host);
		if (check === 'public') return null;
		return check === 'no_address' && !isRedirect ? { kind: 'no_address' } : FAILED;
	};
	return async (first, limits) => {
		const { limitMs, octetsMax, accept } = limits;
		if (limitMs <= 0 || !URL.canParse(first)) return FAILED;
		const signal = AbortSignal.timeout(limitMs);
		let url = new URL(first);
		try {
			for (let redirects = 0; redirects <= REDIRECTS_MAX; redirects += 1) {
				const refusal = await refuse(url, redirects > 0, limits);
				if (refusal !== null) return refusal;
				const headers = { 'user-agent': userAgent, accept };
				const response = await fetcher(url.href, { headers, redirect: 'manual', signal });
				const location = response.headers.get('location');
				if (location === null || ![301, 302, 303, 307, 308].includes(response.status)) {
					const { octets } = await readResponse(response, octetsMax);
					// Invalid UTF-8 becomes U+FFFD.
					const text = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true }).decode(octets);
					return { kind: 'page', url: url.href, status: response.status, headers: response.headers, text };
				}
				await response.body?.cancel();
				url = new URL(location, url);
				url.hash = '';
			}
		} catch {
			// No connection, too late, or a redirect to nonsense.
		}
		return FAILED;
	};
}
