import { describe, expect, test } from 'vitest';
import { ServiceError } from '../../../src/errors.ts';
import { ALONE } from '../../../src/engine/case.ts';
import type { ExaminePorts } from '../../../src/engine/case.ts';
import { examineAddresses } from '../../../src/engine/examine.ts';
import { fakeLookups } from '../../support/unit/fake-lookups.ts';
import { asks, greeted } from '../../support/unit/dialogue.ts';
import { fakeClock } from '../../support/unit/fake-clock.ts';
import { fakeDialer } from '../../support/unit/fake-dialer.ts';
import type { Fate } from '../../support/unit/fake-dialer.ts';
import { fakeProber } from '../../support/unit/fake-prober.ts';
import { examineAlone, portsOf } from '../../support/unit/examine-alone.ts';
import type { Zone } from '../../support/unit/fake-resolver.ts';
import { NO_SUCH_USER, OK, addressOf, serverSaying } from '../../support/unit/mail-servers.ts';

interface World {
	readonly zones: Readonly<Record<string, Zone>>;
	/** By address; the mail host of most zones is at 8.8.8.1. */
	readonly servers?: Readonly<Record<string, readonly Fate[]>>;
}

async function examine(email: string, world: World) {
	const clock = fakeClock();
	const dialer = fakeDialer(clock, world.servers ?? {});
	const ports = portsOf(world.zones, fakeProber({ clock, dialer }), { clock });
	const { result, answeredBy } = await examineAlone(ports, addressOf(email));
	dialer.assertFinished();
	return { result, answeredBy, dialer, asked: ports.resolver.asked };
}

/** A domain with one mail host at 8.8.8.1. */
const zoned = (domain: string, host = `mx.${domain}`, more: Zone = {}): Record<string, Zone> => ({
	[domain]: { mx: [`10 ${host}`], ...more },
	[host]: { a: ['8.8.8.1'] },
});
const playing = (...fates: Fate[]): NonNullable<World['servers']> => ({ '8.8.8.1': fates });

const twoHosts = {
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
		playing([...greeted(), ...asks('MAIL'), '! close']),
		undefined,
	],
])('who answered: %s', async (_, servers, host) => {
	expect((await examine('ada@x.test', { zones: twoHosts, servers })).answeredBy).toBe(host);
});

test('the habits are those of the host that answered, another than the best one of the domain', async () => {
	const zones = {
		'x.test': { mx: ['10 mx.own.test', '20 aspmx.l.google.com'] },
		'mx.own.test': { a: ['8.8.8.1'] },
	};
	const clock = fakeClock();
	const prober = fakeProber({ clock, dialer: fakeDialer(clock, playing(...knows)) });
	const how = { ...ALONE, asker: null };
	const [found] = await examineAddresses(
		portsOf(zones, prober),
		{ budgetMs: 15_000 },
		[addressOf('ada@x.test')],
		how,
	);
	expect(found).toMatchObject({ operator: null, outcome: { smtpProvider: 'google' } });
});

describe('nobody is asked', () => {
	test.each<[string, string, World['zones'], string]>([
		['of a disposable domain', 'ada@mailinator.com', {}, 'disposable'],
		[
			'where the mail host can not be looked up',
			'ada@x.test',
			{ 'x.test': { mx: ['10 mx'] }, mx: { a: 'timeout' } },
			'dns_error',
		],
		[
			'who says yes to everybody',
			'ada@yahoo.com',
			zoned('yahoo.com', 'mta5.am0.yahoodns.net'),
			'accepts_everything',
		],
	])('%s', async (_, email, zones, subStatus) => {
		const { result, dialer, asked } = await examine(email, { zones });
		expect(result.details.sub_status).toBe(subStatus);
		expect(dialer.dialled).toEqual([]);
		// Not the DNS either, where a list decides.
		if (result.details.general.validation_method === 'list') expect(asked).toEqual([]);
	});

	test.each([
		['never', false],
		['catch_all', false],
		['always', true],
	] as const)('who says yes to everybody, but for a task: %s', async (deep, isTask) => {
		const asked: string[] = [];
		const ask: ExaminePorts['prober']['ask'] = async ({ hosts: [host] }) => {
			asked.push(host?.name ?? '');
			return { answers: [{ kind: 'unroutable' }], evidence: [], recipients: 0 };
		};
		for (const host of ['emx.mail.ru', 'aspmx.l.google.com', 'mx.own.test'])
			await examineAlone(portsOf(zoned('x.test', host), { ask }), addressOf('ada@x.test'), { deep });
		expect(asked).toEqual([...(isTask ? ['emx.mail.ru'] : []), 'aspmx.l.google.com', 'mx.own.test']);
	});
});

test('of four dead mail hosts that are silent until time is up no more is said than was tried', async () => {
	const hosts = [1, 2, 3, 4].map((n) => [`mx${n}`, `8.8.8.${n}`] as const);
	const zones = Object.fromEntries(hosts.map(([name, address]): [string, Zone] => [name, { a: [address] }]));
	zones['x.test'] = { mx: hosts.map(([name], rank) => `${rank} ${name}`) };
	const servers = Object.fromEntries(hosts.map(([, address]) => [address, ['timeout' as const]]));
	const { result } = await examine('ada@x.test', { zones, servers });
	expect(result.details.general.reason).toMatch(
		/: none of the 2 mail hosts that we tried could be reached, of 4$/,
	);
});

test.each([
	['it shows itself as a catch-all', true],
	['it does not', false],
])('while the mail host is asked, the domain is looked up if %s', async (_, isCatchAll) => {
	const lookups = fakeLookups();
	let early: readonly string[] = [];
	const ask: ExaminePorts['prober']['ask'] = async (_question, foundCatchAll) => {
		if (isCatchAll) foundCatchAll?.();
		early = [...lookups.asked];
		return { answers: [{ kind: 'no_connect', tried: 1 }], evidence: [], recipients: 0 };
	};
	await examineAlone(portsOf(zoned('x.test'), { ask }, { lookups }), addressOf('ada@x.test'));
	expect([early, lookups.asked]).toEqual(isCatchAll ? [['x.test'], ['x.test']] : [[], []]);
});

const noWayOut = (): Promise<never> => Promise.reject(new ServiceError('upstream_unavailable', 'No way out'));

test('a failure of our own means is no verdict', async () => {
	const examined = examineAlone(portsOf(zoned('x.test'), { ask: noWayOut }), addressOf('ada@x.test'));
	await expect(examined).rejects.toMatchObject({ code: 'upstream_unavailable' });
});
