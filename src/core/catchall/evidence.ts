import type { MailRoute } from '../dns/find-mail-exchangers.ts';
import type { OutcomeKind } from '../outcomes/outcome.ts';
import type { Finding as Answer, InventedReading } from '../verification/finding.ts';
import type { CoverageItem } from './breakdown.ts';
import type { Wording } from './reply-difference.ts';
import type { Finding } from './table.ts';

/** All evidence about an address whose domain accepts invented recipients, or did when it was last asked. */
export interface CatchAllEvidence {
	readonly route: MailRoute;
	/** The answer of the domain's mail hosts about the address; null: its route leads to none. */
	readonly heard: Answer | null;
	/**
	 * The words for an invented recipient that we asked about first, in another conversation with the same host. They
	 * show whether being first changes the wording. Null: not asked, or not accepted.
	 */
	readonly control: Wording | null;
	readonly lists: {
		readonly disposable: boolean;
		/** The large provider's domain that was probably meant, or null. */
		readonly suggestedDomain: string | null;
	};
	/** Findings about the domain, the local part, the list and published addresses. The judge adds those of the route. */
	readonly findings: readonly Finding[];
	/** The items of evidence that were measured for `findings`. The judge adds the mail route. */
	readonly measured: ReadonlySet<CoverageItem>;
	/** The registry is deleting the domain (RDAP `redemption period` or `pending delete`). */
	readonly registrationEnded: boolean;
	/** The registry may know how old the domain is, and did not tell us in time. */
	readonly ageNotTold: boolean;
	/** The outcome of the account's own message to the address; null: none is kept. */
	readonly ownOutcome: OutcomeKind | null;
}

/** True when at least two invented recipients were asked, and all of them were accepted. */
export function provesCatchAll(invented: readonly InventedReading[]): boolean {
	return invented.length >= 2 && invented.every((reading) => reading === 'accepted');
}

/** True when at least two invented recipients were asked, and all of them were refused as unknown mailboxes. */
export function provesNoCatchAll(invented: readonly InventedReading[]): boolean {
	return invented.length >= 2 && invented.every((reading) => reading === 'no_such_mailbox');
}

/** True for a domain whose mailboxes are useless to a sender, whatever its server says. */
export function isDoubtfulDomain({ disposable, suggestedDomain }: CatchAllEvidence['lists']): boolean {
	return disposable || suggestedDomain !== null;
}
