import type { Address } from '../core/address/parse-address.ts';
import { usableAddresses } from '../core/dns/usable-addresses.ts';
import type { AddressPolicy } from '../core/dns/usable-addresses.ts';
import type { MailOperator } from '../core/mail-operators/find-operator.ts';
import type { SessionPlan, SessionReport } from '../core/smtp/session.ts';
import { interpretSession } from '../core/verification/interpret-session.ts';
import type { Interpretation } from '../core/verification/interpret-session.ts';
import { converse } from './converse.ts';
import type { Clock, Dialer, Randomness, Resolver } from './ports.ts';

export interface ProbePorts {
	readonly clock: Clock;
	readonly resolver: Resolver;
	readonly dialer: Dialer;
	readonly randomness: Randomness;
}

export interface ProbeQuestion {
	readonly address: Address;
	/** Mail hosts, best preference first. */
	readonly hosts: readonly string[];
	readonly operator: MailOperator | null;
	readonly addressPolicy: AddressPolicy;
	/** Confirm a catch-all with two more invented recipients. */
	readonly deep: boolean;
	/** Epoch milliseconds by which there must be an answer. */
	readonly deadline: number;
}

export type ProbeResult =
	| {
			readonly kind: 'heard';
			readonly interpretation: Interpretation;
			readonly report: SessionReport;
			readonly viaBackup: boolean;
	  }
	/** No host took a connection. */
	| { readonly kind: 'no_connect' }
	/** The hosts' addresses could not be looked up. */
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
export async function probeMailbox(ports: ProbePorts, question: ProbeQuestion): Promise<ProbeResult> {
	const first = await walk(ports, question);
	if (first.kind !== 'heard' || !isWorthAskingAgain(first.interpretation)) return first;
	const resumesAt = ports.clock.now() + ASK_AGAIN_AFTER_MS;
	if (resumesAt + CONVERSATION_MS_MIN > question.deadline) return first;
	await ports.clock.sleep(ASK_AGAIN_AFTER_MS);
	const second = await walk(ports, question);
	return second.kind === 'heard' ? second : first;
}

function isWorthAskingAgain({ advice, replyCode }: Interpretation): boolean {
	// A greeting of 4xx by every host is postscreen or load, as short-lived as a deferral; silence and nonsense are not.
	return advice === 'ask_again_soon' || (advice === 'next_host' && replyCode !== null);
}

async function walk(ports: ProbePorts, question: ProbeQuestion): Promise<ProbeResult> {
	let dialled = 0;
	let lookupFailed = false;
	let last: ProbeResult | null = null;
	for (const [rank, host] of question.hosts.entries()) {
		if (dialled >= HOSTS_DIALLED_MAX || question.deadline - ports.clock.now() < CONVERSATION_MS_MIN) break;
		const answer = await ports.resolver.addresses(host);
		lookupFailed ||= answer.kind === 'failed';
		const addresses =
			answer.kind === 'records' ? usableAddresses(answer.records, question.addressPolicy) : [];
		if (addresses.length === 0) continue;
		dialled += 1;
		const heard = await askHost(ports, question, addresses.slice(0, ADDRESSES_PER_HOST_MAX));
		if (heard === null) continue;
		last = { kind: 'heard', ...heard, viaBackup: rank > 0 };
		if (heard.interpretation.advice !== 'next_host') return last;
	}
	if (last !== null) return last;
	if (dialled > 0) return { kind: 'no_connect' };
	return { kind: lookupFailed ? 'dns_error' : 'unroutable' };
}

/** One host: null when none of its addresses takes a connection. */
async function askHost(
	ports: ProbePorts,
	question: ProbeQuestion,
	addresses: readonly string[],
): Promise<{ interpretation: Interpretation; report: SessionReport } | null> {
	for (const address of addresses) {
		const heard = await askAddress(ports, question, address, 'when_offered');
		if (heard === null) continue;
		if (heard.interpretation.advice !== 'ask_in_lockstep') return heard;
		return (await askAddress(ports, question, address, 'never')) ?? heard;
	}
	return null;
}

async function askAddress(
	ports: ProbePorts,
	question: ProbeQuestion,
	address: string,
	pipelining: SessionPlan['pipelining'],
): Promise<{ interpretation: Interpretation; report: SessionReport } | null> {
	const remaining = question.deadline - ports.clock.now();
	if (remaining <= 0) return null;
	const target = { domain: question.address.domain, address };
	const dialled = await ports.dialer.dial(target, Math.min(CONNECT_TIMEOUT_MS, remaining));
	if (dialled.kind === 'no_connection') return null;
	const plan: SessionPlan = {
		...dialled.identity,
		...recipientsFor(ports.randomness, question),
		needsSmtputf8: question.address.needsSmtputf8,
		pipelining,
		commandTimeoutMs: question.operator?.rcptTimeoutMs ?? null,
	};
	const report = await converse(ports.clock, dialled.connection, plan, question.deadline);
	return { report, interpretation: interpretSession(report, question.operator?.operator ?? null) };
}

function recipientsFor(
	randomness: Randomness,
	{ address, operator, deep }: ProbeQuestion,
): Pick<SessionPlan, 'targets' | 'randoms' | 'confirmingRandoms'> {
	const targets = [`${address.localPart}@${address.domain}`];
	// Providers that say yes to all, or that hold a second recipient against the first, get the one question.
	const onlyTarget =
		operator !== null && (operator.recipients === 'accepts_everything' || operator.perTransaction === 1);
	if (onlyTarget) return { targets, randoms: [], confirmingRandoms: [] };
	const invent = (localPart: string): string => `${localPart}@${address.domain}`;
	return {
		targets,
		randoms: [invent(randomness.word(16))],
		// One shaped like a name, one with digits: a rule that takes only some shapes must not pass for a catch-all.
		confirmingRandoms: deep
			? [invent(`${randomness.word(5)}.${randomness.word(8)}`), invent(`${randomness.word(9)}2`)]
			: [],
	};
}
