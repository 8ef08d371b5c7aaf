import type { Address } from '../core/address/parse-address.ts';
import type { DomainFacts } from '../core/catchall/domain.ts';
import type { Wording } from '../core/catchall/reply-difference.ts';
import type { MailRoute } from '../core/dns/find-mail-exchangers.ts';
import { conversationMs, SMALL_JOB_BELOW } from '../core/jobs/deferral.ts';
import { isDisposable } from '../core/lists/domain-kinds.ts';
import { findMailOperator } from '../core/mail-operators/operators.ts';
import type { MailOperator } from '../core/mail-operators/operators.ts';
import { isDoubtfulDomain, overrule, OWN_RULES, shownAsOwn } from '../core/outcomes/outcome.ts';
import { decide } from '../core/verification/decide.ts';
import type { Finding, Heard } from '../core/verification/finding.ts';
import { decidedBy, listFacts, serverOf } from '../core/verification/render.ts';
import type { ListFacts, Outcome } from '../core/verification/render.ts';
import { isUnknown, SUB_STATUSES } from '../core/verification/sub-status.ts';
import type { SubStatus } from '../core/verification/sub-status.ts';
import { assert } from '../lib/assert.ts';
import { onceOnly } from '../lib/expiring-map.ts';
import type { Case, Conclusion, ExaminePorts, How } from './case.ts';
import { leadsToDisposable, leadsToOptedOut, lookUpMail } from './look-up-mail.ts';
import { probe } from './probe.ts';
import { DAY_MS } from '../lib/time.ts';

/**
 * Examines addresses of one domain, which share the look-ups and the conversations: lists, DNS, SMTP, verdict. The findings
 * are in the order of the addresses; null: the time was up before a mail host was asked about this address. Throws only
 * when a way out of ours fails.
 *
 * @param settings `budgetMs`: time for all network work on one address
 */
export async function examineAddresses(
	ports: ExaminePorts,
	{ budgetMs }: { readonly budgetMs: number },
	addresses: readonly Address[],
	how: How,
): Promise<readonly (Conclusion | null)[]> {
	const domain = addresses[0]?.domain ?? '';
	assert(
		addresses.every((address) => address.domain === domain),
		'the addresses have one domain',
	);
	for (const address of addresses) how.trail?.lists(listFacts(address));
	const about = await caseOf(ports, how, { domain, count: addresses.length, budgetMs });
	const { hosts, deadline } = about;
	// A catch-all's facts are looked up while its server is still asked.
	const isAlone = addresses.length === 1 && how.deep === 'catch_all';
	const foundCatchAll = isAlone ? () => void about.domainFacts(deadline) : undefined;
	const answers = hosts === null ? null : await probe(about, hosts, addresses, foundCatchAll);
	const invented = answers?.map(shownOfInvented).find((one) => one !== null) ?? null;
	const now = ports.clock.now();
	const known = { catchAll: invented === 'accepted', at: now };
	if (invented !== null) ports.catchAlls?.set(domain, known, now + CATCH_ALL_KEPT_MS[invented]);
	const waitedMs = now - about.lookedUpAt;
	const found: (Conclusion | null)[] = [];
	for (const [at, address] of addresses.entries()) {
		const heard = answers?.[at] ?? null;
		// A caller waits. In a list the deeper check has the time of one address, however long the questions took.
		const until = how.class === 'single' ? deadline : ports.clock.now() + budgetMs;
		const wasReached = answers === null || heard !== null;
		// Several addresses share the time of their question, so none of them had all of it.
		const of = {
			address,
			heard,
			operator: operatorOf(about, heard),
			waitedMs: addresses.length === 1 ? waitedMs : 0,
		};
		found.push(wasReached ? await conclude({ ...about, deadline: until }, of) : null);
	}
	for (const findings of found) if (findings !== null) how.trail?.decision(findings.outcome.subStatus);
	return found;
}

// An administrator may switch a catch-all off at any time, and switches one on more often than off.
const CATCH_ALL_KEPT_MS = { accepted: 7 * DAY_MS, rejected: DAY_MS } as const;

// Nothing was looked up.
const NO_ROUTE: MailRoute = { kind: 'undetermined', cause: 'timeout' };

/** Looks up the domain's mail, unless its hosts are not to be asked. `count`: how many addresses share the question. */
async function caseOf(
	ports: ExaminePorts,
	how: How,
	{ domain, count, budgetMs }: { readonly domain: string; readonly count: number; readonly budgetMs: number },
): Promise<Case> {
	const { clock, optOuts } = ports;
	const { quick = false } = how;
	const isListed = isDisposable(domain);
	const begun = clock.now();
	const factsOnce = onceOnly<DomainFacts>();
	const unasked: Case = {
		ports,
		how,
		domain,
		refused: null,
		route: NO_ROUTE,
		operator: null,
		hosts: null,
		nameServersFail: false,
		isDisposable: isListed,
		lookedUpAt: begun,
		deadline: begun + budgetMs,
		knownCatchAll: null,
		domainFacts: (deadline) => factsOnce(() => ports.examineDomain(domain, deadline)),
		control: onceOnly<Wording | null>(),
	};
	// An opt-out is about questions to mail hosts.
	if (!quick && (await optOuts?.covers(domain)) === true)
		return { ...unasked, refused: refusedBy('opted_out') };
	// A task is paid for scores, so it asks the mail hosts of disposable domains too.
	const asksDisposable = how.deep === 'always';
	if (isListed && !asksDisposable) return { ...unasked, refused: refusedBy('disposable') };
	const since = clock.now();
	const mail = await (how.mail ?? lookUpMail(ports, { domain }, { quick }));
	const { route, hosts } = mail;
	const names = route.kind === 'hosts' ? route.hosts : [];
	const operator = route.kind === 'hosts' && !route.implicit ? findMailOperator(names) : null;
	how.trail?.route(route, operator);
	if (!quick && (await leadsToOptedOut(ports, route))) return { ...unasked, refused: refusedBy('opted_out') };
	const isThrowAway = isListed || leadsToDisposable(domain, mail);
	if (isThrowAway && !asksDisposable)
		return { ...unasked, refused: refusedBy('disposable', names[0]), isDisposable: true };
	const isAsked = !quick && route.kind === 'hosts' && isWorthAsking(operator, how.deep);
	if (isAsked && how.mayAsk === false)
		return { ...unasked, refused: refusedBy('free_limit'), isDisposable: isThrowAway };
	return {
		...unasked,
		route,
		operator,
		hosts: isAsked ? hosts : null,
		nameServersFail: isAsked
			? hosts?.some((host) => host.nameServersFail) === true
			: route.kind === 'undetermined' && route.cause === 'server_failure',
		isDisposable: isThrowAway,
		lookedUpAt: clock.now(),
		deadline: since + conversationMs(how.class, operator, { usualMs: budgetMs, count }),
		knownCatchAll: quick ? (ports.catchAlls?.get(domain, begun) ?? null) : null,
	};
}

/** The best host's answer to invented recipients, if it is clear. A backup may answer otherwise. */
function shownOfInvented(heard: Finding | null): 'accepted' | 'rejected' | null {
	if (heard?.kind !== 'heard' || heard.viaBackup) return null;
	const { invented } = heard.interpretation;
	return invented === 'accepted' || invented === 'rejected' ? invented : null;
}

/** The outcome for addresses that are not asked about. `mailHost`: the one that shows it; left out: the domain's name does. */
function refusedBy(why: 'opted_out' | 'free_limit' | 'disposable', mailHost?: string): Outcome {
	if (mailHost === undefined) return decidedBy('list', why);
	const note = 'Mail for this domain goes to the mail host of a disposable mail service';
	return { ...decidedBy('dns', why), mxRecord: mailHost, note };
}

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
interface AskedAddress {
	readonly address: Address;
	/** Null where the route leads to no host, or to one that is not worth asking. */
	readonly heard: Finding | null;
	/** The operator of the host that answered, or else of the route; null: unknown. */
	readonly operator: MailOperator | null;
	/** How long its mail hosts were given for their answer; 0: not known. */
	readonly waitedMs: number;
}

/** Reaches the verdict on an address, with the deeper check where `how.deep` asks for it. */
async function conclude(about: Case, of: AskedAddress): Promise<Conclusion> {
	const { nameServersFail, refused, route } = about;
	const { address, heard, operator } = of;
	const lists = listFacts(address, about.isDisposable);
	const { outcome, judgement, isOwn } = await weigh(about, of, lists, decideOn(about, of, lists));
	const replied = heard?.kind === 'heard' && heard.interpretation.replyCode !== null;
	const server = refused === null ? serverOf(route, about.operator) : {};
	// When another question is worth it, where the prober says it.
	const isPutOff = outcome.subStatus === 'no_capacity' && heard?.kind === 'postponed';
	const againMs = isPutOff ? heard.until - about.ports.clock.now() : null;
	const again = againMs === null ? {} : { retryAfterSeconds: Math.max(1, Math.ceil(againMs / 1000)) };
	return {
		lists,
		outcome: { ...outcome, ...server, ...again },
		judgement,
		// A host that only accepted the connection did not reply.
		answeredBy: replied ? heard.host : undefined,
		operator,
		// Where the account's own message decided, it does not matter whether and when a server can be asked.
		...(!isOwn && heard?.kind === 'postponed' ? { postponedUntil: heard.until } : {}),
		...(!isOwn && nameServersFail && outcome.subStatus === 'dns_error' ? { nameServersFail } : {}),
	};
}

/** The operator of the host that answered: another host of the domain may be another's, with other habits. */
function operatorOf({ route, operator }: Case, heard: Finding | null): MailOperator | null {
	if (heard?.kind !== 'heard') return operator;
	return route.kind === 'hosts' && route.implicit ? null : findMailOperator([heard.host]);
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
		case 'no_connect': {
			const [tried, all] = [heard.tried, route.hosts.length];
			// It claims nothing about hosts that were left out, for lack of time or of a usable address.
			const note = `Recipient's mail server unavailable: none of the ${tried} mail hosts that we tried could be reached, of ${all}`;
			return { ...decidedBy('smtp', 'no_connect'), ...(tried < all ? { note } : {}) };
		}
		case 'postponed':
			return decidedBy('smtp', 'no_capacity');
		case 'paused':
			return { ...decidedBy('smtp', heard.why), note: PAUSED };
	}
}

function decideHeard(about: Case, of: AskedAddress, heard: Heard, lists: ListFacts): Outcome | null {
	const { ports, how } = about;
	const { kind } = heard.interpretation.target;
	if (kind === 'accepted' || kind === 'rejected') {
		const { localPart, domain } = of.address;
		if (ports.doubt?.answered(domain, kind, localPart, how.asker) === true) return DOUBTED;
	}
	const decision = decide(heard, of.operator, lists.suggestedDomain !== null);
	if (decision === null) return null;
	const note = noteOn(decision.subStatus, heard, of, how.class === 'list');
	const { replyCode } = heard.interpretation;
	const outcome = { ...decidedBy('smtp', decision.subStatus), ...decision, replyCode };
	return note === null ? outcome : { ...outcome, note };
}

/** The words in the place of the usual reason, where that would be wrong or say too little; null: the usual ones. */
function noteOn(
	subStatus: SubStatus,
	{ interpretation }: Heard,
	{ operator, waitedMs }: AskedAddress,
	isList: boolean,
): string | null {
	if (subStatus === 'no_connect') return BACKUP;
	const { target, rule, replyCode } = interpretation;
	// The customer sees what the verdict rests on: no rule knows this wording.
	if (target.kind === 'rejected' && rule?.startsWith('words.') === true)
		return `${READ_BY_WORDS}. It replied ${replyCode ?? ''}`;
	if (subStatus === 'unavailable_smtp' && rule?.startsWith('relay.') === true) return NOT_SERVED;
	if (subStatus !== 'timeout') return null;
	const { reason } = SUB_STATUSES[subStatus];
	const { slowestReplyMs = null } = operator ?? {};
	// A list would have waited for the answer.
	if (!isList && slowestReplyMs !== null)
		return `${reason}: it is known to take up to ${Math.round(slowestReplyMs / 1000)} s for an answer, which a list of ${SMALL_JOB_BELOW} addresses or more waits for`;
	const seconds = Math.floor(waitedMs / 1000);
	return seconds > 0 ? `${reason}: it did not answer within ${seconds} s` : null;
}

/** Turns the conversation's decision into the outcome. `isOwn`: the outcome of the account's own message decided. */
async function weigh(
	about: Case,
	{ address, heard, operator }: AskedAddress,
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
			: await judgeCatchAll(about, { address, answer, operator, lists, ownOutcome: message });
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
