import { describe, expect, test } from 'vitest';
import {
	findContactPage,
	isAllowedByRobots,
	readPage,
} from '../../../../src/core/catchall/domain/website.ts';
import { cpuMsOf } from '../../../support/cpu-ms.ts';

describe('a home page', () => {
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
		[
			'that leads to a lander',
			'<script>window.onload=function(){window.location.href="/lander"}</script>',
			'for_sale',
		],
		['that has expired', '<p>This domain has expired.</p>', 'for_sale'],
		['behind a wall', '<title>Just a moment...</title><p>This domain is for sale</p>', null],
		['behind a puzzle', '<html><script src="https://geo.captcha-delivery.com/c.js"></script>', null],
		['that is empty', '', null],
		['that is no page', '{"status":"ok"}', null],
	])('%s', (_, text, finding) => {
		expect(readPage(text)).toBe(finding);
	});
});

describe('the page with addresses', () => {
	const BASE = 'https://www.acme.com/en/';
	test.each<[string, string | null]>([
		[
			'<a class="x" href="/about">About</a> <a href="/en/contact.html">Contact</a>',
			'https://www.acme.com/en/contact.html',
		],
		["<A HREF='impressum'>Impressum</A>", 'https://www.acme.com/en/impressum'],
		['<a href="https://www.acme.com/kontakt?x=1#y">', 'https://www.acme.com/kontakt'],
		['<a href="https://other.test/contact">', null],
		['<a href="http://www.acme.com/contact">', null],
		['<a href="mailto:contact@acme.com">', null],
		['<a href="javascript:contact()">', null],
		['<a href="https://[contact">', null],
		['<a href="/products">', null],
		['', null],
	])('of %s is %s', (text, page) => {
		expect(findContactPage(text, BASE)).toBe(page);
	});
});

describe('robots.txt', () => {
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
	])('%j allows %s: %s', (text, path, allowed) => {
		expect(isAllowedByRobots(text, `https://www.acme.com${path}`)).toBe(allowed);
	});
});

test('a robots.txt of as many agents as rules takes no more time and memory than its length', () => {
	const text = 'user-agent:*\n'.repeat(2_461) + 'allow:/\n'.repeat(4_000);
	expect(cpuMsOf(() => isAllowedByRobots(text, 'https://x.test/'))).toBeLessThan(500);
});
