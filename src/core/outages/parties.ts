import { findRegistrable } from '../dns/registrable.ts';
import { isLargeProvider } from '../lists/typos.ts';
import { findMailOperator } from '../mail-operators/find-operator.ts';
import type { MailOperator } from '../mail-operators/find-operator.ts';
import type { Contact } from './history.ts';

type Party = Pick<Contact, 'parties' | 'isGiant'>;

/**
 * The party behind a mail server: the owner of the host's name, and the server itself.
 *
 * @param name of the mail host, or of the operator that it belongs to
 */
export function partyOfHost(name: string, address: string, operator: MailOperator | null): Party {
	return { parties: [ownerOf(name), address], isGiant: isGiant(operator) };
}

/**
 * The name of a host in `partyOfHost`.
 *
 * @param implicit the host is the domain itself, whose name does not show an operator
 */
export function partyNameOf(host: string, implicit: boolean): string {
	const operator = implicit ? null : findMailOperator([host]);
	return operator !== null && isGiant(operator) ? operator.operator : ownerOf(host);
}

/** The party of a question to the resolver. */
export function partyOfName(name: string): Party {
	return { parties: [ownerOf(name)], isGiant: isLargeProvider(name) || isGiant(findMailOperator([name])) };
}

/** Hosting companies do not count, because their customers' servers have their own names. */
function isGiant(operator: MailOperator | null): boolean {
	return operator?.kind === 'mailbox' || operator?.kind === 'gateway';
}

function ownerOf(name: string): string {
	return findRegistrable(name)?.domain ?? name;
}
