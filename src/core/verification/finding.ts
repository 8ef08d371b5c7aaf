import type { MailOperator } from '../mail-operators/operators.ts';
import type { Words } from '../catchall/reply-difference.ts';
import type { ReplyMeaning } from '../smtp/reply-rule.ts';
import type { PauseReason } from '../turns/pause.ts';
import type { Interpretation } from './interpret-session.ts';

/** The meaning of the server's answer to one invented recipient. */
export type InventedReading = ReplyMeaning | 'no_reply';

/** The outcome of asking a domain's mail hosts about one target. The prober has read their replies; none is read again. */
export type Finding =
	| {
			readonly kind: 'heard';
			readonly host: string;
			readonly interpretation: Interpretation;
			readonly words: Words;
			/** How the replies to invented recipients read, of this conversation or an earlier one about the domain. */
			readonly readings: readonly InventedReading[];
			/** A host of better preference had failed before this one answered. */
			readonly viaBackup: boolean;
			/** The operator of the host that answered (another host of the domain may have another); null: unknown. */
			readonly operator: MailOperator | null;
			/** The conversation went over to TLS. */
			readonly secured: boolean;
	  }
	/** Not asked: the host, or its operator, blocked or rate-limited us lately. */
	| { readonly kind: 'paused'; readonly why: PauseReason }
	/** Not asked: our own capacity for the host is used up until then (epoch ms). */
	| { readonly kind: 'postponed'; readonly until: number }
	/** No host took a connection. `tried`: how many were dialled. */
	| { readonly kind: 'no_connect'; readonly tried: number }
	/** The hosts' IP addresses could not be looked up in time. */
	| { readonly kind: 'dns_error' }
	/** Every host has only private or invalid addresses, or none. */
	| { readonly kind: 'unroutable' };

/** The outcome for a target that a host replied to. */
export type Heard = Extract<Finding, { kind: 'heard' }>;
