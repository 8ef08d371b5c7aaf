import { describe, expect, test } from 'vitest';
import type { VerificationResult } from '../../../src/core/verification/render.ts';
import { ServiceError } from '../../../src/errors.ts';
import type { DomainFacts } from '../../../src/core/catchall/domain.ts';
import { fakeLookups, unmeasured } from '../../support/unit/fake-lookups.ts';
import { fakeClock } from '../../support/unit/fake-clock.ts';
import type { ExaminePorts } from '../../../src/engine/case.ts';
import { fakeDialer } from '../../support/unit/fake-dialer.ts';
import type { Fate, FakeDialer } from '../../support/unit/fake-dialer.ts';
import { fakeProber } from '../../support/unit/fake-prober.ts';
import { examineAlone } from '../../support/unit/examine-alone.ts';
import { fakeResolver, PUBLIC_ONLY } from '../../support/unit/fake-resolver.ts';
import type { Zone } from '../../support/unit/fake-resolver.ts';
import {
	NO_SUCH_USER,
	OK,
	addressOf,
	catchAllServer,
	fakeRandomness,
	greeting,
	serverSaying,
} from '../../support/unit/mail-servers.ts';

interface World {
	readonly zones: Readonly<Record<string, Zone>>;
	/** By address; the mail host of most zones is at 8.8.8.1. */
	readonly servers?: Readonly<Record<string, readonly Fate[]>>;
	readonly facts?: (domain: string) => DomainFacts;
	readonly doubt?: ExaminePorts['doubt'];
}

async function examine(
	email: string,
	world: World,
): Promise<{
	result: VerificationResult;
	answeredBy: string | undefined;
	dialer: FakeDialer;
	asked: readonly string[];
	lookedUp: readonly string[];
}> {
	const clock = fakeClock();
	const dialer = fakeDialer(clock, world.servers ?? {});
	const resolver = fakeResolver(world.zones);
	const lookups = fakeLookups(world.facts);
	const { result, answeredBy } = await examineAlone(
		{
			...lookups,
			clock,
			resolver,
			prober: fakeProber({ clock, dialer }),
			randomness: fakeRandomness(),
			addressPolicy: PUBLIC_ONLY,
			...(world.doubt === undefined ? {} : { doubt: world.doubt }),
		},
		addressOf(email),
	);
	dialer.assertFinished();
	return { result, answeredBy, dialer, asked: resolver.asked, lookedUp: lookups.asked };
}

/** A domain with one mail host at 8.8.8.1. */
const zoned = (domain: string, host = `mx.${domain}`, more: Zone = {}): Record<string, Zone> => ({
	[domain]: { mx: [`10 ${host}`], ...more },
	[host]: { a: ['8.8.8.1'] },
});
const playing = (...fates: Fate[]): NonNullable<World['servers']> => ({ '8.8.8.1': fates });

const outcome = ({ result }: { result: VerificationResult }): unknown[] => [
	result.status,
	result.details.sub_status,
	result.details.general.validation_method,
];

describe('who answered', () => {
	const zones = {
		'x.test': { mx: ['10 first.x.test', '20 second.x.test'] },
		'first.x.test': { a: ['8.8.8.1'] },
		'second.x.test': { a: ['8.8.8.2'] },
	};
	const knows = [serverSaying(OK, NO_SUCH_USER)];

	test.each<[string, NonNullable<World['servers']>, string | undefined]>([
		['the host that said yes', { '8.8.8.1': knows }, 'first.x.test'],
		['the host behind one that takes no connection', { '8.8.8.2': knows }, 'second.x.test'],
		['the host that refused to serve us', playing(['> 554 5.7.1 go away']), 'first.x.test'],
		['nobody, where no host takes a connection', {}, undefined],
		['nobody, where the host takes it and never says a word', playing([]), undefined],
		[
			'nobody, where the host hangs up instead of an answer',
			playing([...greeting(), '< MAIL FROM:<v@us.test>', '! close']),
			undefined,
		],
	])('%s', async (_, servers, host) => {
		expect((await examine('ada@x.test', { zones, servers })).answeredBy).toBe(host);
	});
});

test('a refusal that is doubted is unknown, free, and says why', async () => {
	const asked: unknown[] = [];
	const answered: NonNullable<ExaminePorts['doubt']>['answered'] = (...of) => asked.push(of) > 0;
	const servers = playing(serverSaying(NO_SUCH_USER, NO_SUCH_USER));
	const { result } = await examine('ada@x.test', { zones: zoned('x.test'), servers, doubt: { answered } });
	expect(asked).toEqual([['x.test', 'rejected', 'ada', 'acc_1']]);
	expect(outcome({ result })).toEqual(['unknown', 'unavailable_smtp', 'smtp']);
	expect(result.details.general.reason).toContain('suddenly refuses every mailbox');
});

describe('decided without asking any mail server', () => {
	test.each<[string, World['zones'], string, string]>([
		['the domain does not exist', {}, 'undeliverable', 'invalid_domain'],
		['the domain takes no mail', { 'x.test': { mx: ['0 .'] } }, 'undeliverable', 'does_not_accept_mail'],
		['the domain has no mail server', { 'x.test': {} }, 'undeliverable', 'no_mx_records'],
		[
			'the mail server is private',
			{ 'x.test': { mx: ['10 mx'] }, mx: { a: ['10.0.0.1'] } },
			'undeliverable',
			'unroutable_mx',
		],
		['the mail server has no address', { 'x.test': { mx: ['10 mx'] } }, 'undeliverable', 'unroutable_mx'],
		['the name servers fail', { 'x.test': { mx: 'server_failure' } }, 'unknown', 'dns_error'],
		['the name servers are silent', { 'x.test': { mx: 'timeout' } }, 'unknown', 'dns_error'],
		[
			'the mail host can not be looked up',
			{ 'x.test': { mx: ['10 mx'] }, mx: { a: 'timeout' } },
			'unknown',
			'dns_error',
		],
	])('%s', async (_, zones, status, subStatus) => {
		const examined = await examine('ada@x.test', { zones });
		expect(outcome(examined)).toEqual([status, subStatus, 'dns']);
		expect(examined.dialer.dialled).toEqual([]);
	});

	test('a disposable domain is known without any network', async () => {
		const examined = await examine('ada@mailinator.com', { zones: {} });
		expect(outcome(examined)).toEqual(['undeliverable', 'disposable', 'list']);
		expect(examined.result.details.attributes).toMatchObject({ disposable: true, catch_all: null });
		expect(examined.asked).toEqual([]);
	});
});

describe('decided by the mail server', () => {
	test('a domain without MX takes mail at its own address, whoever it is called', async () => {
		const { result } = await examine('ada@x.test', {
			zones: { 'x.test': { a: ['8.8.8.1'] } },
			servers: playing(serverSaying(OK, NO_SUCH_USER)),
		});
		expect(result.status).toBe('deliverable');
		expect(result.details.mail_server).toEqual({
			smtp_provider: null,
			mx_record: null,
			implicit_mx: 'x.test',
			gateway: null,
		});
	});

	test.each<[string, Fate[], RegExp]>([
		['all refused', ['refused'], /: none of its hosts could be reached$/],
		[
			'silent, until time is up',
			['timeout'],
			/: none of the 2 mail hosts that we tried could be reached, of 4$/,
		],
	])('of four dead mail hosts no more is said than was tried: %s', async (_, fate, reason) => {
		const hosts = [1, 2, 3, 4].map((n) => [`mx${n}`, `8.8.8.${n}`] as const);
		const zones = Object.fromEntries(
			hosts.map(([name, address]): [string, Zone] => [name, { a: [address] }]),
		);
		zones['x.test'] = { mx: hosts.map(([name], rank) => `${rank} ${name}`) };
		const servers = Object.fromEntries(hosts.map(([, address]) => [address, fate]));
		const { result } = await examine('ada@x.test', { zones, servers });
		expect(result.details.general.reason).toMatch(reason);
	});
});

const asksOnlyOne = (domain: string): Fate => [
	...greeting('PIPELINING'),
	'< MAIL FROM:<v@us.test>',
	`< RCPT TO:<ada@${domain}>`,
	'> 250 ok',
	`> ${OK}`,
];

describe('providers with ways of their own', () => {
	test('Yahoo says yes to everybody, so it is not asked', async () => {
		const examined = await examine('ada@yahoo.com', {
			zones: zoned('yahoo.com', 'mta5.am0.yahoodns.net'),
		});
		expect(examined.dialer.dialled).toEqual([]);
		expect(outcome(examined)).toEqual(['unknown', 'accepts_everything', 'smtp']);
		expect(examined.result.details.mail_server.smtp_provider).toBe('yahoo');
	});

	test('consumer Outlook is asked about one recipient, and its yes counts', async () => {
		const examined = await examine('ada@hotmail.com', {
			zones: zoned('hotmail.com', 'hotmail-com.olc.protection.outlook.com'),
			servers: playing(asksOnlyOne('hotmail.com')),
		});
		expect(outcome(examined)).toEqual(['deliverable', 'accepted_email', 'smtp']);
		expect(examined.result.details.attributes).toMatchObject({ free_email: true, catch_all: null });
	});
});

const healthy = (host: string): World['zones'] => ({
	'x.test': { mx: [`10 ${host}`, `20 b.${host}`] },
	[host]: { a: ['8.8.8.1'] },
});

describe('a domain that accepts everybody', () => {
	test('and of which too little could be looked up is not judged', async () => {
		const { result } = await examine('ada@x.test', {
			zones: healthy('aspmx.l.google.com'),
			servers: playing(catchAllServer()),
			facts: unmeasured,
		});
		expect(result).toMatchObject({ status: 'unknown', catch_all_verdict: 'unknown', catch_all_score: 50 });
	});

	test('is the only one that is looked up', async () => {
		const catchAll = await examine('ada@x.test', {
			zones: healthy('aspmx.l.google.com'),
			servers: playing(catchAllServer()),
		});
		const other = await examine('ada@x.test', {
			zones: healthy('aspmx.l.google.com'),
			servers: playing(serverSaying(OK, NO_SUCH_USER)),
		});
		expect(catchAll.lookedUp).toEqual(['x.test']);
		expect(other.lookedUp).toEqual([]);
	});
});

const noWayOut = (): Promise<never> => Promise.reject(new ServiceError('upstream_unavailable', 'No way out'));

test('a failure of our own means is no verdict', async () => {
	const clock = fakeClock();
	const examined = examineAlone(
		{
			...fakeLookups(),
			clock,
			resolver: fakeResolver(zoned('x.test')),
			prober: { ask: noWayOut },
			randomness: fakeRandomness(),
			addressPolicy: PUBLIC_ONLY,
		},
		addressOf('ada@x.test'),
	);
	await expect(examined).rejects.toMatchObject({ code: 'upstream_unavailable' });
});
