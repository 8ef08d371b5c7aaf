import { DAY_MS } from '../../lib/time.ts';
import { toBase62 } from '../../lib/encodings.ts';
import { hmacSha256 } from '../../lib/digest.ts';
import type { Address } from '../address/parse-address.ts';
import type { Judgement } from '../catchall/breakdown.ts';
import type { SigningSecret } from '../keys/api-key.ts';
import type { ListFacts, Outcome } from '../verification/render.ts';
import { statusOf } from '../verification/sub-status.ts';

/** The outcome of a message that an account sent to an address. */
export const OUTCOME_KINDS = ['delivered', 'hard_bounce'] as const;
export type OutcomeKind = (typeof OUTCOME_KINDS)[number];

/**
 * What each of them is worth. `keptDays`: how long after the message it is kept, and decides; people leave sooner than
 * dead mailboxes are revived. `text`: one sentence for people, without a full stop. `gate`: its rule where the address
 * has a score.
 */
export const OWN_OUTCOMES = {
	delivered: {
		keptDays: 90,
		text: 'A message of yours to this address was delivered in the last three months',
		subStatus: 'accepted_email',
		gate: { label: 'gate:own_delivery', score: 98, subStatus: 'catch_all_valid' },
	},
	hard_bounce: {
		keptDays: 180,
		text: 'A message of yours to this address bounced in the last half year',
		subStatus: 'rejected_email',
		gate: { label: 'gate:own_bounce', score: 2, subStatus: 'catch_all_invalid' },
	},
} as const;

export interface KeptOutcome {
	readonly kind: OutcomeKind;
	/** When the message was sent or bounced, epoch milliseconds. */
	readonly at: number;
}

export interface ToldOutcome extends KeptOutcome {
	/** False: the caller gave no time, and `at` is that of the report. */
	readonly isDated: boolean;
}

/** The time (epoch ms) at which the outcome is deleted, and decides nothing any more. */
export function endOf({ kind, at }: KeptOutcome): number {
	return at + OWN_OUTCOMES[kind].keptDays * DAY_MS;
}

/**
 * Whether a reported outcome replaces the known one. The newest wins; at the same time the bounce wins, whatever
 * their order. The same outcome without a date within a day is a repeated report.
 */
export function replaces(report: ToldOutcome, known: KeptOutcome | null): boolean {
	if (known === null) return true;
	if (report.at === known.at) return report.kind === 'hard_bounce' && known.kind !== 'hard_bounce';
	if (report.at < known.at) return false;
	return report.kind !== known.kind || report.isDated || report.at - known.at >= DAY_MS;
}

/** The keyed hashes of an address, that of the secret in use first. */
export type Digests = readonly string[];

// HMAC-SHA-256 cut to 128 bits (RFC 2104 §5 allows down to 80).
const DIGEST_OCTETS = 16;

/**
 * The digests that stand for an address in its account: a keyed hash for each of our secrets, the current one first.
 * Without the secret an address can't be tested against them, and it has another digest in each account. Both scripts
 * of a domain, and any letter case, give the same digest: few servers distinguish mailboxes by case.
 */
export function addressDigests(
	secrets: readonly SigningSecret[],
	accountId: string,
	{ localPart, domain }: Pick<Address, 'localPart' | 'domain'>,
): Digests {
	// No account id and no address contains a zero octet, so no two inputs are equal.
	const text = `own outcome\0${accountId}\0${localPart.toLowerCase()}@${domain}`;
	return secrets.map(({ secret }) => toBase62(hmacSha256(secret, text).subarray(0, DIGEST_OCTETS)));
}

type DomainLists = Pick<ListFacts, 'disposable' | 'suggestedDomain'>;

/** True for a domain whose mailboxes are useless to a sender, whatever its server says. */
export function isDoubtfulDomain({ disposable, suggestedDomain }: DomainLists): boolean {
	return disposable || suggestedDomain !== null;
}

/**
 * Whether the outcome of the account's own message decides. A domain that is disposable or one slip from a large provider's
 * accepts mail for every address, so a delivery there proves nothing.
 */
export function decides(kind: OutcomeKind, lists: DomainLists): boolean {
	return kind === 'hard_bounce' || !isDoubtfulDomain(lists);
}

/**
 * The result as the account's own outcome decides it; null: the result stays. In a judgement it had its say already. Without
 * one, an earlier delivery does not outweigh evidence that no mail can arrive now, and every other result gives way, even an
 * `unknown`.
 */
export function overrule(
	outcome: Outcome,
	kind: OutcomeKind,
	lists: DomainLists,
	judgement: Pick<Judgement, 'rule'> | null,
): Outcome | null {
	const { subStatus, text, gate } = OWN_OUTCOMES[kind];
	const note = kind === 'delivered' ? text : `Mailbox does not exist. ${text}`;
	const own = { ...outcome, method: 'list', replyCode: null, retryAfterSeconds: null, note } as const;
	if (judgement !== null) return judgement.rule === gate.label ? own : null;
	const status = statusOf(outcome.subStatus);
	if (status === statusOf(subStatus) || status === 'undeliverable' || !decides(kind, lists)) return null;
	return { ...own, subStatus };
}
