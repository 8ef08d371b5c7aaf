import { describe, expect, test } from 'vitest';
import type { DomainPolicies } from '../../../src/core/catchall/signals.ts';
import { readDomainPolicies } from '../../../src/core/catchall/domain-policies.ts';
import { fakeResolver } from '../../support/unit/fake-resolver.ts';

describe('SPF', () => {
	test.each<[readonly string[], DomainPolicies['spf']]>([
		[['v=spf1 include:_spf.x.test ~all'], 'ok'],
		[['google-site-verification=1', 'V=SPF1 mx -all'], 'ok'],
		[['v=spf1'], 'ok'],
		[['v=spf1 -all'], 'sends_no_mail'],
		[['v=spf1  -ALL '], 'sends_no_mail'],
		[['v=spf1 a -all'], 'ok'],
		[['v=spf10 -all'], 'missing'],
		[[' v=spf1 -all'], 'missing'],
		[['something else'], 'missing'],
		[[], 'missing'],
		[['v=spf1 -all', 'v=spf1 mx -all'], 'several'],
	])('%j is %s', async (txt, spf) => {
		const { spf: read } = await readDomainPolicies(fakeResolver({ 'x.test': { txt } }), 'x.test');
		expect(read).toBe(spf);
	});
});

describe('DMARC', () => {
	test.each<[readonly string[], DomainPolicies['dmarc']]>([
		[['v=DMARC1; p=reject; rua=mailto:d@x.test'], 'enforced'],
		[['v=dmarc1;p=QUARANTINE'], 'enforced'],
		[['v=DMARC1; p = reject'], 'enforced'],
		[['v=DMARC1; p=none; sp=reject'], 'monitored'],
		[['v=DMARC1; rua=mailto:d@x.test'], 'monitored'],
		[['v=DMARC1; p=rejected; rua=mailto:d@x.test'], 'monitored'],
		[['v=DMARC1'], 'missing'],
		[['v=DMARC1; p=rejected'], 'missing'],
		[['v=DMARC1; p=reject', 'v=DMARC1; p=none'], 'missing'],
		[['v=DMARC10; p=reject'], 'missing'],
		[['p=reject; v=DMARC1'], 'missing'],
		[[], 'missing'],
	])('%j is %s', async (txt, dmarc) => {
		const { dmarc: read } = await readDomainPolicies(fakeResolver({ '_dmarc.x.test': { txt } }), 'x.test');
		expect(read).toBe(dmarc);
	});
});

test.each(['server_failure', 'timeout'] as const)(
	'what could not be read (%s) is not missing',
	async (failed) => {
		const zones = { 'x.test': { txt: failed }, '_dmarc.x.test': { txt: failed } };
		expect(await readDomainPolicies(fakeResolver(zones), 'x.test')).toEqual({ spf: null, dmarc: null });
	},
);

test('a domain without any TXT record has neither', async () => {
	expect(await readDomainPolicies(fakeResolver({}), 'x.test')).toEqual({ spf: 'missing', dmarc: 'missing' });
});
