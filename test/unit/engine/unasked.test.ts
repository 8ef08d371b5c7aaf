import { describe, expect, test } from 'vitest';
import { findMailOperator } from '../../../src/core/mail-operators/operators.ts';
import { hasDomainOrParent } from '../../../src/core/lists/domain-kinds.ts';
import { leadsToDisposable, leadsToOptedOut } from '../../../src/engine/case.ts';
import { examineAddresses } from '../../../src/engine/examine.ts';
import { readFacts } from '../../support/unit/facts.ts';
import { portsOf } from '../../support/unit/examine-alone.ts';
import { addressOf } from '../../support/unit/mail-servers.ts';

const optOuts = {
	covers: (name: string) => Promise.resolve(hasDomainOrParent(new Set(['acme.test', 'google.com']), name)),
};
const routeTo = (hosts: readonly string[], implicit = false) => ({ kind: 'hosts', hosts, implicit }) as const;

test.each<[string, ReturnType<typeof routeTo>, boolean]>([
	['a host of its own', routeTo(['mx.acme.test']), true],
	['a backup of its own', routeTo(['mx.other.test', 'mx.acme.test']), true],
	['itself, without MX', routeTo(['acme.test'], true), true],
	['somebody else', routeTo(['mx.other.test']), false],
	// Half of the world is there, and did not ask.
	['an operator that we know', routeTo(['aspmx.l.google.com']), false],
])('a route to %s leads to who opted out: %s', async (_, route, leads) => {
	expect(findMailOperator(['aspmx.l.google.com'])).not.toBeNull();
	expect(await leadsToOptedOut({ optOuts }, route)).toBe(leads);
});

/** The findings about an address whose domain has these mail hosts. */
async function found(email: string, deep: 'always' | 'catch_all', mx: readonly string[] = []) {
	const zones = { [addressOf(email).domain]: { mx: mx.map((host) => `10 ${host}`) } };
	const ask = () => Promise.reject(new Error('nobody is asked'));
	const ports = { ...portsOf(zones, { ask }), optOuts };
	const how = { deep, asker: null, class: 'list' } as const;
	const [findings] = await examineAddresses(ports, { budgetMs: 15_000 }, [addressOf(email)], how);
	return findings;
}

test('a task scores such an address by its name alone, and decides nothing', async () => {
	expect(await found('jane.doe@acme.test', 'always')).toMatchObject({
		outcome: { subStatus: 'opted_out', method: 'list', mxRecord: null },
		judgement: { score: 50, subStatus: 'opted_out' },
	});
});

/** Whether mail of the domain goes to a disposable service: its hosts by name, or by name=address. */
function isDisposableByHosts(domain: string, ...written: readonly string[]): boolean {
	const hosts = written.map((each) => {
		const [name = '', address] = each.split('=');
		const addresses = address === undefined ? [] : [address];
		return { name, addresses, failed: false, found: '', nameServersFail: false };
	});
	const route = routeTo(hosts.map(({ name }) => name));
	return leadsToDisposable(domain, { route, hosts });
}

describe('a domain that no list names is disposable by where its mail goes', () => {
	test.each<[string, readonly string[]]>([
		['hosts of temp-mail.org', ['mail.wabblywabble.com', 'mail.wallywatts.com']],
		['a name of its own at the address of such a host', ['mail.fresh-42.test=188.166.111.252']],
		['a host whose own domain is on the list', ['mx1.mytemp.email', 'mx2.mytemp.email']],
		['the host of another service', ['mx.discard.email']],
	])('%s', (_, hosts) => {
		expect(isDisposableByHosts('fresh-42.test', ...hosts)).toBe(true);
	});

	test.each<[string, string, readonly string[]]>([
		['a company at Google', 'acme.test', ['aspmx.l.google.com']],
		['a host of its own', 'acme.test', ['mail.acme.test=192.0.2.7']],
		['a real host beside such a one', 'acme.test', ['mx.discard.email', 'mail.acme.test']],
		['an own domain at SimpleLogin', 'acme.test', ['mx1.simplelogin.co', 'mx2.simplelogin.co']],
		['an own domain at addy.io', 'acme.test', ['mail.anonaddy.me']],
		['a privacy relay, whatever its hosts', 'duck.com', ['mail.wabblywabble.com']],
		['a provider of free mail, whatever its hosts', 'gmail.com', ['mail.wabblywabble.com']],
	])('but not %s', (_, domain, hosts) => {
		expect(isDisposableByHosts(domain, ...hosts)).toBe(false);
	});

	test('and no public body of the world', async () => {
		const rows = readFacts('mx-domains');
		const wrong: string[] = [];
		for (const { domain, mx } of rows)
			if (mx.length > 0 && isDisposableByHosts(domain, ...mx)) wrong.push(domain);
		expect(rows.length).toBeGreaterThan(1000);
		expect(wrong).toEqual([]);
	});
});

test('an answer by the mail host names the host, and says that it was the reason', async () => {
	expect(await found('jane.doe@fresh-42.test', 'catch_all', ['mx.discard.email'])).toMatchObject({
		lists: { disposable: true },
		outcome: {
			subStatus: 'disposable',
			method: 'dns',
			mxRecord: 'mx.discard.email',
			note: expect.stringContaining('mail host'),
		},
	});
});
