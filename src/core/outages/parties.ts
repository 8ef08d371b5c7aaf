import { addressBytes } from '../../lib/ip-address.ts';
import { findRegistrable } from '../dns/registrable.ts';
import { isLargeProvider } from '../lists/typos.ts';
import { findMailOperator } from '../mail-operators/find-operator.ts';
import type { MailOperator } from '../mail-operators/find-operator.ts';
import type { Sighting } from './outlook.ts';

type Party = Pick<Sighting, 'parties' | 'isGiant'>;

// A hoster's servers share a network: one of his that is dead mostly has company.
const NETWORK_OCTETS = { 4: 3, 16: 6 } as const;

/**
 * Who was connected to: whoever registered the host's name, and whoever has its network.
 *
 * @param name of the mail host, or of the operator that it belongs to
 */
export function partyOfHost(name: string, address: string, operator: MailOperator | null): Party {
	const octets = addressBytes(address) ?? [];
	const network = octets.slice(0, octets.length === 16 ? NETWORK_OCTETS[16] : NETWORK_OCTETS[4]).join('.');
	return { parties: [ownerOf(name), `network ${network}`], isGiant: isGiant(operator) };
}

/** Whom a question to the resolver was about. */
export function partyOfName(name: string): Party {
	return { parties: [ownerOf(name)], isGiant: isLargeProvider(name) || isGiant(findMailOperator([name])) };
}

/** Not a hoster: his customers' servers have names of his. */
function isGiant(operator: MailOperator | null): boolean {
	return operator?.kind === 'mailbox' || operator?.kind === 'gateway';
}

function ownerOf(name: string): string {
	return findRegistrable(name)?.domain ?? name;
}
