import type { Address } from '../core/address/parse-address.ts';
import type { MailRoute } from '../core/dns/find-mail-exchangers.ts';
import type { Asker } from '../core/politeness/mail-host.ts';
import type { DeepCheck } from '../core/smtp/session.ts';
import type { Trace } from '../core/verification/trace.ts';
import { ask } from './ask.ts';
import type { AskPorts } from './ask.ts';
import type { Randomness } from './ports.ts';
import type { Invented, TargetAnswer } from './question.ts';

export interface ProbePorts extends AskPorts {
	readonly randomness: Randomness;
}

/** Addresses of one domain, and how its mail hosts are to be asked about them. */
export interface Probe {
	readonly addresses: readonly Address[];
	readonly route: Pick<Extract<MailRoute, { kind: 'hosts' }>, 'hosts' | 'implicit'>;
	readonly deep: DeepCheck;
	/** Ask invented recipients as well: not where the domain's answer to them is known. */
	readonly asksInvented: boolean;
	/** Wait for a server that defers its first contact, if it is one address. */
	readonly patient: boolean;
	readonly asker: Asker;
	/** Epoch milliseconds by which there must be an answer. */
	readonly deadline: number;
}

/**
 * Asks the domain's mail hosts about addresses, in as few conversations as they bear. The answers stand in the order of
 * the addresses; null: the time was up before a host was asked.
 */
export async function probe(
	ports: ProbePorts,
	about: Probe,
	trace: Trace = () => {},
): Promise<readonly (TargetAnswer | null)[]> {
	const { addresses, route, deep, asker, deadline } = about;
	const domain = addresses[0]?.domain ?? '';
	const urgency = about.patient && addresses.length === 1 ? 'single' : 'list';
	const answers = new Map<string, TargetAnswer | null>();
	// Who needs SMTPUTF8 is asked about in a conversation of their own: its MAIL command says so for all recipients.
	for (const needsSmtputf8 of [false, true]) {
		const ofThem = addresses.filter((address) => address.needsSmtputf8 === needsSmtputf8);
		const targets = [...new Set(ofThem.map(mailboxOf))];
		if (targets.length === 0) continue;
		const invented = about.asksInvented ? inventRecipients(ports.randomness, domain) : null;
		const { hosts, implicit } = route;
		const of = { domain, hosts, implicit, targets, needsSmtputf8, invented };
		const asked = await ask(ports, { ...of, deep, asker, urgency, deadline });
		asked.trace.forEach(trace);
		targets.forEach((target, at) => void answers.set(target, asked.answers[at] ?? null));
	}
	return addresses.map((address) => answers.get(mailboxOf(address)) ?? null);
}

function mailboxOf({ localPart, domain }: Address): string {
	return `${localPart}@${domain}`;
}

function inventRecipients(randomness: Randomness, domain: string): Invented {
	const invent = (localPart: string): string => `${localPart}@${domain}`;
	return {
		first: invent(randomness.word(16)),
		// One shaped like a name, one with digits: a rule that takes only some shapes must not pass for a catch-all.
		further: [invent(`${randomness.word(5)}.${randomness.word(8)}`), invent(`${randomness.word(9)}2`)],
	};
}
