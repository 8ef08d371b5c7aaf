import type { Address } from '../../../src/core/address/parse-address.ts';
import type { How } from '../../../src/engine/case.ts';
import type { LookedUpHost } from '../../../src/engine/look-up-mail.ts';
import { probe as probeHosts } from '../../../src/engine/probe.ts';

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
