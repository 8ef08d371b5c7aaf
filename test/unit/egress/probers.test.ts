import { describe, expect, test } from 'vitest';
import { parseProbers } from '../../../src/core/egress/probers.ts';
import { errorOf } from '../../support/unit/bad-variable.ts';

const TOKEN = 'k'.repeat(32);

describe('the list of probers', () => {
	test.each([
		[`https://${TOKEN}@p1.example`, 'https', 'p1.example', TOKEN],
		[`https://${TOKEN}@p1.example:8443/`, 'https', 'p1.example:8443', TOKEN],
		[`https://a%2Bb${TOKEN}@p1.example`, 'https', 'p1.example', `a+b${TOKEN}`],
		[`http://${TOKEN}@127.0.0.1:8025`, 'http', '127.0.0.1:8025', TOKEN],
		[`http://${TOKEN}@[::1]:8025`, 'http', '[::1]:8025', TOKEN],
	])('%s', (text, scheme, label, token) => {
		const prober = { label, url: `${scheme}://${label}`, token };
		expect(parseProbers(text)).toEqual([prober]);
	});

	test('is parted by blanks or commas', () => {
		const text = `https://${TOKEN}@p1.example, https://${TOKEN}@p2.example\nhttps://${TOKEN}@p3.example`;
		expect(parseProbers(text).map(({ label }) => label)).toEqual(['p1.example', 'p2.example', 'p3.example']);
	});

	test.each([
		['p1.example', 'entry 1 is not https'],
		['socks5://s3cret@p1.example', 'entry 1 is not https'],
		['https://p1.example', 'entry 1 is not https://TOKEN@host'],
		[`https://user:s3cret${TOKEN}@p1.example`, 'entry 1 is not https://TOKEN@host'],
		[`https://${TOKEN}@p1.example https://s3cret@p2.example`, 'entry 2 has a token of fewer than 32'],
		[`https://s3cret${TOKEN}@p1.example/path`, 'entry 1 has more than'],
		[`https://s3cret${TOKEN}@p1.example?x=1`, 'entry 1 has more than'],
		[`http://s3cret${TOKEN}@p1.example`, 'over http'],
		[`http://s3cret${TOKEN}@127.0.0.1.example`, 'over http'],
	])('%s is refused, and the message tells no secret', (text, message) => {
		const said = String(errorOf(() => parseProbers(text)));
		expect(said).toContain(message);
		expect(said).not.toContain('s3cret');
	});
});
