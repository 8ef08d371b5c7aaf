import { findRegistrable } from '../dns/registrable.ts';
import { isLargeProvider } from '../lists/typos.ts';
import { findMailOperator } from '../mail-operators/find-operator.ts';
import type { MailOperator } from '../mail-operators/find-operator.ts';
import type { Sighting } from './history.ts';

type Party = Pick<Sighting, 'parties' | 'isGiant'>;

/**
 * Who was connected to: whoever registered the host's name, and the one server.
 *
 * @param name of the mail host, or of the operator that it belongs to
 */
export function partyOfHost(name: string, address: string, operator: MailOperator | null): Party {
	return { parties: [ownerOf(name), address], isGiant: isGiant(operator) };
}

/**
 * Under which name `partyOfHost` knows the host.
 *
 * @param implicit the host is the domain itself, whose name tells nothing of an operator
 */
export function partyNameOf(host: string, implicit: boolean): string {
	const operator = implicit ? null : findMailOperator([host]);
	return operator !== null && isGiant(operator) ? operator.operator : ownerOf(host);
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
