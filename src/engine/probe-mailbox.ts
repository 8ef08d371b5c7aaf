import type { Address } from '../core/address/parse-address.ts';
import type { MailProbe } from '../core/catchall/evidence.ts';
import type { AddressPolicy } from '../core/dns/usable-addresses.ts';
import { findMailOperator } from '../core/mail-operators/find-operator.ts';
import type { MailOperator } from '../core/mail-operators/find-operator.ts';
import { mailHostOf } from '../core/politeness/mail-host.ts';
import type { Asker } from '../core/politeness/mail-host.ts';
import type { RecipientReply } from '../core/smtp/session.ts';
import type { Interpretation } from '../core/verification/interpret-session.ts';
import type { Trace } from '../core/verification/trace.ts';
import { assert } from '../lib/assert.ts';
import { askHost, CONVERSATION_MS_MIN } from './ask-host.ts';
import type { HostAnswer, HostQuestion } from './ask-host.ts';
import type { Exchangers } from './conversations-port.ts';
import { lookUpHost } from './look-up-host.ts';
import type { Clock, Dialer, Randomness, Resolver, StandingMemory, WaysOut } from './ports.ts';

export interface ProbePorts {
	readonly clock: Clock;
	readonly resolver: Resolver;
	readonly dialer: Dialer;
	readonly randomness: Randomness;
	readonly standing: StandingMemory;
	/** Left out: every host is dialled from here. */
	readonly exchangers?: Exchangers;
	/** Left out: nobody watches. */
	readonly waysOut?: WaysOut;
}

/** What is asked about mailboxes of one domain. */
export interface DomainProbe {
	/** Mail hosts, best preference first. */
	readonly hosts: readonly string[];
	/** There is no MX: the one host is the domain itself, whose name tells nothing of an operator. */
	readonly implicit: boolean;
	readonly addressPolicy: AddressPolicy;
	/** Confirm a catch-all with two more invented recipients; `both`: that it is none as well. */
	readonly deep: 'no' | 'catch_all' | 'both';
	/** Ask an invented recipient at all: not where the domain's answer to one is known. */
	readonly asksInvented: boolean;
	readonly asker: Asker;
	/** Epoch milliseconds by which there must be an answer. */
	readonly deadline: number;
}

export interface ProbeQuestion extends DomainProbe {
	readonly address: Address;
	/** Wait for a server that defers its first contact. A bulk job comes back later instead. */
	readonly patient: boolean;
}

/** Recipients that surely do not exist, invented once a question. */
interface Invented {
	readonly first: string;
	readonly confirming: readonly string[];
}
/** Addresses of one domain, with or without SMTPUTF8. */
type Walk = DomainProbe & {
	readonly addresses: readonly Address[];
	readonly strangers: Invented;
	readonly patient: boolean;
};

type Heard = Extract<MailProbe, { kind: 'heard' }>;

/** What came of asking; of a host that answered, also its name and what it said to invented recipients. */
export type ProbeResult =
	| Exclude<MailProbe, Heard>
	| (Heard & {
			readonly host: string;
			/** In this conversation or an earlier one about the domain. */
			readonly invented: readonly RecipientReply[];
	  });

// RFC 5321 §5.1 wants at least two tried; a caller is waiting, so never more than three.
const HOSTS_DIALLED_MAX = 3;
const ADDRESSES_PER_HOST_MAX = 2;
// First contact with postscreen's deep tests ends in a 450; five seconds later the same caller is let in.
const ASK_AGAIN_AFTER_MS = 6_000;

/** Asks the domain's mail servers about one address: MX walk, lockstep fallback, one later repetition of a first 4xx. */
export async function probeMailbox(
	ports: ProbePorts,
	asked: ProbeQuestion,
	trace: Trace = () => {},
): Promise<ProbeResult> {
	// Invented once: who greylists by recipient knows these the second time, and would turn new ones away again.
	const strangers = inventRecipients(ports.randomness, asked.address.domain);
	const question = { ...asked, addresses: [asked.address], strangers };
	const first = await walkAlone(ports, question, trace);
	if (first.kind !== 'heard' || !question.patient || !isWorthAskingAgain(first.interpretation)) return first;
	const resumesAt = ports.clock.now() + ASK_AGAIN_AFTER_MS;
	if (resumesAt + CONVERSATION_MS_MIN > question.deadline) return first;
	trace({ step: 'wait', ms: ASK_AGAIN_AFTER_MS, why: 'short greylisting lets the same caller in by then' });
	await ports.clock.sleep(ASK_AGAIN_AFTER_MS);
	const second = await walkAlone(ports, question, trace);
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

async function walkAlone(ports: ProbePorts, question: Walk, trace: Trace): Promise<ProbeResult> {
	const [result] = await walk(ports, question, trace);
	assert(result !== undefined && result !== null, 'who is asked about alone has a result');
	return result;
}

/**
 * Asks about many mailboxes of one domain, in as few conversations as its servers bear. All or none need SMTPUTF8. The
 * results stand in the order of the addresses; null: the time was up before the host was asked.
 */
export async function probeMailboxes(
	ports: ProbePorts,
	asked: DomainProbe & { readonly addresses: readonly Address[] },
	trace: Trace = () => {},
): Promise<readonly (ProbeResult | null)[]> {
	const domain = asked.addresses[0]?.domain ?? '';
	return walk(
		ports,
		{ ...asked, patient: false, strangers: inventRecipients(ports.randomness, domain) },
		trace,
	);
}

async function walk(
	ports: ProbePorts,
	question: Walk,
	trace: Trace,
): Promise<readonly (ProbeResult | null)[]> {
	const results = new Map<Address, ProbeResult | null>();
	// Whose question may be put to the next host.
	let open = question.addresses;
	const settle = (rest: ProbeResult): void => open.forEach((address) => void results.set(address, rest));
	settle({ kind: 'unroutable' });
	let dialled = 0;
	// A list keeps to the operator's patience, which the exchanger knows; one address that somebody waits for is no burden.
	const exchangerOf = ports.exchangers?.forQuestion(question.patient && question.addresses.length === 1);
	for (const [rank, name] of question.hosts.entries()) {
		if (open.length === 0 || dialled >= HOSTS_DIALLED_MAX) break;
		const looked = await lookUpHost(ports, name, question, trace);
		if (dialled === 0 && (looked === 'late' || looked.failed)) settle({ kind: 'dns_error' });
		if (looked === 'late') break;
		if (looked.usable.length === 0) continue;
		// Who runs this very host: another host of the domain may be somebody else's, with other habits.
		const operator = question.implicit ? null : findMailOperator([name]);
		const host = mailHostOf(name, operator?.operator ?? null, ports.dialer.egressFor(domainOf(question)));
		const why = ports.standing.paused(host, question.asker);
		if (why !== null) {
			// Another host of the same domain, or another egress, would be a way around the block.
			trace({ step: 'paused', host: host.party, why });
			settle({ kind: 'paused', why });
			break;
		}
		if (dialled === 0) settle({ kind: 'no_connect' });
		dialled += 1;
		const addresses = looked.usable.slice(0, ADDRESSES_PER_HOST_MAX);
		const exchanger = exchangerOf?.(name, question.implicit, domainOf(question)) ?? null;
		const asked = { ...hostQuestion(question, open, operator), host, exchanger, isBest: rank === 0 };
		const answers = await askHost(ports, asked, addresses, trace);
		if (answers === null) continue;
		open = open.filter((address) => {
			const answer = answers.get(mailboxOf(address));
			const result = resultOf(answer, { host: name, viaBackup: rank > 0, operator });
			results.set(address, result);
			return result?.kind === 'heard' && result.interpretation.advice === 'next_host';
		});
	}
	return question.addresses.map((address) => results.get(address) ?? null);
}

function resultOf(
	answer: HostAnswer | undefined,
	asked: { readonly host: string; readonly viaBackup: boolean; readonly operator: MailOperator | null },
): ProbeResult | null {
	if (answer === undefined || answer.kind === 'not_reached') return null;
	return answer.kind === 'heard' ? { ...answer, ...asked } : answer;
}

function mailboxOf({ localPart, domain }: Address): string {
	return `${localPart}@${domain}`;
}

function domainOf({ addresses }: Walk): string {
	const [first] = addresses;
	assert(first !== undefined, 'somebody is asked about');
	return first.domain;
}

function hostQuestion(
	question: Walk,
	open: readonly Address[],
	operator: MailOperator | null,
): Omit<HostQuestion, 'host' | 'exchanger' | 'isBest'> {
	return {
		domain: domainOf(question),
		operator,
		asker: question.asker,
		patient: question.patient,
		targets: [...new Set(open.map(mailboxOf))],
		recipients: inventedFor(question, operator),
		needsSmtputf8: open.some(({ needsSmtputf8 }) => needsSmtputf8),
		deadline: question.deadline,
	};
}

function inventRecipients(randomness: Randomness, domain: string): Invented {
	const invent = (localPart: string): string => `${localPart}@${domain}`;
	return {
		first: invent(randomness.word(16)),
		// One shaped like a name, one with digits: a rule that takes only some shapes must not pass for a catch-all.
		confirming: [invent(`${randomness.word(5)}.${randomness.word(8)}`), invent(`${randomness.word(9)}2`)],
	};
}

function inventedFor(
	{ deep, asksInvented, strangers }: Walk,
	operator: MailOperator | null,
): HostQuestion['recipients'] {
	// Providers that say yes to all, or that hold a second recipient against the first, get the one question.
	const onlyTarget =
		operator !== null && (operator.recipients === 'accepts_everything' || operator.perTransaction === 1);
	const confirmsRefusals = deep === 'both';
	if (onlyTarget || !asksInvented) return { invented: [], furtherInvented: [], confirmsRefusals };
	const furtherInvented = deep === 'no' ? [] : strangers.confirming;
	return { invented: [strangers.first], furtherInvented, confirmsRefusals };
}
