import type { RecordSource } from '../../../src/core/dns/resolver.ts';
import { webReader } from '../../../src/net/public-web.ts';
import { bootstrap, domainObject } from '../../sandbox/rdap-server.ts';
import { fakeClock } from './fake-clock.ts';

// Websites and registries of strangers, and the DNS of their names.

type Play = (signal: AbortSignal) => Response | Promise<Response>;

const plain =
	(text: string, status = 200, headers = {}): Play =>
	() =>
		new Response(text, { status, headers });
const html = (text: string, status = 200): Play =>
	plain(text, status, { 'content-type': 'text/html; charset=utf-8' });
const redirect = (location: string, status = 301): Play => plain('', status, { location });
const silent: Play = (signal) =>
	new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('too late'))));
const json = (value: object): Play => plain(JSON.stringify(value));

/** By host and path. */
const SITES: Readonly<Record<string, Play>> = {
	'acme.test/': html('<title>Acme</title>'),
	'www.acme.test/': html('<title>Acme at www</title>'),
	'once.acme.test/': redirect('https://www.acme.test/'),
	'twice.acme.test/': redirect('//once.acme.test/', 302),
	'thrice.acme.test/': redirect('https://twice.acme.test/', 308),
	'four-times.acme.test/': redirect('https://thrice.acme.test/'),
	'loop.acme.test/': redirect('/'),
	'plain-http.acme.test/': redirect('http://www.acme.test/'),
	'port.acme.test/': redirect('https://www.acme.test:8443/'),
	'elsewhere.acme.test/': redirect('https://www.other.test/lander'),
	'to-private.acme.test/': redirect('https://private.acme.test/'),
	'to-address.acme.test/': redirect('https://127.0.0.1/'),
	'to-nothing.acme.test/': redirect('https://gone.acme.test/'),
	'nonsense.acme.test/': redirect('https://[nonsense'),
	'error.acme.test/': html('oops', 503),
	'latin1.acme.test/': () => new Response(Buffer.from('<p>caf\xe9</p>', 'latin1')),
	'endless.acme.test/': () =>
		new Response(new ReadableStream({ pull: (stream) => stream.enqueue(Buffer.alloc(16_384, 'x')) })),
	'silent.acme.test/': silent,
	'closes.acme.test/': () => Promise.reject(new TypeError('connection lost')),
	'registries.test/dns.json': json(bootstrap('https://rdap.test/')),
	'rdap.test/domain/old.test': json(domainObject('old.test', { registeredDaysAgo: 5500 })),
	'rdap.test/domain/garbage.test': plain('{"objectClassName":'),
	'rdap.test/domain/huge.test': json({ objectClassName: 'domain', junk: 'x'.repeat(300 * 1024) }),
	'rdap.test/domain/busy.test': plain('{}', 429, { 'retry-after': '120' }),
	'rdap.test/domain/away.test': plain('', 503, {
		'retry-after': new Date(fakeClock().now() + 60_000).toUTCString(),
	}),
	'rdap.test/domain/away-for-ever.test': plain('', 503, { 'retry-after': '999999999' }),
	'rdap.test/domain/away-somehow.test': plain('', 429),
	'rdap.test/domain/error.test': plain('{}', 500),
	'rdap.test/domain/silent.test': silent,
	'rdap.test/domain/moved.test': redirect('https://rdap.other.test/domain/moved.test', 302),
	'rdap.test/domain/to-http.test': redirect('http://rdap.other.test/domain/moved.test', 302),
	'rdap.test/domain/to-private.test': redirect('https://private.acme.test/domain/moved.test', 302),
	'rdap.test/domain/to-port.test': redirect('https://rdap.other.test:25/domain/moved.test', 302),
	'rdap.test/domain/to-password.test': redirect('https://:a@rdap.other.test/domain/moved.test', 302),
	'rdap.test/domain/to-address.test': redirect('https://8.8.8.8/domain/moved.test', 302),
	'rdap.test/domain/to-address-six.test': redirect('https://[2606:4700::1111]/domain/moved.test', 302),
	'rdap.test/domain/to-us.test': redirect('https://api.ours.test./domain/moved.test', 302),
	'rdap.test/domain/to-beside-us.test': redirect('https://www.ours.test/domain/moved.test', 302),
	'rdap.test/domain/loop.test': redirect('https://rdap.test/domain/loop.test', 302),
	'rdap.other.test/domain/moved.test': json({ objectClassName: 'domain', ldhName: 'moved.test' }),
};

/** Of all other names it is a public one. */
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

const records: RecordSource = {
	look(name, type) {
		const found = ADDRESSES[name] ?? ['8.8.8.8'];
		if (found === 'failed') return Promise.resolve({ kind: 'failed', cause: 'timeout' });
		const list = found.filter((address) => address.includes(':') === (type === 'AAAA'));
		return Promise.resolve(list.length === 0 ? { kind: 'no_data' } : { kind: 'records', records: list });
	},
};

/** Our way to them, and the URLs that were visited. `play`: what all of them answer instead. */
export function webOfStrangers(play?: Play) {
	const visited: string[] = [];
	const settings = { userAgent: 'Mailsonar', ownHost: 'api.ours.test' };
	const web = webReader(settings, records, async (url, { redirect: manner, signal }) => {
		// Else the runtime would follow where nobody looked.
		if (manner !== 'manual') throw new Error('each redirect is ours to judge');
		visited.push(url);
		const { hostname, pathname } = new URL(url);
		return (play ?? SITES[hostname + pathname] ?? html('not found', 404))(signal!);
	});
	return { web, visited };
}
