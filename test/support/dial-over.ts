import { overWaysOut } from '../../src/prober/dial/egress-dialer.ts';
import type { Dialled, Dialer } from '../../src/prober/dial/egress-dialer.ts';

/** Dials by the first way out that serves, as the prober does. */
export function dialOver(
	dialer: Dialer,
	target: { readonly domain: string; readonly address: string; readonly hostName?: string },
	limitMs: number,
) {
	const [first] = dialer.egressesFor(target.domain);
	return overWaysOut<Exclude<Dialled, { kind: 'fault' }> & { egress: string }>(
		dialer,
		{ ...target, first },
		async (egress) => {
			return { egress, ...(await dialer.dial({ ...target, egress }, limitMs)) };
		},
	);
}
