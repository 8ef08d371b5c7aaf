import type { MailRoute } from '../dns/find-mail-exchangers.ts';
import type { MailOperator } from '../mail-operators/find-operator.ts';
import type { OutcomeKind } from '../outcomes/outcome.ts';
import type { PauseReason } from '../turns/pause.ts';
import type { ReplyMeaning } from '../smtp/classify-reply.ts';
import type { Interpretation } from '../verification/interpret-session.ts';
import type { CoverageItem } from './breakdown.ts';
import type { Wording, Words } from './reply-difference.ts';
import type { Finding } from './table.ts';

/** The outcome of asking the domain's mail hosts about the address. */
export type MailProbe =
	| {
			readonly kind: 'heard';
			readonly interpretation: Interpretation;
			readonly words: Words;
			/** A host of better preference had failed before this one answered. */
			readonly viaBackup: boolean;
			/** The operator of the host that answered (another host of the domain may have another); null: unknown. */
			readonly operator: MailOperator | null;
	  }
	/** Not asked: the host, or its operator, blocked or rate-limited us lately. */
	| { readonly kind: 'paused'; readonly why: PauseReason }
	/** Not asked: our own capacity for the host is used up until then (epoch ms). */
	| { readonly kind: 'postponed'; readonly until: number }
	/** No host took a connection. */
	| { readonly kind: 'no_connect' }
	/** The hosts' IP addresses could not be looked up in time. */
	| { readonly kind: 'dns_error' }
	/** Every host has only private or invalid addresses, or none. */
	| { readonly kind: 'unroutable' };

/** The mail route of the domain, and the outcome of the probe where there are hosts. */
export type MailEvidence =
	| Exclude<MailRoute, { kind: 'hosts' }>
	| (Extract<MailRoute, { kind: 'hosts' }> & { readonly probe: MailProbe });

/** The meaning of the server's answer to one invented recipient. */
export const INVENTED_READINGS = [
	'accepted',
	'mailbox_exists',
	'no_such_mailbox',
	'mailbox_disabled',
	'mailbox_full',
	'rate_limited',
	'blocked',
	'policy',
	'temporary',
	'greylisted',
	'tls_required',
	'relay_denied',
	'protocol_error',
	'undetermined',
	'no_reply',
] as const satisfies readonly (ReplyMeaning | 'no_reply')[];
export type InventedReading = ReplyMeaning | 'no_reply';

/** All evidence about an address whose domain accepts invented recipients, or did when it was last asked. */
export interface CatchAllEvidence {
	readonly mail: MailEvidence;
	/** The readings of invented recipients: from this conversation, or from a recent one about the same domain. */
	readonly invented: readonly InventedReading[];
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
