import type { Address } from '../core/address/parse-address.ts';
import type { Trace } from '../core/verification/trace.ts';
import { HOSTS_MAX } from './look-up-mail.ts';
import type { ExaminePorts, Manner } from './examination.ts';
import type { LookedUpHost } from './look-up-mail.ts';
import type { Randomness } from './ports.ts';
import type { Asked, Invented, QuestionHost, TargetAnswer } from './question.ts';

type ProbePorts = Pick<ExaminePorts, 'clock' | 'prober' | 'randomness'>;

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

// With the invented one they are a transaction of twenty.
const TARGETS_AT_ONCE = 19;
// A reply may take ten seconds. With less time left, silence would be our doing: what is left has another turn.
const QUESTION_MS_MIN = 10_000;

/**
 * Asks the domain's mail hosts about addresses, one question after the other: the prober keeps the connection between
 * them. The answers are in the order of the addresses; null: the time was up before a host was asked.
 */
export async function probe(
	ports: ProbePorts,
	{ addresses, hosts: looked, ...about }: Probe,
	trace: Trace = () => {},
	foundCatchAll?: () => void,
): Promise<readonly (TargetAnswer | null)[]> {
	const { implicit, deep, asker, isTrial, owner, paysUntil, explain, deadline } = about;
	const domain = addresses[0]?.domain ?? '';
	// The class `single` is for one address alone.
	const urgency = about.class === 'single' && addresses.length > 1 ? 'list' : about.class;
	const hosts = questionHosts(looked, trace);
	const answers = new Map<string, TargetAnswer | null>();
	const shared = { domain, hosts, implicit, deep, asker, isTrial, owner, paysUntil, class: urgency };
	const ask = async (
		targets: readonly string[],
		needsSmtputf8: boolean,
		behind: number,
	): Promise<Asked['answers']> => {
		const invented = inventRecipients(ports.randomness, domain);
		const question = { ...shared, targets, behind, needsSmtputf8, invented, fresh: false, explain, deadline };
		const { answers: heard, ...work } = await ports.prober.ask(question, foundCatchAll);
		trace({ step: 'asked', ...work });
		return heard;
	};
	// Addresses that need SMTPUTF8 have a conversation of their own: MAIL declares it for all recipients.
	for (const needsSmtputf8 of [false, true]) {
		const ofThem = addresses.filter((address) => address.needsSmtputf8 === needsSmtputf8);
		let left: readonly string[] = [...new Set(ofThem.map(mailboxOf))];
		while (left.length > 0) {
			const targets = left.slice(0, TARGETS_AT_ONCE);
			const answered = await ask(targets, needsSmtputf8, left.length - targets.length).catch(
				(error: unknown) => {
					// Answers from before an outage of ours count.
					if (answers.size === 0) throw error;
					return null;
				},
			);
			if (answered === null) break;
			targets.forEach((target, at) => void answers.set(target, answered[at] ?? null));
			const unanswered = targets.filter((target) => answers.get(target) === null);
			// It is about the hosts, and no mailbox.
			const ofAll = answered.find((one) => one !== null && one.kind !== 'heard');
			left = [...unanswered, ...left.slice(TARGETS_AT_ONCE)];
			if (ofAll !== undefined) for (const target of left) answers.set(target, ofAll);
			const isStuck = unanswered.length === targets.length || ofAll !== undefined;
			if (isStuck || deadline - ports.clock.now() < QUESTION_MS_MIN) break;
		}
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
