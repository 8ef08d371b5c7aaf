import type { Address } from '../core/address/parse-address.ts';
import { SMALL_JOB_BELOW } from '../core/jobs/deferral.ts';
import type { MailOperator } from '../core/mail-operators/operators.ts';
import { isDoubtfulDomain, overrule, OWN_RULES, shownAsOwn } from '../core/outcomes/outcome.ts';
import { decide } from '../core/verification/decide.ts';
import type { Finding, Heard } from '../core/verification/interpret-session.ts';
import { decidedBy, serverOf } from '../core/verification/render.ts';
import type { ListFacts, Outcome } from '../core/verification/render.ts';
import { isUnknown, SUB_STATUSES } from '../core/verification/sub-status.ts';
import type { SubStatus } from '../core/verification/sub-status.ts';
import { assert } from '../lib/assert.ts';
import type { Case, Conclusion, How } from './case.ts';
import { listFacts } from './unasked.ts';

const PAUSED = "The recipient's mail server refused us a short while ago, and is left alone for now";
/** A refusal that is not believed yet. */
const DOUBTED: Outcome = {
	...decidedBy('smtp', 'unavailable_smtp'),
	note: "The recipient's mail server suddenly refuses every mailbox of the domain, which is believed if it still does in 15 minutes",
};
const READ_BY_WORDS = "The mail server's words read as: no such mailbox";
const NOT_SERVED = "Recipient's mail server unavailable: it does not take mail for this domain";
const BACKUP =
	"Recipient's first mail server unavailable: it could not be reached, and what a backup accepts proves nothing";

/** The quick check: the domain takes mail, and nothing more is known of the mailbox. */
export const QUICK: Outcome = {
	...decidedBy('dns', 'not_asked'),
	note: 'The domain takes mail. The quick check asks no mail server, so the mailbox is not known',
};

/** The quick check: the domain takes mail, and was hardly meant. */
export const QUICK_TYPO: Outcome = {
	...decidedBy('list', 'possible_typo'),
	note: "The domain is one slip away from a large provider's. The quick check asked no mail server",
};

/** An address on a catch-all domain in a bulk job, which leaves the deeper check to a task. */
const CATCH_ALL_ROW: Outcome = { ...decidedBy('smtp', 'catch_all'), catchAll: true };

const ROUTELESS = {
	no_such_domain: 'invalid_domain',
	null_mx: 'does_not_accept_mail',
	no_mail_host: 'no_mx_records',
	undetermined: 'dns_error',
} as const;

/** An address of a case, and what the prober heard of it. */
export interface AskedAddress {
	readonly address: Address;
	/** Null where the route leads to no host, or to one that is not worth asking. */
	readonly heard: Finding | null;
	/** How long its mail hosts were given for their answer; 0: not known. */
	readonly waitedMs: number;
}

/** Reaches the verdict on an address, with the deeper check where `how.deep` asks for it. */
export async function conclude(about: Case, of: AskedAddress): Promise<Conclusion> {
	const { nameServersFail, refused, isDisposable } = about;
	const { address, heard } = of;
	const lists = listFacts(address, isDisposable);
	const { outcome, judgement, isOwn } = await weigh(about, of, lists, decideOn(about, of, lists));
	const replied = heard?.kind === 'heard' && heard.interpretation.replyCode !== null;
	const server = refused === null ? serverOf(about.route, about.operator) : {};
	return {
		lists,
		outcome: { ...outcome, ...server, ...retryOf(about, heard, outcome.subStatus) },
		judgement,
		// A host that only accepted the connection did not reply.
		answeredBy: replied ? heard.host : undefined,
		operator: heard?.kind === 'heard' ? heard.operator : about.operator,
		// Where the account's own message decided, it does not matter whether and when a server can be asked.
		...(!isOwn && heard?.kind === 'postponed' ? { postponedUntil: heard.until } : {}),
		...(!isOwn && nameServersFail && outcome.subStatus === 'dns_error' ? { nameServersFail } : {}),
	};
}

/** When another question is worth it, where the prober or the operator's row says it. */
function retryOf(
	{ ports, operator }: Case,
	heard: Finding | null,
	subStatus: SubStatus,
): Pick<Outcome, 'retryAfterSeconds'> {
	const isPutOff = subStatus === 'no_capacity' && heard?.kind === 'postponed';
	const ofOperator = subStatus === 'greylisted' ? operator?.askAgainAfterMs : null;
	const ms = isPutOff ? heard.until - ports.clock.now() : (ofOperator ?? null);
	return ms === null ? {} : { retryAfterSeconds: Math.max(1, Math.ceil(ms / 1000)) };
}

/**
 * Whether an answer would tell anything: who says yes to everybody is not asked, since a connection there costs our good
 * name and proves nothing. A task was bought for a score, so it asks all the same.
 */
export function isWorthAsking(operator: MailOperator | null, deep: How['deep']): boolean {
	return deep === 'always' || operator?.routeClass !== 'blind';
}

/** The decision of the conversation; null: the domain accepts every address, so the deeper check has to decide. */
function decideOn(about: Case, of: AskedAddress, lists: ListFacts): Outcome | null {
	const { refused, route, operator, how, knownCatchAll } = about;
	const { heard } = of;
	if (refused !== null) return refused;
	if (route.kind !== 'hosts') return decidedBy('dns', ROUTELESS[route.kind]);
	if (how.quick === true) {
		if (lists.suggestedDomain !== null) return QUICK_TYPO;
		const asIs = how.mayAsk === false ? decidedBy('list', 'free_limit') : QUICK;
		return { ...asIs, catchAll: knownCatchAll?.catchAll ?? null };
	}
	if (!isWorthAsking(operator, how.deep)) return decidedBy('smtp', 'accepts_everything');
	assert(heard !== null, 'a route that leads to hosts was asked along');
	switch (heard.kind) {
		case 'heard':
			return decideHeard(about, of, heard, lists);
		case 'dns_error':
			return decidedBy('dns', 'dns_error');
		case 'unroutable':
			return decidedBy('dns', 'unroutable_mx');
		case 'no_connect':
			return { ...decidedBy('smtp', 'no_connect'), ...partlyTried(heard.tried, route.hosts.length) };
		case 'postponed':
			return decidedBy('smtp', 'no_capacity');
		case 'paused':
			return { ...decidedBy('smtp', heard.why), note: PAUSED };
	}
}

/** The reason where hosts were left out, for lack of time or of a usable address: it claims nothing about those. */
function partlyTried(tried: number, hosts: number): Pick<Outcome, 'note'> {
	if (tried >= hosts) return {};
	return {
		note: `Recipient's mail server unavailable: none of the ${tried} mail hosts that we tried could be reached, of ${hosts}`,
	};
}

function decideHeard({ ports, how }: Case, of: AskedAddress, heard: Heard, lists: ListFacts): Outcome | null {
	const { kind } = heard.interpretation.target;
	if (kind === 'accepted' || kind === 'rejected') {
		const { localPart, domain } = of.address;
		if (ports.doubt?.answered(domain, kind, localPart, how.asker) === true) return DOUBTED;
	}
	const decision = decide(heard, lists.suggestedDomain !== null);
	if (decision === null) return null;
	const note = noteOn(decision.subStatus, heard, how.class === 'list', of.waitedMs);
	const { replyCode } = heard.interpretation;
	const outcome = { ...decidedBy('smtp', decision.subStatus), ...decision, replyCode };
	return note === null ? outcome : { ...outcome, note };
}

/** The words in the place of the usual reason, where that would be wrong or say too little; null: the usual ones. */
function noteOn(
	subStatus: SubStatus,
	{ interpretation, operator }: Heard,
	isList: boolean,
	waitedMs: number,
): string | null {
	if (subStatus === 'no_connect') return BACKUP;
	const { target, rule, replyCode } = interpretation;
	// The customer sees what the verdict rests on: no rule knows this wording.
	if (target.kind === 'rejected' && rule?.startsWith('words.') === true)
		return `${READ_BY_WORDS}. It replied ${replyCode ?? ''}`;
	if (subStatus === 'unavailable_smtp' && rule?.startsWith('relay.') === true) return NOT_SERVED;
	if (subStatus !== 'timeout' && subStatus !== 'greylisted') return null;
	const { reason } = SUB_STATUSES[subStatus];
	const { slowestReplyMs = null, askAgainAfterMs = null } = operator ?? {};
	// A list would have waited for the answer.
	if (!isList && subStatus === 'timeout' && slowestReplyMs !== null)
		return `${reason}: it is known to take up to ${Math.round(slowestReplyMs / 1000)} s for an answer, which a list of ${SMALL_JOB_BELOW} addresses or more waits for`;
	if (!isList && subStatus === 'greylisted' && askAgainAfterMs !== null)
		return `${reason}: it is known to want about ${Math.round(askAgainAfterMs / 60_000)} min, after which a list of ${SMALL_JOB_BELOW} addresses or more asks again`;
	const seconds = Math.floor(waitedMs / 1000);
	return subStatus === 'timeout' && seconds > 0 ? `${reason}: it did not answer within ${seconds} s` : null;
}

/** Turns the conversation's decision into the outcome. `isOwn`: the outcome of the account's own message decided. */
async function weigh(
	about: Case,
	{ address, heard }: AskedAddress,
	lists: ListFacts,
	decided: Outcome | null,
): Promise<Pick<Conclusion, 'outcome' | 'judgement'> & { readonly isOwn: boolean }> {
	const { how, refused } = about;
	const { deep, sourceList = null } = how;
	// An address that is not asked about, or whose answer is doubted, is scored by its name alone.
	const unheard = refused ?? (decided === DOUBTED ? decided : null);
	const message = unheard === null ? (how.ownOutcomeOf?.(address) ?? null) : null;
	if (deep !== 'always' && (deep === 'never' || decided !== null)) {
		const outcome = outcomeWithoutScore(deep, decided);
		const overruled = message === null ? null : overrule(outcome, message, isDoubtfulDomain(lists));
		return { outcome: overruled ?? outcome, judgement: null, isOwn: overruled !== null };
	}
	// The judge and its dictionary of names are read with the first need of them, not at each start.
	const { judgeByName, judgeCatchAll } = await import('./judge-catch-all.ts');
	const answer = heard?.kind === 'heard' ? heard : decided?.subStatus;
	const judgement =
		unheard !== null && isUnknown(unheard.subStatus)
			? judgeByName(address, sourceList, unheard.subStatus)
			: await judgeCatchAll(about, { address, answer, lists, ownOutcome: message });
	const { score, verdict, subStatus, isCatchAll, rule } = judgement;
	how.trail?.score(score, verdict);
	const catchAll = decided === null ? true : isCatchAll;
	const base = decided ?? decidedBy('smtp', subStatus);
	const outcome = { ...base, subStatus, catchAll, catchAllScore: { score, verdict } };
	const isOwn = message !== null && rule === OWN_RULES[message];
	return { outcome: isOwn ? { ...outcome, ...shownAsOwn(message) } : outcome, judgement, isOwn };
}

function outcomeWithoutScore(deep: How['deep'], decided: Outcome | null): Outcome {
	if (decided === null) return CATCH_ALL_ROW;
	if (decided.subStatus !== 'catch_all_invalid') return decided;
	// A job runs no deeper check, so its row only says that the address was refused. In a single call the address gets
	// the lowest score of a catch-all domain (gate G2 of the scorecard).
	return deep === 'never'
		? { ...decided, subStatus: 'rejected_email' }
		: { ...decided, catchAllScore: { score: 2, verdict: 'invalid' } };
}
