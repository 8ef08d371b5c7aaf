import type { Address } from '../core/address/parse-address.ts';
import type { DomainFacts } from '../core/catchall/domain.ts';
import { isDoubtfulDomain } from '../core/catchall/evidence.ts';
import type { Wording } from '../core/catchall/reply-difference.ts';
import { SMALL_JOB_BELOW } from '../core/jobs/deferral.ts';
import type { Judgement } from '../core/catchall/judge.ts';
import type { MailRoute } from '../core/dns/find-mail-exchangers.ts';
import type { MailOperator } from '../core/mail-operators/find-operator.ts';
import { isOwnRule, overrule, shownAsOwn } from '../core/outcomes/outcome.ts';
import type { OwnOutcome } from '../core/outcomes/outcome.ts';
import { isReadByWords } from '../core/verification/by-words.ts';
import { decide } from '../core/verification/decide.ts';
import { decidedBy } from '../core/verification/render.ts';
import type { ListFacts, Outcome } from '../core/verification/render.ts';
import { SUB_STATUSES } from '../core/verification/sub-status.ts';
import type { SubStatus, SubStatusOf } from '../core/verification/sub-status.ts';
import type { Trace } from '../core/verification/trace.ts';
import { assert } from '../lib/assert.ts';
import type { ExaminePorts, ExamineSettings, Findings, Manner } from './examination.ts';
import type { JudgePorts } from './judge-catch-all.ts';
import type { KnownCatchAll } from './catch-all-memory.ts';
import { lookUpHosts } from './look-up-mail.ts';
import { questionHosts } from './probe.ts';
import type { Heard, TargetAnswer } from './question.ts';

const PAUSED = "The recipient's mail server refused us a short while ago, and is left alone for now";
const DOUBTFUL =
	"The recipient's mail server suddenly refuses every mailbox of the domain, which is believed if it still does in 15 minutes";
const READ_BY_WORDS = "The mail server's words read as: no such mailbox";
const NOT_SERVED = "Recipient's mail server unavailable: it does not take mail for this domain";
const BACKUP =
	"Recipient's first mail server unavailable: it could not be reached, and what a backup accepts proves nothing";

/** Why a caller did not hear from a slow mail host what a list would; null: a list would not either. */
function slownessOf(
	subStatus: SubStatus,
	operator: MailOperator | null,
	urgency: Manner['class'],
): string | null {
	const { slowestReplyMs = null, askAgainAfterMs = null } = operator ?? {};
	if (urgency === 'list') return null;
	if (subStatus === 'timeout' && slowestReplyMs !== null)
		return `${SUB_STATUSES.timeout.reason}: it is known to take up to ${Math.round(slowestReplyMs / 1000)} s for an answer, which a list of ${SMALL_JOB_BELOW} addresses or more waits for`;
	if (subStatus === 'greylisted' && askAgainAfterMs !== null)
		return `${SUB_STATUSES.greylisted.reason}: it is known to want about ${Math.round(askAgainAfterMs / 60_000)} min, after which a list of ${SMALL_JOB_BELOW} addresses or more asks again`;
	return null;
}

/** How long a mail host that did not answer was given; null: not known, or not worth telling. */
function silenceOf(subStatus: SubStatus, waitedMs: number | null): string | null {
	const seconds = Math.floor((waitedMs ?? 0) / 1000);
	if (subStatus !== 'timeout' || seconds === 0) return null;
	return `${SUB_STATUSES.timeout.reason}: it did not answer within ${seconds} s`;
}

/** The words in the place of the usual reason, where that would be wrong or say too little; null: the usual ones. */
function noteOn(
	subStatus: SubStatus,
	{ interpretation, operator }: Heard,
	{ manner, waitedMs }: Pick<Case, 'manner' | 'waitedMs'>,
): string | null {
	if (subStatus === 'no_connect') return BACKUP;
	const { target, rule, replyCode } = interpretation;
	// The customer sees what the verdict rests on: no rule knows this wording.
	if (target.kind === 'rejected' && isReadByWords(rule))
		return `${READ_BY_WORDS}. It replied ${replyCode ?? ''}`;
	if (subStatus === 'unavailable_smtp' && rule?.startsWith('relay.') === true) return NOT_SERVED;
	return slownessOf(subStatus, operator, manner.class) ?? silenceOf(subStatus, waitedMs);
}

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

const ROUTELESS = {
	no_such_domain: 'invalid_domain',
	null_mx: 'does_not_accept_mail',
	no_mail_host: 'no_mx_records',
	undetermined: 'dns_error',
} as const;

/** An address, and everything found out about it so far. */
export interface Case {
	readonly ports: ExaminePorts;
	readonly settings: ExamineSettings;
	readonly manner: Manner;
	readonly address: Address;
	readonly lists: ListFacts;
	readonly route: MailRoute;
	/** Name servers of the domain or of its hosts answered that they fail. */
	readonly nameServersFail: boolean;
	/** The mail operator of the route as a whole. */
	readonly operator: MailOperator | null;
	/** Earlier findings about the domain, where its hosts are not asked; null: none. */
	readonly knownCatchAll: KnownCatchAll | null;
	/** Null where the route leads to no host, or to one that is not worth asking. */
	readonly probe: TargetAnswer | null;
	/** How long its mail hosts were given for their answer; null: not known. */
	readonly waitedMs: number | null;
	/** When the deeper check has to end, epoch milliseconds. */
	readonly deadline: number;
	/** Asks an invented recipient first, once for all addresses of the domain. */
	readonly control: (ask: () => Promise<Wording | null>) => Promise<Wording | null>;
	readonly trace: Trace;
}

/** Reaches the verdict on an address, with the deeper check where `manner.deep` asks for it. */
export async function conclude(about: Case): Promise<Findings> {
	const { lists, probe } = about;
	const { outcome, judgement, isOwn } = await weigh(about, decideOn(about));
	const findings = {
		lists,
		outcome: { ...outcome, ...serverOf(about), ...retryOf(about, outcome.subStatus) },
		judgement,
		invented: shownOfInvented(probe),
		answeredBy: whoReplied(probe),
		operator: probe?.kind === 'heard' ? probe.operator : about.operator,
	};
	// Where the account's own message decided, it does not matter whether and when a server can be asked.
	if (isOwn) return findings;
	return {
		...findings,
		...(about.nameServersFail && outcome.subStatus === 'dns_error' ? { nameServersFail: true } : {}),
		...(probe?.kind === 'postponed' ? { postponedUntil: probe.until } : {}),
	};
}

/** When another question is worth it, where the prober or the operator's row says it. */
function retryOf({ ports, probe, operator }: Case, subStatus: SubStatus): Pick<Outcome, 'retryAfterSeconds'> {
	const ms =
		subStatus === 'no_capacity' && probe?.kind === 'postponed'
			? probe.until - ports.clock.now()
			: subStatus === 'greylisted'
				? operator?.askAgainAfterMs
				: null;
	return ms === null || ms === undefined ? {} : { retryAfterSeconds: Math.max(1, Math.ceil(ms / 1000)) };
}

/** The result's fields about the mail hosts, which do not depend on their replies. */
export function serverOf({
	route,
	operator,
}: Pick<Case, 'route' | 'operator'>): Pick<Outcome, 'mxRecord' | 'implicitMx' | 'smtpProvider' | 'gateway'> {
	const [best = null] = route.kind === 'hosts' ? route.hosts : [];
	const isImplicit = route.kind === 'hosts' && route.implicit;
	return {
		mxRecord: isImplicit ? null : best,
		implicitMx: isImplicit ? best : null,
		smtpProvider: operator?.smtpProvider ?? null,
		gateway: operator?.gateway ?? null,
	};
}

/** The host that replied. A host that only accepted the connection does not count. */
function whoReplied(probe: TargetAnswer | null): string | undefined {
	return probe?.kind === 'heard' && probe.interpretation.replyCode !== null ? probe.host : undefined;
}

/** The best host's answer to invented recipients, if it is clear. A backup may answer otherwise. */
function shownOfInvented(probe: TargetAnswer | null): Findings['invented'] {
	if (probe?.kind !== 'heard' || probe.viaBackup) return null;
	const { invented } = probe.interpretation;
	return invented === 'accepted' || invented === 'rejected' ? invented : null;
}

/**
 * Whether an answer would tell anything: who says yes to everybody is not asked, since a connection there costs our good
 * name and proves nothing. A task was bought for a score, so it asks all the same.
 */
export function isWorthAsking(operator: MailOperator | null, deep: Manner['deep']): boolean {
	return deep === 'always' || operator?.recipients !== 'accepts_everything';
}

/** The decision of the conversation; null: the domain accepts every address, so the deeper check has to decide. */
type Decided = Outcome | 'doubtful_directory' | null;

function decideOn(about: Case): Decided {
	const { route, operator, manner, probe } = about;
	if (route.kind !== 'hosts') return decidedBy('dns', ROUTELESS[route.kind]);
	if (manner.quick === true) return decideUnasked(about);
	if (!isWorthAsking(operator, manner.deep)) return decidedBy('smtp', 'accepts_everything');
	assert(probe !== null, 'a route that leads to hosts was asked along');
	return probe.kind === 'heard' ? decideHeard(about, probe) : decideUnheard(probe, route.hosts.length);
}

/** The reason where hosts were left out, for lack of time or of a usable address: it claims nothing about those. */
function partlyTried(tried: number, hosts: number): Pick<Outcome, 'note'> {
	if (tried >= hosts) return {};
	return {
		note: `Recipient's mail server unavailable: none of the ${tried} mail hosts that we tried could be reached, of ${hosts}`,
	};
}

function decideUnasked({ lists, manner, knownCatchAll }: Case): Outcome {
	if (lists.suggestedDomain !== null) return QUICK_TYPO;
	const asIs = manner.mayAsk === false ? decidedBy('list', 'free_limit') : QUICK;
	return { ...asIs, catchAll: knownCatchAll?.catchAll ?? null };
}

/** @param hosts how many mail hosts the domain names */
function decideUnheard(probe: Exclude<TargetAnswer, Heard>, hosts: number): Outcome {
	switch (probe.kind) {
		case 'dns_error':
			return decidedBy('dns', 'dns_error');
		case 'unroutable':
			return decidedBy('dns', 'unroutable_mx');
		case 'no_connect':
			return { ...decidedBy('smtp', 'no_connect'), ...partlyTried(probe.tried, hosts) };
		case 'postponed':
			return decidedBy('smtp', 'no_capacity');
		case 'paused':
			return { ...decidedBy('smtp', probe.why), note: PAUSED };
	}
}

function decideHeard(about: Case, probe: Heard): Decided {
	const { interpretation, viaBackup, operator } = probe;
	const likelyTypo = about.lists.suggestedDomain !== null;
	const decision = decide({ interpretation, viaBackup, operator, likelyTypo });
	if (isDoubtful(about, probe)) return 'doubtful_directory';
	if (decision.kind === 'deep_check') return null;
	const { subStatus, catchAll } = decision;
	const note = noteOn(subStatus, probe, about);
	return {
		...decidedBy('smtp', subStatus),
		catchAll,
		replyCode: interpretation.replyCode,
		...(note === null ? {} : { note }),
	};
}

/** A broken directory says "no such user" for every mailbox: a sudden run of refusals is believed only if it lasts. */
function isDoubtful({ ports, address, manner }: Case, { interpretation }: Heard): boolean {
	const { kind } = interpretation.target;
	if (kind !== 'accepted' && kind !== 'rejected') return false;
	const answer = { kind, mailbox: address.localPart };
	const trust = ports.domainMemory.answered(address.domain, answer, manner.asker);
	return kind === 'rejected' && trust === 'doubtful';
}

interface Weighed extends Pick<Findings, 'outcome' | 'judgement'> {
	/** The outcome of the account's own message decided. */
	readonly isOwn: boolean;
}

/** Turns the conversation's decision into the outcome, with the deeper check where `manner.deep` asks for it. */
async function weigh(about: Case, decided: Decided): Promise<Weighed> {
	const { deep } = about.manner;
	if (decided === 'doubtful_directory') {
		const outcome = { ...decidedBy('smtp', 'unavailable_smtp'), note: DOUBTFUL };
		const judgement = deep === 'always' ? await judgeWithoutServer(about, 'unavailable_smtp') : null;
		return { outcome, judgement, isOwn: false };
	}
	if (deep === 'always' || (deep === 'catch_all' && decided === null)) {
		const judgement = await checkDeeply(about);
		const { score, verdict, subStatus, isCatchAll, rule } = judgement;
		const catchAll = decided === null ? true : isCatchAll;
		const base = decided ?? decidedBy('smtp', subStatus);
		const outcome = { ...base, subStatus, catchAll, catchAllScore: { score, verdict } };
		const ownOutcome = isOwnRule(rule) ? ownOutcomeOf(about) : null;
		return ownOutcome === null
			? { outcome, judgement, isOwn: false }
			: { outcome: { ...outcome, ...shownAsOwn(ownOutcome) }, judgement, isOwn: true };
	}
	const outcome = outcomeWithoutScore(deep, decided);
	const ownOutcome = ownOutcomeOf(about);
	const overruled = ownOutcome === null ? null : overrule(outcome, ownOutcome, isDoubtfulDomain(about.lists));
	return { outcome: overruled ?? outcome, judgement: null, isOwn: overruled !== null };
}

function outcomeWithoutScore(deep: Manner['deep'], decided: Outcome | null): Outcome {
	if (decided === null) return CATCH_ALL_ROW;
	if (decided.subStatus !== 'catch_all_invalid') return decided;
	// A job runs no deeper check, so its row only says that the address was refused. In a single call the address gets
	// the lowest score of a catch-all domain (gate G2 of the scorecard).
	return deep === 'never'
		? { ...decided, subStatus: 'rejected_email' }
		: { ...decided, catchAllScore: { score: 2, verdict: 'invalid' } };
}

function ownOutcomeOf({ manner, address }: Case): OwnOutcome | null {
	return manner.ownOutcomeOf(address);
}

// The judge and its dictionary of names are read with the first need of them, not at each start.

async function judgeWithoutServer(about: Case, why: SubStatusOf<'unknown'>): Promise<Judgement> {
	const { judgeByName } = await import('./judge-catch-all.ts');
	return judgeByName(about.address, about.manner.sourceList, why);
}

/** The deeper check of an address on a domain that accepts every recipient. */
async function checkDeeply(about: Case): Promise<Judgement> {
	const { ports, address, lists, route, probe, deadline, manner, trace } = about;
	const ownOutcome = ownOutcomeOf(about);
	const { sourceList, domains } = manner;
	const invented = probe?.kind === 'heard' ? probe.readings : [];
	const examineDomain = domains === null ? ports.examineDomain : remembering(ports.examineDomain, domains);
	const { judgeCatchAll } = await import('./judge-catch-all.ts');
	const judgement = await judgeCatchAll(
		{ examineDomain },
		{
			address,
			lists,
			route,
			probe,
			invented,
			sourceList,
			ownOutcome,
			askControl: () => about.control(() => askControl(about)),
			deadline,
		},
	);
	const { score, verdict } = judgement;
	trace({ step: 'score', score, verdict });
	return judgement;
}

/** Examines each domain once for all its addresses. */
function remembering(
	examineDomain: JudgePorts['examineDomain'],
	known: Map<string, Promise<DomainFacts>>,
): JudgePorts['examineDomain'] {
	return (domain, deadline) => {
		const facts = known.get(domain) ?? examineDomain(domain, deadline);
		known.set(domain, facts);
		return facts;
	};
}

/** Asks about an invented recipient first, in a conversation of its own. */
async function askControl(about: Case): Promise<Wording | null> {
	const { ports, manner, address, route, deadline, trace } = about;
	if (route.kind !== 'hosts') return null;
	const { domain } = address;
	const question = {
		domain,
		hosts: questionHosts(await lookUpHosts(ports, route.hosts, deadline), trace),
		implicit: route.implicit,
		targets: [`${ports.randomness.word(CONTROL_LENGTH)}@${domain}`],
		needsSmtputf8: false,
		invented: null,
		deep: 'never',
		// The server's wording may differ for the first recipient of a connection.
		fresh: true,
		asker: manner.asker,
		isTrial: manner.isTrial,
		owner: manner.owner,
		paysUntil: manner.paysUntil,
		class: manner.class === 'single' ? 'small' : manner.class,
		explain: manner.explain,
		deadline,
	} as const;
	const { answers, ...work } = await ports.prober.ask(question);
	trace({ step: 'asked', ...work });
	const [answer] = answers;
	return answer?.kind === 'heard' ? answer.words.target : null;
}

const CONTROL_LENGTH = 16;

/** An address on a catch-all domain in a bulk job, which leaves the deeper check to a task. */
const CATCH_ALL_ROW: Outcome = { ...decidedBy('smtp', 'catch_all'), catchAll: true };
