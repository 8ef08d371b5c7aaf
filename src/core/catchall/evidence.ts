import type { MailRoute } from '../dns/find-mail-exchangers.ts';
import type { MailOperator } from '../mail-operators/find-operator.ts';
import type { PauseReason } from '../politeness/pause.ts';
import type { OperatorName } from '../mail-operators/operators.ts';
import { classifyReply } from '../smtp/classify-reply.ts';
import type { ReplyMeaning } from '../smtp/classify-reply.ts';
import type { RecipientReply, SessionReport } from '../smtp/session.ts';
import type { Interpretation } from '../verification/interpret-session.ts';
import type { CoverageItem } from './coverage.ts';
import type { Signal } from './signal.ts';

/** What came of asking the domain's mail hosts about the address. */
export type MailProbe =
	| {
			readonly kind: 'heard';
			readonly interpretation: Interpretation;
			readonly report: SessionReport;
			/** A host of better preference had failed before this one answered. */
			readonly viaBackup: boolean;
			/** Who runs the host that answered, null when nobody we know: another host of the domain may be somebody else's. */
			readonly operator: MailOperator | null;
	  }
	/** The host, or its operator, blocked or slowed us lately: it is left alone. */
	| { readonly kind: 'paused'; readonly why: PauseReason }
	/** Our own capacity for the host is used up until then (epoch ms): it was not asked. */
	| { readonly kind: 'postponed'; readonly until: number }
	/** No host took a connection. */
	| { readonly kind: 'no_connect' }
	/** The hosts' addresses could not be looked up, or not in time. */
	| { readonly kind: 'dns_error' }
	/** Every host has only private or invalid addresses, or none. */
	| { readonly kind: 'unroutable' };

/** Where mail for the domain goes, and what was heard there. */
export type MailEvidence =
	| Exclude<MailRoute, { kind: 'hosts' }>
	| (Extract<MailRoute, { kind: 'hosts' }> & { readonly probe: MailProbe });

/** What the server meant by its answer to one invented recipient. */
export type InventedReading = ReplyMeaning | 'no_reply';

/** What became of a message that this account sent to this very address. */
export interface OwnOutcome {
	readonly kind: 'hard_bounce' | 'delivered';
	/** Since then, in days. */
	readonly ageDays: number;
}

/** All that is known of an address on a domain that accepts invented recipients, or did when it was last asked. */
export interface CatchAllEvidence {
	readonly mail: MailEvidence;
	/** The readings of invented recipients of the domain: from this conversation, or a recent one with the domain. */
	readonly invented: readonly InventedReading[];
	/**
	 * An invented recipient that was asked first in a conversation of its own with the same host: shows whether being
	 * first changes the answer. Null where nobody asked.
	 */
	readonly control: RecipientReply | null;
	readonly lists: {
		readonly disposable: boolean;
		/** The large provider's domain that was probably meant, or null. */
		readonly suggestedDomain: string | null;
	};
	/** What others measured: of the domain, the local part, the list, the public, the past. */
	readonly signals: readonly Signal[];
	/** What those others could look at. Route and mail server are added by the judge. */
	readonly measured: ReadonlySet<CoverageItem>;
	/** The registry is deleting the domain (RDAP `redemption period` or `pending delete`). */
	readonly registrationEnded: boolean;
	readonly ownOutcome: OwnOutcome | null;
}

/** Reads the answers to the invented recipients of a conversation. */
export function readInvented(
	{ invented, sender }: Pick<SessionReport, 'invented' | 'sender'>,
	operator: OperatorName | null,
): readonly InventedReading[] {
	return invented.map(({ recipient, reply }) =>
		reply === null
			? 'no_reply'
			: classifyReply({ stage: 'rcpt', reply, recipient, sender, operator }).meaning,
	);
}

/** A catch-all is proved by two invented recipients at least, with nothing else going wrong. */
export function provesCatchAll(invented: readonly InventedReading[]): boolean {
	return invented.length >= 2 && invented.every((reading) => reading === 'accepted');
}

/** Two invented recipients at least were refused as such, and none fared otherwise. */
export function provesNoCatchAll(invented: readonly InventedReading[]): boolean {
	return invented.length >= 2 && invented.every((reading) => reading === 'no_such_mailbox');
}

/** A domain whose mailboxes are not what a sender wants, whatever its server says. */
export function isDoubtfulDomain({ disposable, suggestedDomain }: CatchAllEvidence['lists']): boolean {
	return disposable || suggestedDomain !== null;
}
