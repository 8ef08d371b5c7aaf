import { describe, expect, test } from 'vitest';
import { lookUpHosts } from '../../../src/engine/look-up-mail.ts';
import { askAbout } from '../../support/unit/ask-about.ts';
import type { Finding } from '../../../src/core/verification/finding.ts';
import { fakeClock } from '../../support/unit/fake-clock.ts';
import { fakeDialer } from '../../support/unit/fake-dialer.ts';
import type { Fate, FakeDialer } from '../../support/unit/fake-dialer.ts';
import { fakeResolver, PUBLIC_ONLY } from '../../support/unit/fake-resolver.ts';
import type { Zone } from '../../support/unit/fake-resolver.ts';
import { fakeProber } from '../../support/unit/fake-prober.ts';
import {
	NO_SUCH_USER,
	OK,
	addressOf,
	fakeRandomness,
	serverSaying,
} from '../../support/unit/mail-servers.ts';

// Which host of a domain is asked, and as whose server it counts.

/** Asks about ada@x.test, whose mail hosts are the zones in their order. */
async function probe(
	zones: Readonly<Record<string, Zone>>,
	servers: Readonly<Record<string, readonly Fate[]>>,
): Promise<{ result: Finding; dialer: FakeDialer; lookedUp: readonly string[] }> {
	const clock = fakeClock();
	const dialer = fakeDialer(clock, servers);
	const resolver = fakeResolver(zones);
	const ports = {
		clock,
		resolver,
		prober: fakeProber({ clock, dialer }),
		randomness: fakeRandomness(),
		addressPolicy: PUBLIC_ONLY,
	};
	const [result] = await askAbout(ports, {
		addresses: [addressOf('ada@x.test')],
		hosts: await lookUpHosts(ports, Object.keys(zones)),
		deadline: clock.now() + 15_000,
	});
	if (result === undefined || result === null) throw new Error('who is asked about alone has a result');
	return { result, dialer, lookedUp: resolver.asked };
}

const OWN_BEFORE_GOOGLE = { 'mx.own.test': { a: ['8.8.8.1'] }, 'aspmx.l.google.com': { a: ['8.8.8.2'] } };

describe('each host is treated as what it is itself', () => {
	test('the operator of the answering host is told, not that of the list', async () => {
		const { result } = await probe(OWN_BEFORE_GOOGLE, { '8.8.8.1': [serverSaying(OK, NO_SUCH_USER)] });
		expect(result).toMatchObject({ kind: 'heard', operator: null });
	});
});

test('a host with a private v4 and a public v6 address is asked over v6', async () => {
	const zones = { mx1: { a: ['10.0.0.1'], aaaa: ['2001:4860::1'] } };
	const { dialer } = await probe(zones, { '2001:4860::1': [serverSaying(OK, NO_SUCH_USER)] });
	expect(dialer.dialled).toEqual(['2001:4860::1']);
});

test.each<[string, Zone, number]>([
	['in a zone that fails', { a: 'server_failure' }, 5],
	// The others may be elsewhere: the domain is not called unroutable.
	['of which the best are private', { a: ['10.0.0.1'] }, 10],
])('of a thousand hosts %s, five are looked up', async (_, zone, questions) => {
	const names = Array.from({ length: 1_000 }, (__, n) => `mx${n}`);
	const zones = Object.fromEntries(names.map((name, n) => [name, n < 500 ? zone : { a: ['8.8.8.1'] }]));
	const { result, lookedUp } = await probe(zones, {});
	expect(result).toEqual({ kind: 'dns_error' });
	expect(lookedUp).toHaveLength(questions);
	expect(new Set(lookedUp.map((question) => question.split(' ')[1]))).toEqual(new Set(names.slice(0, 5)));
});
