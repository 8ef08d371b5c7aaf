import type { Address } from '../core/address/parse-address.ts';
import type { Judgement } from '../core/catchall/breakdown.ts';
import { findMailOperator } from '../core/mail-operators/operators.ts';
import type { MailOperator } from '../core/mail-operators/operators.ts';
import { overrule } from '../core/outcomes/outcome.ts';
import { decide } from '../core/verification/decide.ts';
import type { Finding, Interpretation } from '../core/verification/finding.ts';
import { decidedBy, listFacts, serverOf } from '../core/verification/render.ts';
import type { ListFacts, Outcome } from '../core/verification/render.ts';
import { SUB_STATUSES } from '../core/verification/sub-status.ts';
import type { SubStatus } from '../core/verification/sub-status.ts';
import { assert } from '../lib/assert.ts';
import { DAY_MS } from '../lib/time.ts';
import { caseOf, nameServersFail } from './case.ts';
import type { AskedAddress, Case, ExaminePorts, How } from './case.ts';
import { probe } from './probe.ts';

/** The findings about one address, before they are rendered. */
export interface Conclusion {
	readonly lists: ListFacts;
	readonly outcome: Outcome;
	/** The deeper check's; null: it did not run. */
	readonly judgement: Judgement | null;
	/** The mail host whose reply decided, not always the domain's first. Left out: none was asked, or none replied. */
	readonly answeredBy?: string | undefined;
	/** The operator of the mail host that was asked, with its habits; left out: unknown. */
	readonly operator?: MailOperator | null;
	/** The mail host was not asked, because our capacity for it is used up until then (epoch ms). */
	readonly postponedUntil?: number;
	/** No host was reached because name servers answered that they fail (SERVFAIL), which may be over in minutes. */
	readonly nameServersFail?: boolean;
}

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
	const { unasked, deadline } = about;
	const begun = ports.clock.now();
	// A catch-all's facts are looked up while its server is still asked.
	const isAlone = addresses.length === 1 && how.deep === 'catch_all';
	const foundCatchAll = isAlone ? () => void about.domainFacts(deadline) : undefined;
	const answers = unasked === null ? await probe(about, addresses, foundCatchAll) : null;
	rememberCatchAll(about, answers ?? []);
	// Several addresses share the time of their question, so none of them had all of it.
	const waitedMs = addresses.length === 1 ? ports.clock.now() - begun : 0;
	const found: (Conclusion | null)[] = [];
	for (const [at, address] of addresses.entries()) {
		const heard = answers?.[at] ?? null;
		const wasReached = answers === null || heard !== null;
		// A caller waits. In a list the deeper check has the time of one address, however long the questions took.
		const until = how.class === 'single' ? deadline : ports.clock.now() + budgetMs;
		const one = { ...about, deadline: until, address, heard, waitedMs };
		found.push(wasReached ? await conclude(one) : null);
	}
	for (const findings of found) if (findings !== null) how.trail?.decision(findings.outcome.subStatus);
	return found;
}

// An administrator may switch a catch-all off at any time, and switches one on more often than off.
const CATCH_ALL_KEPT_MS = { accepted: 7 * DAY_MS, rejected: DAY_MS } as const;

/** Remembers the best host's answer to invented recipients, if it is clear. A backup may answer otherwise. */
function rememberCatchAll({ ports, domain }: Case, answers: readonly (Finding | null)[]): void {
	for (const answer of answers) {
		if (answer?.kind !== 'heard' || answer.viaBackup) continue;
		const { invented } = answer.interpretation;
		if (invented !== 'accepted' && invented !== 'rejected') continue;
		const now = ports.clock.now();
		const known = { catchAll: invented === 'accepted', at: now };
		ports.catchAlls?.set(domain, known, now + CATCH_ALL_KEPT_MS[invented]);
		return;
	}
}

/** Reaches the verdict on an address: by what was heard of it, by the deeper check, or by the account's own message. */
async function conclude(of: AskedAddress): Promise<Conclusion> {
	const { address, heard, how } = of;
	const lists = listFacts(address, of.isDisposable);
	const operator = operatorOf(of);
	const decided = of.unasked ?? decideHeard(of, operator, lists);
	const ownOutcome = how.ownOutcomeOf?.(address) ?? null;
	const isJudged = how.deep === 'always' || (how.deep === 'catch_all' && decided === null);
	let judgement: Judgement | null = null;
	if (isJudged) {
		// The judge and its dictionary of names are read with the first need of them, not at each start.
		const { judgeCatchAll } = await import('./judge-catch-all.ts');
		const subStatus = decided?.subStatus ?? null;
		judgement = await judgeCatchAll(of, { decided: subStatus, operator, lists, ownOutcome });
	}
	const found = judgement === null ? withoutScore(how.deep, decided) : withScore(judgement, decided);
	const own = ownOutcome === null ? null : overrule(found, ownOutcome, lists, judgement);
	const replied = heard?.kind === 'heard' && heard.interpretation.replyCode !== null;
	return {
		lists,
		outcome: { ...(own ?? found), ...serverOf(of.route, of.operator) },
		judgement,
		// A host that only accepted the connection did not reply.
		answeredBy: replied ? heard.host : undefined,
		operator,
		// Where the account's own message decided, it does not matter whether and when a server can be asked.
		...(own === null && heard?.kind === 'postponed' ? { postponedUntil: heard.until } : {}),
		...(own === null && found.subStatus === 'dns_error' && nameServersFail(of)
			? { nameServersFail: true }
			: {}),
	};
}

/** The operator of the host that answered: another host of the domain may be another's, with other habits. */
function operatorOf({ route, operator, heard }: AskedAddress): MailOperator | null {
	if (heard?.kind !== 'heard') return operator;
	return route.kind === 'hosts' && route.implicit ? null : findMailOperator([heard.host]);
}

const PAUSED = "The recipient's mail server refused us a short while ago, and is left alone for now";
const READ_BY_WORDS = "The mail server's words read as: no such mailbox";
const NOT_SERVED = "Recipient's mail server unavailable: it does not take mail for this domain";
const BACKUP =
	"Recipient's first mail server unavailable: it could not be reached, and what a backup accepts proves nothing";

/** The decision of the conversation; null: the domain accepts every address, so the deeper check has to decide. */
function decideHeard(of: AskedAddress, operator: MailOperator | null, lists: ListFacts): Outcome | null {
	const { heard, route } = of;
	assert(heard !== null && route.kind === 'hosts', 'a route that leads to hosts was asked along');
	switch (heard.kind) {
		case 'heard': {
			const outcome = decide(heard, operator, lists.suggestedDomain !== null);
			const note = outcome && noteOn(outcome.subStatus, heard.interpretation, of.waitedMs);
			return outcome === null || note === null ? outcome : { ...outcome, note };
		}
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
		case 'postponed': {
			const retryAfterSeconds = Math.max(1, Math.ceil((heard.until - of.ports.clock.now()) / 1000));
			return { ...decidedBy('smtp', 'no_capacity'), retryAfterSeconds };
		}
		case 'paused':
			return { ...decidedBy('smtp', heard.why), note: PAUSED };
	}
}

/** The words in the place of the usual reason, where that would be wrong or say too little; null: the usual ones. */
function noteOn(
	subStatus: SubStatus,
	{ target, rule, replyCode }: Interpretation,
	waitedMs: number,
): string | null {
	if (subStatus === 'no_connect') return BACKUP;
	// The customer sees what the verdict rests on: no rule knows this wording.
	if (target.kind === 'rejected' && rule?.startsWith('words.') === true)
		return `${READ_BY_WORDS}. It replied ${replyCode ?? ''}`;
	if (subStatus === 'unavailable_smtp' && rule?.startsWith('relay.') === true) return NOT_SERVED;
	const seconds = Math.floor(waitedMs / 1000);
	return subStatus === 'timeout' && seconds > 0
		? `${SUB_STATUSES.timeout.reason}: it did not answer within ${seconds} s`
		: null;
}

/** An address on a catch-all domain in a bulk job, which leaves the deeper check to a task. */
const CATCH_ALL_ROW: Outcome = { ...decidedBy('smtp', 'catch_all'), catchAll: true };

function withoutScore(deep: How['deep'], decided: Outcome | null): Outcome {
	if (decided === null) return CATCH_ALL_ROW;
	if (decided.subStatus !== 'catch_all_invalid') return decided;
	// A job runs no deeper check, so its row only says that the address was refused. In a single call the address gets
	// the lowest score of a catch-all domain (gate G2 of the scorecard).
	return deep === 'never' ? { ...decided, subStatus: 'rejected_email' } : { ...decided, catchAllScore: 2 };
}

function withScore({ score, subStatus, isCatchAll }: Judgement, decided: Outcome | null): Outcome {
	const base = decided ?? decidedBy('smtp', subStatus);
	return { ...base, subStatus, catchAll: decided === null || isCatchAll, catchAllScore: score };
}
