import type { AddressPolicy } from '../core/dns/usable-addresses.ts';
import type { RecordSource } from '../core/dns/records.ts';
import type { PublicWeb, WebAnswer, WebLimits } from '../engine/domain/port.ts';
import { hostOf } from '../core/webhooks/endpoint-url.ts';
import { checkHost, follow, isOfStrangers, readText } from './visit.ts';
import type { Fetcher } from './invocation-fetch.ts';

export interface PublicWebSettings {
	/** Names us, and where to complain. */
	readonly userAgent: string;
	/** Which IP addresses may be visited: public ones, and those allowed by configuration. */
	readonly policy: AddressPolicy;
	/** The host of our own address, which nobody leads us to; null: not configured. */
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
