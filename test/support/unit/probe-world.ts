import { Trail } from '../../../src/core/verification/trail.ts';
import type { Address } from '../../../src/core/address/parse-address.ts';
import type { How } from '../../../src/engine/case.ts';
import { lookUpHosts } from '../../../src/engine/look-up-mail.ts';
import type { LookedUpHost } from '../../../src/engine/look-up-mail.ts';
import { probe as probeHosts } from '../../../src/engine/probe.ts';
import type { Finding } from '../../../src/core/verification/interpret-session.ts';
import { portsOf } from './examine-alone.ts';
import { fakeClock } from './fake-clock.ts';
import type { FakeClock } from './fake-clock.ts';
import { fakeDialer } from './fake-dialer.ts';
import type { Fate, FakeDialer } from './fake-dialer.ts';
import { fakeResolver } from './fake-resolver.ts';
import type { Zone } from './fake-resolver.ts';
import { fakeProber } from './fake-prober.ts';
import { addressOf } from './mail-servers.ts';

type AskedCase = Parameters<typeof probeHosts>[0];

/** A question about addresses of one domain. */
export interface AskedAbout extends Partial<How> {
	readonly addresses: readonly Address[];
	readonly hosts: readonly LookedUpHost[];
	readonly implicit?: boolean;
	readonly deadline: number;
}

/** Asks these hosts about addresses, for acc_1 and without the deeper check unless it says otherwise. */
export function askAbout(
	ports: AskedCase['ports'],
	{ addresses, hosts, implicit = false, deadline, ...how }: AskedAbout,
): ReturnType<typeof probeHosts> {
	const domain = addresses[0]?.domain ?? '';
	const route = { kind: 'hosts', hosts: hosts.map(({ name }) => name), implicit } as const;
	const asks = { deep: 'never', asker: 'acc_1', class: 'single', ...how } as const;
	return probeHosts({ ports, how: asks, domain, route, deadline }, hosts, addresses);
}

/** mx1 to mx5 at 8.8.8.1 to 8.8.8.5. */
export const HOSTS = ['mx1', 'mx2', 'mx3', 'mx4', 'mx5'];
const ZONES = Object.fromEntries(HOSTS.map((host, index) => [host, { a: [`8.8.8.${index + 1}`] }]));

/** Mail servers by IP address, and the question to them. */
interface World {
	readonly servers: Readonly<Record<string, readonly Fate[]>>;
	readonly zones?: Readonly<Record<string, Zone>>;
	readonly question?: Partial<Omit<AskedAbout, 'hosts'>> & { readonly hosts?: readonly string[] };
	readonly budgetMs?: number;
	/** How long each look-up of a host takes. */
	readonly lookupMs?: number;
}

/** Asks about ada@x.test in this world. */
export async function probe(world: World): Promise<{
	result: Finding;
	dialer: FakeDialer;
	clock: FakeClock;
	elapsedMs: number;
	lookedUp: readonly string[];
	/** The evidence, and the recipients. */
	trail: Trail;
}> {
	const clock = fakeClock();
	const startedAt = clock.now();
	const dialer = fakeDialer(clock, world.servers);
	const zones = fakeResolver(world.zones ?? ZONES);
	const resolver = {
		...zones,
		addresses: (host: string) => {
			clock.advance(world.lookupMs ?? 0);
			return zones.addresses(host);
		},
	};
	const { hosts = ['mx1'], ...question } = world.question ?? {};
	const ports = { ...portsOf({}, fakeProber({ clock, dialer }), { clock }), resolver };
	const trail = new Trail(() => startedAt);
	const deadline = startedAt + (world.budgetMs ?? 15_000);
	const looked = await lookUpHosts(ports, hosts);
	const [result] = await askAbout(ports, {
		addresses: [addressOf('ada@x.test')],
		hosts: looked,
		deadline,
		trail,
		explain: true,
		...question,
	});
	if (result === undefined || result === null) throw new Error('who is asked about alone has a result');
	return { result, dialer, clock, elapsedMs: clock.now() - startedAt, lookedUp: zones.asked, trail };
}
