import type { Address } from '../core/address/parse-address.ts';
import type { Asker } from '../core/politeness/mail-host.ts';
import type { DeepCheck } from '../core/smtp/session.ts';
import type { Trace } from '../core/verification/trace.ts';
import { findMailOperator } from '../core/mail-operators/find-operator.ts';
import { partyOfHost } from '../core/outages/parties.ts';
import { mailHostOf } from '../core/politeness/mail-host.ts';
import { HOSTS_MAX } from './look-up-mail.ts';
import type { LookedUpHost, LookUpPorts } from './look-up-mail.ts';
import type { Prober, Randomness, WaysOut } from './ports.ts';
import type { Asked, Invented, Question, QuestionClass, QuestionHost, TargetAnswer } from './question.ts';

export interface ProbePorts extends LookUpPorts {
	readonly prober: Prober;
	readonly randomness: Randomness;
	/** Left out: outcomes are not recorded. */
	readonly waysOut?: WaysOut;
}

/** Addresses of one domain, and how to ask its mail hosts about them. */
export interface Probe {
	readonly addresses: readonly Address[];
	/** Best preference first. */
	readonly hosts: readonly LookedUpHost[];
	/** There is no MX: the only host is the domain itself. */
	readonly implicit: boolean;
	readonly deep: DeepCheck;
	/** Ask about invented recipients as well: false where the domain's answer to them is known. */
	readonly asksInvented: boolean;
	/** `single` applies to one address only; several count as `list`. */
	readonly class: QuestionClass;
	readonly asker: Asker;
	/** Epoch milliseconds by which there must be an answer. */
	readonly deadline: number;
}

/**
 * Asks the domain's mail hosts about addresses, in as few conversations as the hosts allow. The answers are in the order
 * of the addresses; null: the time was up before a host was asked.
 */
export async function probe(
	ports: ProbePorts,
	about: Probe,
	trace: Trace = () => {},
): Promise<readonly (TargetAnswer | null)[]> {
	const { addresses, implicit, deep, asker, deadline } = about;
	const domain = addresses[0]?.domain ?? '';
	const isAlone = addresses.length === 1;
	const urgency = about.class === 'single' && !isAlone ? 'list' : about.class;
	const hosts = questionHosts(about.hosts, trace);
	const answers = new Map<string, TargetAnswer | null>();
	// Addresses that need SMTPUTF8 have a conversation of their own: MAIL declares it for all recipients.
	for (const needsSmtputf8 of [false, true]) {
		const ofThem = addresses.filter((address) => address.needsSmtputf8 === needsSmtputf8);
		const targets = [...new Set(ofThem.map(mailboxOf))];
		if (targets.length === 0) continue;
		const invented = about.asksInvented ? inventRecipients(ports.randomness, domain) : null;
		const of = { domain, hosts, implicit, targets, needsSmtputf8, invented, fresh: false };
		const asked = await ask(ports, { ...of, deep, asker, class: urgency, deadline }, trace);
		targets.forEach((target, at) => void answers.set(target, asked.answers[at] ?? null));
	}
	return addresses.map((address) => answers.get(mailboxOf(address)) ?? null);
}

/** The hosts for a question, without backups that have no usable address. Every look-up is traced. */
export function questionHosts(looked: readonly LookedUpHost[], trace: Trace): readonly QuestionHost[] {
	for (const { name, found, addresses } of looked)
		trace({ step: 'host', host: name, found, usable: addresses });
	// The first stays even without an address: only beside it are the others backups.
	const worthNaming = looked.filter((host, rank) => rank === 0 || host.failed || host.addresses.length > 0);
	return worthNaming.slice(0, HOSTS_MAX).map(({ name, addresses, failed }) => ({ name, addresses, failed }));
}

/** Puts a question to the prober, and records how our ways out fared. */
export async function ask(
	{ prober, waysOut }: Pick<ProbePorts, 'prober' | 'waysOut'>,
	question: Question,
	trace: Trace,
): Promise<Asked> {
	const asked = await prober.ask(question);
	asked.trace.forEach(trace);
	for (const { host, address, egress, ...attempt } of asked.tried) {
		const operator = question.implicit ? null : findMailOperator([host]);
		const { party } = mailHostOf(host, operator?.operator ?? null, egress);
		waysOut?.tried(egress, { ...partyOfHost(party, address, operator), ...attempt });
	}
	return asked;
}

function mailboxOf({ localPart, domain }: Address): string {
	return `${localPart}@${domain}`;
}

function inventRecipients(randomness: Randomness, domain: string): Invented {
	const invent = (localPart: string): string => `${localPart}@${domain}`;
	return {
		first: invent(randomness.word(16)),
		// One looks like a name, one has a digit: a server that accepts only some patterns must not pass for a catch-all.
		further: [invent(`${randomness.word(5)}.${randomness.word(8)}`), invent(`${randomness.word(9)}2`)],
	};
}
