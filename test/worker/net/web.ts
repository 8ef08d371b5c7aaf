import { inject } from 'vitest';
import type { RecordSource } from '../../../src/core/dns/resolver.ts';
import type { Fetcher } from '../../../src/net/invocation-fetch.ts';

const ADDRESSES: Readonly<Record<string, readonly string[] | 'failed'>> = {
	'private.acme.test': ['10.0.0.1'],
	'mixed.acme.test': ['8.8.8.8', '::1'],
	'loopback.acme.test': ['127.0.0.1'],
	'mapped.acme.test': ['::ffff:10.0.0.1'],
	'metadata.acme.test': ['169.254.169.254'],
	'nat64.acme.test': ['64:ff9b::10.0.0.1'],
	'own-nat64.acme.test': ['64:ff9b:1::10.0.0.1'],
	'six-to-four.acme.test': ['2002:a00:1::1'],
	'teredo.acme.test': ['2001:0:a00:1::f5ff:fffe'],
	'gone.acme.test': [],
	'broken.acme.test': 'failed',
	'six.acme.test': ['2606:4700::1111'],
};

/** A DNS in which every name has a public address, but for those above. */
export const records: RecordSource = {
	look(name, type) {
		const found = ADDRESSES[name] ?? ['8.8.8.8'];
		if (found === 'failed') return Promise.resolve({ kind: 'failed', cause: 'timeout' });
		const list = found.filter((address) => address.includes(':') === (type === 'AAAA'));
		return Promise.resolve(list.length === 0 ? { kind: 'no_data' } : { kind: 'records', records: list });
	},
};

/** Leads https addresses to the web server on loopback, over real sockets, and notes each of them. */
export function webFetcher(): { readonly fetcher: Fetcher; readonly visited: readonly string[] } {
	const visited: string[] = [];
	const fetcher: Fetcher = (url, init) => {
		visited.push(url);
		const { hostname, pathname } = new URL(url);
		return fetch(`${inject('webUrl')}/${hostname}${pathname}`, init);
	};
	return { fetcher, visited };
}
