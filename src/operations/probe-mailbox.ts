import type { Address } from '../core/address/parse-address.ts';
import type { Answer } from '../core/dns/resolver.ts';
import { usableAddresses } from '../core/dns/usable-addresses.ts';
import type { AddressPolicy } from '../core/dns/usable-addresses.ts';
import { findMailOperator } from '../core/mail-operators/find-operator.ts';
import type { MailOperator } from '../core/mail-operators/find-operator.ts';
import type { Observation, PauseReason } from '../core/politeness/pause.ts';
import type { SessionPlan, SessionReport } from '../core/smtp/session.ts';
import { interpretSession } from '../core/verification/interpret-session.ts';
import type { Interpretation } from '../core/verification/interpret-session.ts';
import type { Trace } from '../core/verification/trace.ts';
import { converse } from './converse.ts';
import type { Clock, Dialer, HostKey, Randomness, Resolver, StandingMemory } from './ports.ts';

export interface ProbePorts {
	readonly clock: Clock;
	readonly resolver: Resolver;
	readonly dialer: Dialer;
	readonly randomness: Randomness;
	readonly standing: StandingMemory;
}

export interface ProbeQuestion {
	readonly address: Address;
	/** Mail hosts, best preference first. */
	readonly hosts: readonly string[];
	/** There is no MX: the one host is the domain itself, whose name tells nothing of an operator. */
	readonly implicit: boolean;
	readonly addressPolicy: AddressPolicy;
	/** Confirm a catch-all with two more invented recipients; `both`: that it is none as well. */
	readonly deep: 'no' | 'catch_all' | 'both';
	/** Ask an invented recipient at all: not where the domain's answer to one is known. */
	readonly asksRandom: boolean;
	/** Wait for a server that defers its first contact. A bulk job comes back later instead. */
	readonly patient: boolean;
	/** Epoch milliseconds by which there must be an answer. */
	readonly deadline: number;
}

type Recipients = Pick<SessionPlan, 'targets' | 'randoms' | 'confirmingRandoms' | 'confirmsRefusals'>;
/** Recipients that surely do not exist, invented once a question. */
interface Strangers {
	readonly first: string;
	readonly confirming: readonly string[];
}
type Walk = ProbeQuestion & { readonly strangers: Strangers };
type Conversation = Walk & { readonly operator: MailOperator | null };

export type ProbeResult =
	| {
			readonly kind: 'heard';
			readonly interpretation: Interpretation;
			readonly report: SessionReport;
			readonly viaBackup: boolean;
			/** Who runs the host that answered: another host of the domain may be somebody else's. */
			readonly operator: MailOperator | null;
	  }
	/** The host, or its operator, blocked or slowed us lately: it is left alone. */
	| { readonly kind: 'paused'; readonly why: PauseReason }
	/** No host took a connection. */
	| { readonly kind: 'no_connect' }
	/** The hosts' addresses could not be looked up, or not in time. */
	| { readonly kind: 'dns_error' }
	/** Every host has only private or invalid addresses, or none. */
	| { readonly kind: 'unroutable' };

// RFC 5321 §5.1 wants at least two tried; a caller is waiting, so never more than three.
const HOSTS_DIALLED_MAX = 3;
const ADDRESSES_PER_HOST_MAX = 2;
const CONNECT_TIMEOUT_MS = 8_000;
// First contact with postscreen's deep tests ends in a 450; five seconds later the same caller is let in.
const ASK_AGAIN_AFTER_MS = 6_000;
// Less than this is not enough for a conversation on a real path.
const CONVERSATION_MS_MIN = 2_000;

/** Asks the domain's mail servers about one address: MX walk, lockstep fallback, one later repetition of a first 4xx. */
export async function probeMailbox(
	ports: ProbePorts,
	asked: ProbeQuestion,
	trace: Trace = () => {},
): Promise<ProbeResult> {
	// Invented once: who greylists by recipient knows these the second time, and would turn new ones away again.
	const question = { ...asked, strangers: inventRecipients(ports.randomness, asked) };
	const first = await walk(ports, question, trace);
	if (first.kind !== 'heard' || !question.patient || !isWorthAskingAgain(first.interpretation)) return first;
	const resumesAt = ports.clock.now() + ASK_AGAIN_AFTER_MS;
	if (resumesAt + CONVERSATION_MS_MIN > question.deadline) return first;
	trace({ step: 'wait', ms: ASK_AGAIN_AFTER_MS, why: 'short greylisting lets the same caller in by then' });
	await ports.clock.sleep(ASK_AGAIN_AFTER_MS);
	const second = await walk(ports, question, trace);
	return second.kind === 'heard' ? second : first;
}

function isWorthAskingAgain({ advice, target, replyCode }: Interpretation): boolean {
	if (advice === 'ask_again_soon') return true;
	// A greeting of 4xx by every host is postscreen or load, as short-lived as a deferral. Silence and nonsense are not,
	// and who limits or blocks us is not asked more often for it.
	const isAboutUs =
		target.kind === 'unknown' && (target.why === 'rate_limited' || target.why === 'probe_blocked');
	return advice === 'next_host' && replyCode !== null && !isAboutUs;
}

async function walk(ports: ProbePorts, question: Walk, trace: Trace): Promise<ProbeResult> {
	let dialled = 0;
	let lookupFailed = false;
	let last: ProbeResult | null = null;
	for (const [rank, host] of question.hosts.entries()) {
		if (dialled >= HOSTS_DIALLED_MAX) break;
		if (question.deadline - ports.clock.now() < CONVERSATION_MS_MIN) {
			// A host that was never looked up may be a good one: slow name servers prove nothing.
			lookupFailed = true;
			break;
		}
		const looked = await usableAddressesOf(ports.resolver, host, question.addressPolicy);
		lookupFailed ||= looked.failed;
		trace({ step: 'host', host, found: looked.found, usable: looked.usable });
		if (looked.usable.length === 0) continue;
		if (question.deadline - ports.clock.now() < CONVERSATION_MS_MIN) {
			lookupFailed = true;
			break;
		}
		// Who runs this very host: another host of the domain may be somebody else's, with other habits.
		const operator = question.implicit ? null : findMailOperator([host]);
		const key = hostKey(ports.dialer, question.address.domain, host, operator);
		const why = ports.standing.paused(key);
		if (why !== null) {
			// Another host of the same domain, or another egress, would be a way around the block.
			trace({ step: 'paused', host: key.name, why });
			return { kind: 'paused', why };
		}
		dialled += 1;
		const addresses = looked.usable.slice(0, ADDRESSES_PER_HOST_MAX);
		const heard = await askHost(ports, { ...question, operator }, addresses, trace);
		if (heard === null) continue;
		const observation = observationOf(heard, question.address.domain);
		if (observation !== null) ports.standing.observed(key, observation);
		last = { kind: 'heard', ...heard, viaBackup: rank > 0, operator };
		if (heard.interpretation.advice !== 'next_host') return last;
	}
	if (last !== null) return last;
	if (dialled > 0) return { kind: 'no_connect' };
	return { kind: lookupFailed ? 'dns_error' : 'unroutable' };
}

/** One host: null when none of its addresses takes a connection. */
async function askHost(
	ports: ProbePorts,
	question: Conversation,
	addresses: readonly string[],
	trace: Trace,
): Promise<{ interpretation: Interpretation; report: SessionReport } | null> {
	for (const address of addresses) {
		const heard = await askAddress(ports, { ...question, pipelining: 'when_offered' }, address, trace);
		if (heard === null) continue;
		if (heard.interpretation.advice !== 'ask_in_lockstep') return heard;
		return (await askAddress(ports, { ...question, pipelining: 'never' }, address, trace)) ?? heard;
	}
	return null;
}

async function askAddress(
	ports: ProbePorts,
	question: Conversation & Pick<SessionPlan, 'pipelining'>,
	address: string,
	trace: Trace,
): Promise<{ interpretation: Interpretation; report: SessionReport } | null> {
	const remaining = question.deadline - ports.clock.now();
	if (remaining <= 0) return null;
	const target = { domain: question.address.domain, address };
	const dialled = await ports.dialer.dial(target, Math.min(CONNECT_TIMEOUT_MS, remaining));
	const { egress } = dialled;
	trace({ step: 'dial', address, egress, outcome: dialled.kind === 'connected' ? 'connected' : dialled.why });
	if (dialled.kind === 'no_connection') return null;
	const plan: SessionPlan = {
		...dialled.identity,
		...recipientsFor(question),
		needsSmtputf8: question.address.needsSmtputf8,
		pipelining: question.pipelining,
		commandTimeoutMs: question.operator?.rcptTimeoutMs ?? null,
	};
	const report = await converse(ports.clock, dialled.connection, plan, question.deadline);
	const operator = question.operator?.operator ?? null;
	const interpretation = interpretSession(report, operator);
	trace({ step: 'conversation', report, interpretation, operator });
	return { report, interpretation };
}

function hostKey(dialer: Dialer, domain: string, host: string, operator: MailOperator | null): HostKey {
	const egress = dialer.egressFor(domain);
	const isShared = operator !== null && (operator.kind === 'mailbox' || operator.kind === 'gateway');
	return { name: isShared ? operator.operator : host, egress, isShared };
}

/** What the conversation says about our standing; null: nothing. */
function observationOf(
	{ interpretation: { target }, report }: { interpretation: Interpretation; report: SessionReport },
	domain: string,
): Observation | null {
	if (target.kind !== 'unknown') return { kind: 'served' };
	const { why } = target;
	return why === 'probe_blocked' || why === 'rate_limited'
		? { kind: 'refused', why, stage: report.stage, domain }
		: null;
}

/** A host's addresses that may be dialled: of the second family where the first has none. */
async function usableAddressesOf(
	resolver: Resolver,
	host: string,
	policy: AddressPolicy,
): Promise<{ usable: readonly string[]; found: string; failed: boolean }> {
	const answer = await resolver.addresses(host);
	const usable = answer.kind === 'records' ? usableAddresses(answer.records, policy) : [];
	if (answer.kind !== 'records' || usable.length > 0) {
		return { usable, found: foundWords(answer), failed: answer.kind === 'failed' };
	}
	const v6 = await resolver.ipv6Addresses(host);
	return {
		usable: v6.kind === 'records' ? usableAddresses(v6.records, policy) : [],
		found: `${foundWords(answer)}; ${foundWords(v6)}`,
		failed: v6.kind === 'failed',
	};
}

function foundWords(answer: Answer<string>): string {
	return answer.kind === 'records' ? answer.records.join(', ') : answer.kind;
}

function inventRecipients(randomness: Randomness, { address }: ProbeQuestion): Strangers {
	const invent = (localPart: string): string => `${localPart}@${address.domain}`;
	return {
		first: invent(randomness.word(16)),
		// One shaped like a name, one with digits: a rule that takes only some shapes must not pass for a catch-all.
		confirming: [invent(`${randomness.word(5)}.${randomness.word(8)}`), invent(`${randomness.word(9)}2`)],
	};
}

function recipientsFor({ address, operator, deep, asksRandom, strangers }: Conversation): Recipients {
	const targets = [`${address.localPart}@${address.domain}`];
	// Providers that say yes to all, or that hold a second recipient against the first, get the one question.
	const onlyTarget =
		operator !== null && (operator.recipients === 'accepts_everything' || operator.perTransaction === 1);
	const confirmsRefusals = deep === 'both';
	if (onlyTarget || !asksRandom) return { targets, randoms: [], confirmingRandoms: [], confirmsRefusals };
	const confirmingRandoms = deep === 'no' ? [] : strangers.confirming;
	return { targets, randoms: [strangers.first], confirmingRandoms, confirmsRefusals };
}
