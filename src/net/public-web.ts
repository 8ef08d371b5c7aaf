import { readOctets } from '../lib/streams.ts';
import type { RecordSource } from '../core/dns/resolver.ts';
import { isSameRegistrable } from '../core/dns/registrable.ts';
import { usableAddresses } from '../core/dns/find-mail-exchangers.ts';
import type { AddressPolicy } from '../core/dns/find-mail-exchangers.ts';
import { hostOf } from '../core/webhooks/endpoint-url.ts';
import type { PublicWeb, WebAnswer, WebLimits } from '../engine/domain/port.ts';
import type { Fetcher } from './invocation-fetch.ts';

/** The first `octetsMax` octets of a response, and whether that is all of it. The rest is cancelled. */
export async function readResponse(response: Response, octetsMax: number): ReturnType<typeof readOctets> {
	const read = await readOctets(response, octetsMax);
	if (!read.isWhole) await response.body?.cancel();
	return read;
}

/** The addresses behind a name: public ones only, none, or else a private address or a failed look-up. */
type HostCheck = 'public' | 'no_address' | 'not_public';

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
 * Looks a host up with our resolver. The platform resolves the name again when it connects, and takes no address: the
 * check stops names of private networks, but not a name that changes between the two look-ups.
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

type Followed<Stop> =
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

interface PublicWebSettings {
	/** Names us, and where to complain. */
	readonly userAgent: string;
	/** Which IP addresses may be visited: public ones, and those allowed by configuration. */
	readonly policy: AddressPolicy;
	/** The host of our own address, which we never call; null: not configured. */
	readonly ownHost: string | null;
}

/** Fetches untrusted websites by https on port 443 only, at public addresses. Each redirect is checked too. */
export class CheckedWeb implements PublicWeb {
	readonly #settings: PublicWebSettings;
	readonly #records: RecordSource;
	readonly #fetch: Fetcher;

	constructor(settings: PublicWebSettings, records: RecordSource, fetcher: Fetcher) {
		this.#settings = settings;
		this.#records = records;
		this.#fetch = fetcher;
	}

	async get(url: string, limits: WebLimits): Promise<WebAnswer> {
		if (limits.limitMs <= 0 || !URL.canParse(url)) return FAILED;
		const signal = AbortSignal.timeout(limits.limitMs);
		try {
			return await this.#get(new URL(url), limits, signal);
		} catch {
			return FAILED;
		}
	}

	async #get(first: URL, limits: WebLimits, signal: AbortSignal): Promise<WebAnswer> {
		const headers = { 'user-agent': this.#settings.userAgent, accept: 'text/html, text/plain, */*;q=0.1' };
		const request = (url: URL): Promise<Response> =>
			this.#fetch(url.href, { headers, redirect: 'manual', signal });
		const followed = await follow(first, request, limits.redirectsMax, (url, isRedirect) =>
			this.#refuse(url, isRedirect, limits),
		);
		if (followed.kind === 'stopped') return followed.stop;
		if (followed.kind === 'too_many') return FAILED;
		const { response, url } = followed;
		const { text } = await readText(response, limits.octetsMax);
		const mediaType = (response.headers.get('content-type') ?? '').split(';', 1)[0] ?? '';
		return {
			kind: 'page',
			url: url.href,
			status: response.status,
			mediaType: mediaType.trim().toLowerCase(),
			text,
		};
	}

	/** Why a URL is not visited, or null. */
	async #refuse(url: URL, isRedirect: boolean, limits: WebLimits): Promise<WebAnswer | null> {
		const host = hostOf(url);
		if (!limits.within(host)) return isRedirect ? { kind: 'left', host } : FAILED;
		if (!isOfStrangers(url, this.#settings.ownHost)) return FAILED;
		const check = await checkHost(this.#records, host, this.#settings.policy);
		if (check === 'public') return null;
		return check === 'no_address' && !isRedirect ? { kind: 'no_address' } : FAILED;
	}
}

const FAILED: WebAnswer = { kind: 'failed' };
