import type { Address } from '../core/address/parse-address.ts';
import type { Case, ExaminePorts, LookedUpHost } from './case.ts';
import { ADDRESSES_PER_HOST_MAX } from '../wire/prober.ts';
import type { Asked, Invented, Question, QuestionHost } from '../wire/prober.ts';
import type { Finding } from '../core/verification/finding.ts';

/** The parts of a case that its questions are made of. */
type AskedCase = Pick<Case, 'ports' | 'how' | 'domain' | 'route' | 'hosts' | 'deadline'>;

// With the invented one they are a transaction of twenty.
const TARGETS_AT_ONCE = 19;
// A reply may take ten seconds. With less time left, silence would be our doing: what is left has another turn.
const QUESTION_MS_MIN = 10_000;

/**
 * Asks the domain's mail hosts about addresses, one question after the other: the prober keeps the connection between
 * them. The answers are in the order of the addresses; null: the time was up before a host was asked.
 *
 * @param foundCatchAll called if a host shows itself as a catch-all while the question is still asked
 */
export async function probe(
	about: AskedCase,
	addresses: readonly Address[],
	foundCatchAll?: () => void,
): Promise<readonly (Finding | null)[]> {
	const { ports, how, domain, deadline } = about;
	const heard = new Map<string, Finding | null>();
	// Addresses that need SMTPUTF8 have a conversation of their own: MAIL declares it for all recipients.
	for (const needsSmtputf8 of [false, true]) {
		const ofThem = addresses.filter((address) => address.needsSmtputf8 === needsSmtputf8);
		let left: readonly string[] = [...new Set(ofThem.map(mailboxOf))];
		while (left.length > 0) {
			const targets = left.slice(0, TARGETS_AT_ONCE);
			const question = questionOf(about, {
				targets,
				behind: left.length - targets.length,
				needsSmtputf8,
				invented: inventRecipients(ports.randomness, domain),
				deep: how.deep,
				fresh: false,
				// The class `single` is for one address alone.
				class: how.class === 'single' && addresses.length > 1 ? 'list' : how.class,
			});
			const reply = await ports.prober.ask(question, foundCatchAll).catch((error: unknown) => {
				// Answers from before an outage of ours count.
				if (heard.size === 0) throw error;
				return null;
			});
			if (reply === null) break;
			how.trail?.asked(reply);
			const { answers } = reply;
			targets.forEach((target, at) => void heard.set(target, answers[at] ?? null));
			const unanswered = targets.filter((target) => heard.get(target) === null);
			const ofAll = answerOfAll(answers);
			left = [...unanswered, ...left.slice(TARGETS_AT_ONCE)];
			if (ofAll !== undefined) for (const target of left) heard.set(target, ofAll);
			const isStuck = unanswered.length === targets.length || ofAll !== undefined;
			if (isStuck || deadline - ports.clock.now() < QUESTION_MS_MIN) break;
		}
	}
	return addresses.map((address) => heard.get(mailboxOf(address)) ?? null);
}

/** The answer that holds for those who were not asked about, since it is about the hosts or about us; undefined: none. */
function answerOfAll(answers: Asked['answers']): Finding | undefined {
	const ofHosts = answers.find((one) => one !== null && one.kind !== 'heard');
	// A host that is asked again at once after it refused us refuses us for longer.
	return ofHosts ?? (answers.every(isOfNoMailbox) ? (answers[0] ?? undefined) : undefined);
}

function isOfNoMailbox(answer: Finding | null): boolean {
	if (answer?.kind !== 'heard') return false;
	const { target, advice, replyCode } = answer.interpretation;
	if (target.kind !== 'unknown' || target.why === 'unexpected_error') return false;
	const isAboutUs = target.why === 'rate_limited' || target.why === 'probe_blocked';
	return isAboutUs || replyCode === null || advice === 'next_host';
}

/** A question to the hosts of a case, whose addresses the trail shows. */
export function questionOf(
	{ how, domain, route, hosts, deadline }: AskedCase,
	of: Pick<Question, 'targets' | 'behind' | 'needsSmtputf8' | 'invented' | 'deep' | 'fresh' | 'class'>,
): Question {
	const { asker, isTrial, owner, paysUntil, since, explain, trail } = how;
	for (const { name, found } of hosts) trail?.host(name, found);
	const implicit = route.kind === 'hosts' && route.implicit;
	const party = { asker, isTrial, owner, paysUntil };
	return { ...of, ...party, since, domain, hosts: worthNaming(hosts), implicit, explain, deadline };
}

/** The hosts for a question, without backups that have no usable address. */
function worthNaming(looked: readonly LookedUpHost[]): readonly QuestionHost[] {
	// The first stays even without an address: only beside it are the others backups.
	const named = looked.filter((host, rank) => rank === 0 || host.failed || host.addresses.length > 0);
	return named.map(({ name, addresses, failed }) => {
		return { name, addresses: addresses.slice(0, ADDRESSES_PER_HOST_MAX), failed };
	});
}

/** As RCPT names it. */
function mailboxOf({ localPart, domain }: Pick<Address, 'localPart' | 'domain'>): string {
	return `${localPart}@${domain}`;
}

function inventRecipients(randomness: ExaminePorts['randomness'], domain: string): Invented {
	const invent = (localPart: string): string => mailboxOf({ localPart, domain });
	return {
		first: invent(randomness.word(16)),
		// One looks like a name, one has a digit: a server that accepts only some patterns must not pass for a catch-all.
		further: [invent(`${randomness.word(5)}.${randomness.word(8)}`), invent(`${randomness.word(9)}2`)],
	};
}
