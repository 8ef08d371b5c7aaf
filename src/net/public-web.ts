import { readOctets } from '../lib/streams.ts';
import type { RecordSource } from '../core/dns/resolver.ts';
import { isSameRegistrable } from '../core/dns/registrable.ts';
import { isPublicAddress } from '../lib/ip-address.ts';
import { hostOf } from '../core/webhooks/endpoint-url.ts';
import type { Fetcher } from './invocation-fetch.ts';

/** The first `octetsMax` octets of a response, and whether that is all of it. The rest is cancelled. */
export async function readResponse(response: Response, octetsMax: number): ReturnType<typeof readOctets> {
	const read = await readOctets(response, octetsMax);
	if (!read.isWhole) await response.body?.cancel();
	return read;
}

const PAGE_OCTETS_MAX = 65_536;
const REDIRECTS_MAX = 3;

/** The answer of a website. */
export type WebAnswer =
	| {
			readonly kind: 'page';
			/** The URL of the page itself, after redirects. */
			readonly url: string;
			readonly status: number;
			/** Cut off at the limit. */
			readonly text: string;
	  }
	/** It redirects to a host that may not be visited. */
	| { readonly kind: 'left'; readonly host: string }
	/** The DNS has no address for the name. */
	| { readonly kind: 'no_address' }
	/** No answer: no connection, too late, not https, no public address, or too many redirects. */
	| { readonly kind: 'failed' };

/** The addresses behind a name: public ones only, none, or else a private address or a failed look-up. */
type HostCheck = 'public' | 'no_address' | 'not_public';

/**
 * True for the URL of a website that strangers may lead us to, as far as its text tells: https on its own port, without a
 * password, by name, and not to ourselves or beside us.
 *
 * @param ownHost the host of our own address; null: not configured
 */
function isOfStrangers(url: URL, ownHost: string | null): boolean {
	const isPlain = url.protocol === 'https:' && url.port === '' && url.username === '' && url.password === '';
	const host = hostOf(url);
	if (!isPlain || !/[a-z]/.test(host) || host.startsWith('[')) return false;
	return ownHost === null || !isSameRegistrable(host, ownHost);
}

/**
 * Looks a host up with our resolver. The platform resolves the name again when it connects, and takes no address: the
 * check stops names of private networks, but not a name that changes between the two look-ups.
 */
export async function checkHost(records: RecordSource, host: string): Promise<HostCheck> {
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

/** A page as it came: with the beginning of its text, or all of it. */
type Page = Extract<WebAnswer, { kind: 'page' }> & { readonly isWhole: boolean; readonly headers: Headers };

interface PublicWebSettings {
	/** Names us, and where to complain. */
	readonly userAgent: string;
	/** The host of our own address, which we never call; null: not configured. */
	readonly ownHost: string | null;
}

/** Fetches untrusted URLs by https on port 443 only, at public addresses. Each redirect is checked too. Never throws. */
export class CheckedWeb {
	readonly #settings: PublicWebSettings;
	readonly #records: RecordSource;
	readonly #fetch: Fetcher;

	constructor(settings: PublicWebSettings, records: RecordSource, fetcher: Fetcher) {
		this.#settings = settings;
		this.#records = records;
		this.#fetch = fetcher;
	}

	async get(first: string, limits: WebLimits): Promise<Exclude<WebAnswer, { kind: 'page' }> | Page> {
		const { limitMs, octetsMax, accept } = limits;
		if (limitMs <= 0 || !URL.canParse(first)) return FAILED;
		const signal = AbortSignal.timeout(limitMs);
		const headers = { 'user-agent': this.#settings.userAgent, accept };
		let url = new URL(first);
		try {
			for (let redirects = 0; redirects <= REDIRECTS_MAX; redirects += 1) {
				const refusal = await this.#refuse(url, redirects > 0, limits);
				if (refusal !== null) return refusal;
				const response = await this.#fetch(url.href, { headers, redirect: 'manual', signal });
				const location = response.headers.get('location');
				if (location === null || ![301, 302, 303, 307, 308].includes(response.status)) {
					const { octets, isWhole } = await readResponse(response, octetsMax);
					// Invalid UTF-8 becomes U+FFFD.
					const text = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true }).decode(octets);
					const { status, headers: told } = response;
					return { kind: 'page', url: url.href, status, text, isWhole, headers: told };
				}
				await response.body?.cancel();
				url = new URL(location, url);
			}
		} catch {
			// No connection, too late, or a redirect to nonsense.
		}
		return FAILED;
	}

	/** Why a URL is not visited, or null. */
	async #refuse(
		url: URL,
		isRedirect: boolean,
		{ admits, trusted = false }: WebLimits,
	): Promise<Exclude<WebAnswer, { kind: 'page' }> | null> {
		const host = hostOf(url);
		if (!(await admits(host))) return isRedirect ? { kind: 'left', host } : FAILED;
		if (trusted && !isRedirect) return null;
		if (!isOfStrangers(url, this.#settings.ownHost)) return FAILED;
		const check = await checkHost(this.#records, host);
		if (check === 'public') return null;
		return check === 'no_address' && !isRedirect ? { kind: 'no_address' } : FAILED;
	}
}

const FAILED = { kind: 'failed' } as const;

/** Fetches a page of the domain, or of a host that belongs to it. Never throws. */
export function visitsTo(web: CheckedWeb) {
	return (domain: string, url: string, limitMs: number): Promise<WebAnswer> =>
		web.get(url, {
			limitMs,
			octetsMax: PAGE_OCTETS_MAX,
			accept: 'text/html, text/plain, */*;q=0.1',
			admits: (host) => isSameRegistrable(host, domain),
		});
}
