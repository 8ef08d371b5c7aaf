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

	test.each<[string, SharedHosts, boolean[]]>([
		['alone is dialled from the Worker', { kind: 'usual_and', names: [] }, [false, true]],
		['of a host named by the operator too', { kind: 'usual_and', names: ['zoho'] }, [false, true]],
		['asks it all the same where every host has one', { kind: 'all' }, [true, true]],
		['finds none where none is wanted', { kind: 'none' }, [false, false]],
	])('%s', (_, shared, expected) => {
		const namespace = {} as Parameters<typeof exchangersOf>[0];
		const exchangers = exchangersOf(namespace, shared, { now: () => 0 });
		const found = expected.map(() => exchangers.forHost('mx.zoho.com', false, 'acme.test') !== null);
		expect(found).toEqual(expected);
	});
});
