import { ServiceError } from '../../errors.ts';
import type { Dialled, Dialer } from '../ports.ts';

type Fault = Extract<Dialled, { kind: 'fault' }>;
type Outcome = { readonly kind: string; readonly why?: string };

/**
 * Tries the ways out for a domain, one after the other, until one leads to the mail server or says why none does. One that
 * fails is out of service, so that the next one is chosen among those that serve; when none does, each is tried once.
 * Throws `ServiceError`: `upstream_unavailable`, or `upstream_nonsense` when one answered what no SOCKS server says.
 *
 * @param first tried first while it serves; left out: the domain's
 */
export async function overWaysOut<T extends Outcome>(
	dialer: Pick<Dialer, 'egressesFor'>,
	{ domain, first }: { readonly domain: string; readonly first?: string },
	attempt: (egress: string) => Promise<T | Fault>,
): Promise<T> {
	const tried = new Set<string>();
	let unreached: T | null = null;
	let sawNonsense = false;
	for (;;) {
		const left = dialer.egressesFor(domain).filter((egress) => !tried.has(egress));
		const egress = left.find((one) => one === first) ?? left[0];
		if (egress === undefined) break;
		tried.add(egress);
		const outcome = await attempt(egress);
		if (isFault(outcome)) sawNonsense ||= outcome.fault === 'nonsense';
		// It works and could not say why it failed, or has no address of the family: another may do better.
		else if (outcome.kind === 'no_connection' && outcome.why === 'egress_cannot_reach') unreached = outcome;
		else return outcome;
	}
	if (unreached !== null) return unreached;
	if (sawNonsense)
		throw new ServiceError('upstream_nonsense', 'The outgoing mail proxy does not speak SOCKS5');
	throw new ServiceError('upstream_unavailable', 'No outgoing connection for mail is available');
}

function isFault(outcome: Outcome): outcome is Fault {
	return outcome.kind === 'fault';
}
