import type { Address } from '../../../src/core/address/parse-address.ts';
import { ALONE, lookUpHosts } from '../../../src/engine/case.ts';
import type { ExaminePorts, How } from '../../../src/engine/case.ts';
import { examineAddresses } from '../../../src/engine/examine.ts';
import { probe as probeHosts } from '../../../src/engine/probe.ts';
import { examinedOf } from '../../../src/operations/verify/verify.ts';
import type { Examined } from '../../../src/operations/verify/verify.ts';
import { fakeClock } from './fake-clock.ts';
import { fakeLookups } from './fake-lookups.ts';
import { fakeResolver, PUBLIC_ONLY } from './fake-resolver.ts';
import type { Zone } from './fake-resolver.ts';
import { fakeRandomness } from './mail-servers.ts';

/** The ports of an examination: this DNS, this prober, and ordinary domains. */
export const portsOf = (
	zones: Readonly<Record<string, Zone>>,
	prober: ExaminePorts['prober'],
	{ clock = fakeClock(), lookups = fakeLookups() } = {},
) => ({
	...lookups,
	clock,
	prober,
	resolver: fakeResolver(zones),
	randomness: fakeRandomness(),
	addressPolicy: PUBLIC_ONLY,
});

/** A single call about an address, by acc_1 unless it says otherwise. */
export async function examineAlone(
	ports: ExaminePorts,
	address: Address,
	how: Partial<How> = {},
): Promise<Examined> {
	const found = await examineAddresses(ports, { budgetMs: 15_000 }, [address], {
		...ALONE,
		asker: 'acc_1',
		...how,
	});
	return examinedOf(address, found, ports.clock.now());
}

/** A question about addresses of one domain. */
export interface AskedAbout extends Partial<How> {
	readonly addresses: readonly Address[];
	/** Left out: mx1. */
	readonly hosts?: readonly string[];
	readonly implicit?: boolean;
	readonly deadline: number;
}

/** Looks these hosts up and asks them about addresses, for acc_1 and without the deeper check unless it says otherwise. */
export async function askAbout(
	ports: ExaminePorts,
	{ addresses, hosts = ['mx1'], implicit = false, deadline, ...how }: AskedAbout,
) {
	const domain = addresses[0]?.domain ?? '';
	const route = { kind: 'hosts', hosts, implicit } as const;
	const asks = { deep: 'never', asker: 'acc_1', class: 'single', ...how } as const;
	const lookedUp = await lookUpHosts(ports, hosts);
	return probeHosts({ ports, how: asks, domain, route, hosts: lookedUp, deadline }, addresses);
}
