import { expect, test } from 'vitest';
import { judgeEndpointUrl } from '../../../src/core/webhooks/endpoint-url.ts';
import type { EndpointRules } from '../../../src/core/webhooks/endpoint-url.ts';

const PRODUCTION = { ownHost: 'api.mailsonar.example', allowsLoopback: false };
const DEVELOPMENT = { ownHost: '127.0.0.1', allowsLoopback: true };
const longUrl = (length: number): string => 'https://shop.example/'.padEnd(length, 'x');

function faultOf(url: string, rules: EndpointRules = PRODUCTION): string | null {
	const judged = judgeEndpointUrl(url, rules);
	return judged.ok ? null : judged.fault;
}

test.each([
	'https://shop.example/hooks',
	'https://shop.example:443/hooks?shop=1&for=mailsonar',
	'https://shop.example:8443/',
	'https://hooks.shop.example.',
	'https://xn--bcher-kva.example/',
	longUrl(2_048),
])('events are sent to %s', (url) => {
	expect(faultOf(url)).toBeNull();
});

test.each([
	['', 'malformed'],
	['shop.example/hooks', 'malformed'],
	['https://', 'malformed'],
	['https://shop.example/a b', 'malformed'],
	['https://shop.example/\nx', 'malformed'],
	[' https://shop.example/', 'malformed'],
	['https://bücher.example/', 'malformed'],
	[longUrl(2_049), 'too_long'],
	['http://shop.example/', 'not_https'],
	['ftp://shop.example/', 'not_https'],
	['file:///etc/passwd', 'not_https'],
	['https://user@shop.example/', 'credentials'],
	['https://user:pass@shop.example/', 'credentials'],
	['https://:pass@shop.example/', 'credentials'],
	['https://shop.example/#part', 'fragment'],
	['https://shop.example/#', 'fragment'],
	['https://shop.example:444/', 'port'],
	['https://shop.example:25/', 'port'],
	['https://shop.example:8442/', 'port'],
	['https://shop.example:80/', 'port'],
	['https://127.0.0.1/', 'address'],
	['https://2130706433/', 'address'],
	['https://0x7f.1/', 'address'],
	['https://0177.0.0.1/', 'address'],
	['https://8.8.8.8/', 'address'],
	['https://[::1]/', 'address'],
	['https://[2606:4700::1111]/', 'address'],
	['https://localhost/', 'address'],
	['https://router/', 'address'],
	['https://api.mailsonar.example/v1/webhooks', 'own'],
	['https://API.Mailsonar.example./v1/webhooks', 'own'],
	['https://other.mailsonar.example/', 'own'],
	['https://mailsonar.example/', 'own'],
])('events are not sent to %j: %s', (url, fault) => {
	expect(faultOf(url)).toBe(fault);
});

test('loopback is for a developer alone: with http and any port, and no other host is', () => {
	for (const url of ['http://127.0.0.1:9000/hook', 'http://localhost:80/', 'https://[::1]:1/']) {
		expect(judgeEndpointUrl(url, DEVELOPMENT)).toMatchObject({ ok: true, isLoopback: true });
		expect(judgeEndpointUrl(url, PRODUCTION).ok).toBe(false);
	}
	expect(faultOf('http://10.0.0.1/', DEVELOPMENT)).toBe('not_https');
	expect(faultOf('https://10.0.0.1/', DEVELOPMENT)).toBe('address');
	expect(faultOf('http://localhost.shop.example/', DEVELOPMENT)).toBe('not_https');
	expect(faultOf('http://user@127.0.0.1/', DEVELOPMENT)).toBe('credentials');
});

test('without an address of our own any other may be named', () => {
	expect(faultOf('https://shop.example/', { ownHost: null, allowsLoopback: false })).toBeNull();
});
