import { describe, expect, test } from 'vitest';
import { isDisposable, isPrivacyRelay } from '../../../src/core/lists/domain-kinds.ts';
import { suggestDomain } from '../../../src/core/lists/typos.ts';
import { readFacts } from '../../support/unit/facts.ts';

// Goal: no real mailbox provider, public body or relay is ever called disposable or a misspelling.
const PROBES = readFacts('list-probes');

function domainsOf(kind: string): string[] {
	return PROBES.filter((probe) => probe.kind === kind).map((probe) => probe.domain);
}

describe('real domains', () => {
	test.each(['mailbox_provider', 'organisation', 'privacy_relay'])(
		'no %s is disposable or corrected',
		(kind) => {
			const domains = domainsOf(kind);
			expect(domains.length).toBeGreaterThan(10);
			expect(domains.filter(isDisposable)).toEqual([]);
			expect(domains.filter((domain) => suggestDomain(domain) !== null)).toEqual([]);
		},
	);

	test('every disposable one is caught, with whatever stands before it', () => {
		const domains = domainsOf('disposable');
		expect(domains.filter((domain) => !isDisposable(domain))).toEqual([]);
		expect(domains.filter((domain) => !isDisposable(`mx1.${domain}`))).toEqual([]);
	});

	test('every privacy relay is one, and no mailbox provider is', () => {
		expect(domainsOf('privacy_relay').filter((domain) => !isPrivacyRelay(domain))).toEqual([]);
		expect(domainsOf('mailbox_provider').filter(isPrivacyRelay)).toEqual([]);
	});
});
