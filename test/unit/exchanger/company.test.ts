import { describe, expect, test } from 'vitest';
import { Company } from '../../../src/core/exchanger/company.ts';
import type { SharedHosts } from '../../../src/core/exchanger/shared-hosts.ts';
import { exchangersOf } from '../../../src/durable-objects/exchanger-client.ts';

describe('who asks an exchanger', () => {
	test('comes within two seconds of another question for it, whatever is asked of others', () => {
		const company = new Company();
		expect(company.joins('zoho', 0)).toBe(false);
		expect(company.joins('google 1', 1_000)).toBe(false);
		expect(company.joins('zoho', 1_999)).toBe(true);
		expect(company.joins('zoho', 3_998)).toBe(true);
		expect(company.joins('zoho', 5_998)).toBe(false);
		expect(company.joins('google 1', 5_998)).toBe(false);
	});

	const USUAL: SharedHosts = { kind: 'usual_and', names: [] };
	const HOSTS = ['mx.zoho.com', 'mx2.zoho.com'];

	test.each<[string, SharedHosts, boolean, boolean[]]>([
		['alone is dialled from the Worker, at each of the hosts', USUAL, true, [false, false, true, true]],
		['with a list asks it from the first address on', USUAL, false, [true, true, true, true]],
		['asks it all the same where every host has one', { kind: 'all' }, true, [true, true, true, true]],
		['finds none where none is wanted', { kind: 'none' }, false, [false, false, false, false]],
	])('%s', (_, shared, mayDial, expected) => {
		const namespace = {} as Parameters<typeof exchangersOf>[0];
		const exchangers = exchangersOf(namespace, shared, { now: () => 0 });
		const found = [1, 2].flatMap(() => {
			const exchangerOf = exchangers.forQuestion(mayDial);
			return HOSTS.map((host) => exchangerOf(host, false, 'acme.test') !== null);
		});
		expect(found).toEqual(expected);
	});

	test('alone finds company where a list is being asked about', () => {
		const exchangers = exchangersOf({} as Parameters<typeof exchangersOf>[0], USUAL, { now: () => 0 });
		exchangers.forQuestion(false)('mx.zoho.com', false, 'acme.test');
		expect(exchangers.forQuestion(true)('mx.zoho.com', false, 'acme.test')).not.toBeNull();
	});
});
