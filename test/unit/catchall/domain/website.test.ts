import { PARKING_BLOCKS } from '../../../../src/core/catchall/domain/data/parking-services.ts';
import {
	findContactPage,
	isAllowedByRobots,
	readPage,
	isMarketPlace,
	readParking,
} from '../../../../src/core/catchall/domain/website.ts';
import { findRegistrable, isSameRegistrable } from '../../../../src/core/dns/registrable.ts';
import { parseAddressBlock } from '../../../../src/lib/ip-address.ts';
import { cpuMsOf } from '../../../support/cpu-ms.ts';
import { describe, expect, test } from 'vitest';

const LANDER = 'window.onload=function(){window.location.href="/lander"}';
test.each<[string, string, string | null]>([
	['of a company', '<html><title>Acme Ltd</title><h1>Anvils since 1949</h1>', 'own'],
	['that a script fills', '<!doctype html><div id="root"></div><script src="/app.js"></script>', 'own'],
	['of an estate agent', '<title>Homes</title><p>This house is for sale. Buy this home.</p>', 'own'],
	['of nginx', '<title>Welcome to nginx!</title>', 'default_page'],
	['of Apache', '<title>Apache2 Ubuntu Default Page: It works</title>', 'default_page'],
	['of Plesk', "<title>Web Server's Default Page</title>", 'default_page'],
	['that is a listing', '<title>Index of /</title>', 'default_page'],
	['for sale', '<h1>The domain acme-anvils.com is for sale!</h1>', 'for_sale'],
	['for sale by a button', '<button>Buy this domain</button>', 'for_sale'],
	['of a parking service', '<script src="https://img.sedoparking.com/x.js"></script>', 'for_sale'],
	['that leads to a lander', `<script>${LANDER}</script>`, 'for_sale'],
	['that has expired', '<p>This domain has expired.</p>', 'for_sale'],
	['behind a wall', '<title>Just a moment...</title><p>This domain is for sale</p>', null],
	['behind a puzzle', '<html><script src="https://geo.captcha-delivery.com/c.js"></script>', null],
	['that is empty', '', null],
	['that is no page', '{"status":"ok"}', null],
])('a home page %s', (_, text, finding) => {
	expect(readPage(text)).toBe(finding);
});

const BASE = 'https://www.acme.com/en/';
test.each<[string, string | null]>([
	['<a href="/about">About</a> <a href="/en/contact.html">', 'https://www.acme.com/en/contact.html'],
	["<A HREF='impressum'>Impressum</A>", 'https://www.acme.com/en/impressum'],
	['<a href="https://www.acme.com/kontakt?x=1#y">', 'https://www.acme.com/kontakt'],
	['<a href="https://other.test/contact">', null],
	['<a href="http://www.acme.com/contact">', null],
	['<a href="mailto:contact@acme.com">', null],
	['<a href="javascript:contact()">', null],
	['<a href="https://[contact">', null],
	['<a href="/products">', null],
	['', null],
])('the page with addresses of %s is %s', (text, page) => {
	expect(findContactPage(text, BASE)).toBe(page);
});

test.each<[string, string, boolean]>([
	['', '/', true],
	['User-agent: *\nDisallow: /', '/', false],
	['User-agent: *\nDisallow:', '/', true],
	['User-agent: *\nDisallow: /private', '/', true],
	['User-agent: *\nDisallow: /private', '/private/x', false],
	['User-agent: *\nDisallow: /\nAllow: /contact', '/contact', true],
	['User-agent: *\nDisallow: /contact\nAllow: /contact', '/contact', true],
	['User-agent: GPTBot\nDisallow: /', '/', true],
	['User-agent: mailsonar\nDisallow: /\n\nUser-agent: *\nAllow: /', '/', false],
	['User-agent: *\nDisallow: /\n\nUser-Agent: Mailsonar # us\nDisallow: /x', '/', true],
	['User-agent: GPTBot\nUser-agent: *\nDisallow: /', '/', false],
	['User-agent: *\nCrawl-delay: 10\nDisallow: /', '/', false],
	['User-agent: *\r\nDisallow: /*.html$', '/contact.html', false],
	['User-agent: *\nDisallow: /*.html$', '/contact.html/x', true],
	['User-agent: *\nDisallow: /a*b$', '/a-b-b', false],
	['User-agent: *\nDisallow: /$', '/', false],
	['User-agent: *\nDisallow: /$', '/x', true],
	['Disallow: /', '/', true],
	['<html>not found</html>', '/', true],
])('the robots.txt %j allows %s: %s', (text, path, allowed) => {
	expect(isAllowedByRobots(text, `https://www.acme.com${path}`)).toBe(allowed);
});

test('a robots.txt of as many agents as rules takes no more time and memory than its length', () => {
	const text = 'user-agent:*\n'.repeat(2_461) + 'allow:/\n'.repeat(4_000);
	expect(cpuMsOf(() => isAllowedByRobots(text, 'https://x.test/'))).toBeLessThan(500);
});

describe('what was registered', () => {
	test.each<[string, string | null]>([
		['acme.com', 'acme.com'],
		['mail.acme.co.uk', 'acme.co.uk'],
		['a.b.xn--bcher-kva.test', 'xn--bcher-kva.test'],
		['www.someone.github.io', 'someone.github.io'],
		['github.io', null],
		['co.uk', null],
		['com', null],
		['127.0.0.1', null],
		['', null],
	])('of %j is %j', (host, domain) => {
		expect(findRegistrable(host)?.domain ?? null).toBe(domain);
	});

	test('of a company’s customer is told apart from what a registry knows', () => {
		expect(
			['someone.github.io', 'acme.uk.com', 'acme.co.uk', 'acme.test'].map(
				(host) => findRegistrable(host)?.isPrivate,
			),
		).toEqual([true, true, false, false]);
	});

	test.each<[string, string, boolean]>([
		['a.github.io', 'b.github.io', false],
		['www.acme.com', 'acme.com', true],
		['acme.com', 'mail.acme.com', true],
		['acme.de', 'acme.com', false],
		['acme.com.evil.test', 'acme.com', false],
		['other.co.uk', 'acme.co.uk', false],
	])('%s and %s belong together: %s', (host, domain, together) => {
		expect(isSameRegistrable(host, domain)).toBe(together);
	});
});

describe('parking', () => {
	const SEDO = '91.195.240.94';
	const CALM = { nameServers: 'ns1.host.test', addresses: '8.8.8.8', aliases: '' };
	test.each<[string, Partial<Record<keyof typeof CALM, string | null>>, string | null]>([
		['nothing of the kind', {}, 'none'],
		['name servers of a service', { nameServers: 'NS1.sedoparking.com' }, 'name_server NS1.sedoparking.com'],
		['names like it', { nameServers: 'ns1.notsedoparking.com sedoparking.com.host.test' }, 'none'],
		['a registrar with live customers', { nameServers: 'ns01.domaincontrol.com' }, 'none'],
		['an address of a service', { addresses: '8.8.8.8 185.53.179.255' }, 'address 185.53.179.255'],
		['an address beside the block', { addresses: '185.53.180.0 185.53.175.255' }, 'none'],
		['an alias of a service', { aliases: 'parkingpage.namecheap.com' }, 'alias parkingpage.namecheap.com'],
		['name servers first', { nameServers: 'a.bodis.com', addresses: SEDO }, 'name_server a.bodis.com'],
		['what is known', { nameServers: null, addresses: SEDO, aliases: null }, `address ${SEDO}`],
		['nobody knows of the name servers', { nameServers: null }, null],
		['nobody knows of the addresses', { addresses: null }, null],
		['nobody knows of the aliases', { aliases: null }, null],
		['names of objects', { nameServers: 'constructor __proto__ x.toString' }, 'none'],
		['hostile ones', { addresses: `${'x'.repeat(10_000)} ::`, nameServers: 'a.'.repeat(5_000) }, 'none'],
	])('%s', (_, evidence, expected) => {
		const listed = (text: string | null): readonly string[] | null =>
			text === null ? null : text.split(' ').filter((one) => one !== '');
		const { nameServers, addresses, aliases } = { ...CALM, ...evidence };
		const found = readParking(listed(nameServers), listed(addresses), listed(aliases));
		expect(found && [found.kind, ...('sign' in found ? [found.sign] : [])].join(' ')).toBe(expected);
	});

	test('every block of the table is a block', () => {
		for (const text of PARKING_BLOCKS) expect(parseAddressBlock(text), text).not.toBeNull();
	});

	test.each([
		['www.hugedomains.com', true],
		['sedo.com', true],
		['notsedo.com', false],
		['acme.com', false],
	])('%s sells domains: %s', (host, sells) => {
		expect(isMarketPlace(host)).toBe(sells);
	});
});
