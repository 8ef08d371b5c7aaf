import type { Address } from '../core/address/parse-address.ts';
import type { Trace } from '../core/verification/trace.ts';
import { HOSTS_MAX } from './look-up-mail.ts';
import type { ExaminePorts, Manner } from './examination.ts';
import type { LookedUpHost } from './look-up-mail.ts';
import type { Randomness } from './ports.ts';
import type { Invented, QuestionHost, TargetAnswer } from './question.ts';

type ProbePorts = Pick<ExaminePorts, 'prober' | 'randomness'>;

/** Addresses of one domain, and how to ask its mail hosts about them. */
export interface Probe extends Pick<
	Manner,
	'asker' | 'isTrial' | 'owner' | 'paysUntil' | 'class' | 'deep' | 'explain'
> {
	readonly addresses: readonly Address[];
	/** Best preference first. */
	readonly hosts: readonly LookedUpHost[];
	/** There is no MX: the only host is the domain itself. */
	readonly implicit: boolean;
	/** Epoch milliseconds by which there must be an answer. */
	readonly deadline: number;
}

/**
 * Asks the domain's mail hosts about addresses, in as few conversations as the hosts allow. The answers are in the order
 * of the addresses; null: the time was up before a host was asked.
 */
export async function probe(
	ports: ProbePorts,
	{ addresses, implicit, deep, asker, isTrial, owner, paysUntil, deadline, explain, ...about }: Probe,
	trace: Trace = () => {},
	foundCatchAll?: () => void,
): Promise<readonly (TargetAnswer | null)[]> {
	const domain = addresses[0]?.domain ?? '';
	// The class `single` is for one address alone.
	const urgency = about.class === 'single' && addresses.length > 1 ? 'list' : about.class;
	const hosts = questionHosts(about.hosts, trace);
	const answers = new Map<string, TargetAnswer | null>();
	// Addresses that need SMTPUTF8 have a conversation of their own: MAIL declares it for all recipients.
	for (const needsSmtputf8 of [false, true]) {
		const ofThem = addresses.filter((address) => address.needsSmtputf8 === needsSmtputf8);
		const targets = [...new Set(ofThem.map(mailboxOf))];
		if (targets.length === 0) continue;
		const invented = inventRecipients(ports.randomness, domain);
		const recipients = { targets, needsSmtputf8, invented, deep };
		const question = {
			domain,
			hosts,
			implicit,
			...recipients,
			fresh: false,
			asker,
			isTrial,
			owner,
			paysUntil,
			class: urgency,
			explain,
			deadline,
		};
		const { answers: heard, ...work } = await ports.prober.ask(question, foundCatchAll);
		trace({ step: 'asked', ...work });
		targets.forEach((target, at) => void answers.set(target, heard[at] ?? null));
	}
	return addresses.map((address) => answers.get(mailboxOf(address)) ?? null);
}

/** The hosts for a question, without backups that have no usable address. Every look-up is traced. */
export function questionHosts(looked: readonly LookedUpHost[], trace: Trace): readonly QuestionHost[] {
	for (const { name, found } of looked) trace({ step: 'host', host: name, found });
	// The first stays even without an address: only beside it are the others backups.
	const worthNaming = looked.filter((host, rank) => rank === 0 || host.failed || host.addresses.length > 0);
	return worthNaming.slice(0, HOSTS_MAX).map(({ name, addresses, failed }) => ({ name, addresses, failed }));
}

/** As RCPT names it. */
export function mailboxOf({ localPart, domain }: Address): string {
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
