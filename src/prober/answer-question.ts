import { usableAddresses } from '../core/dns/find-mail-exchangers.ts';
import type { AddressPolicy } from '../core/dns/find-mail-exchangers.ts';
import type { SmtpReply } from '../core/smtp/reply-reader.ts';
import { findMailOperator } from '../core/mail-operators/find-operator.ts';
import type { Asked, Hear, Question, TargetAnswer } from '../engine/question.ts';
import { CONVERSATION_MS_MIN } from './converse.ts';
import { HostVisit } from './host-visit.ts';
import type { Notes } from './host-visit.ts';
import { explained, recipientsIn } from './steps.ts';
import type { Clock } from './ports.ts';
import type { Conversations } from './turns/turns.ts';

export interface AnswerPorts {
	readonly clock: Clock;
	readonly conversations: Conversations;
	/** Which addresses of mail hosts may be dialled, for any asker. */
	readonly addressPolicy: AddressPolicy;
}

const ADDRESSES_PER_HOST_MAX = 2;
// First contact with postscreen's deep tests ends in a 450; five seconds later the same caller is let in.
const ASK_AGAIN_AFTER_MS = 6_000;

/**
 * Asks a domain's mail hosts, and a single question that was put off at first contact once more.
 *
 * @param foundCatchAll called as soon as a host accepts an invented recipient, or if it is known to
 */
export async function answerQuestion(
	ports: AnswerPorts,
	question: Question,
	foundCatchAll?: () => void,
): Promise<Asked> {
	const hear = foundCatchAll === undefined ? undefined : hearCatchAll(question.targets, foundCatchAll);
	const { clock } = ports;
	const notes: Notes = { steps: [] };
	const [best] = question.hosts;
	const operator = best === undefined || question.implicit ? null : findMailOperator([best.name]);
	const groups = ports.conversations.sideBySide(operator?.operator ?? null, question);
	const walks = groups.map((targets) => walk(ports, { ...question, targets }, notes, hear));
	let answers = (await Promise.all(walks)).flat();
	const hasTime = clock.now() + ASK_AGAIN_AFTER_MS + CONVERSATION_MS_MIN <= question.deadline;
	if (question.class === 'single' && hasTime && answers.every(isWorthAskingAgain)) {
		const why = 'short greylisting lets the same caller in by then';
		notes.steps.push({ step: 'wait', at: clock.now(), ms: ASK_AGAIN_AFTER_MS, why });
		await clock.sleep(ASK_AGAIN_AFTER_MS);
		// The same invented recipients: who greylists by recipient knows these now, and would turn new ones away again.
		const second = await walk(ports, question, notes, hear);
		answers = answers.map((earlier, at) => heardOr(second[at], earlier));
	}
	return { answers, ...done(notes, question) };
}

/** Only the answer counts, and another host may have given it: what is begun by this may be in vain. */
function hearCatchAll(targets: readonly string[], found: () => void): Hear {
	return (news) => {
		const isCatchAll =
			news.kind === 'greeted'
				? news.invented.some(({ reply }) => isAccepted(reply))
				: !targets.includes(news.recipient) && isAccepted(news.reply);
		if (isCatchAll) found();
	};
}

function isAccepted(reply: SmtpReply | null): boolean {
	return reply !== null && reply.code >= 200 && reply.code < 300;
}

/** The rest of an answer if no mail host was asked. */
export const NOTHING_DONE: Omit<Asked, 'answers'> = { evidence: [], recipients: 0 };

function done({ steps }: Notes, { explain = false }: Question): Omit<Asked, 'answers'> {
	return { evidence: explain ? explained(steps) : [], recipients: recipientsIn(steps) };
}

function heardOr(later: TargetAnswer | null | undefined, earlier: TargetAnswer | null): TargetAnswer | null {
	return later?.kind === 'heard' ? later : earlier;
}

function isWorthAskingAgain(answer: TargetAnswer | null): boolean {
	if (answer === null || answer.kind !== 'heard') return false;
	const { advice, target, replyCode } = answer.interpretation;
	if (advice === 'ask_again_soon') return true;
	// A greeting of 4xx by every host is postscreen or load, as short-lived as a deferral. Silence and nonsense are not,
	// and who limits or blocks us is not asked more often for it.
	const isAboutUs =
		target.kind === 'unknown' && (target.why === 'rate_limited' || target.why === 'probe_blocked');
	return advice === 'next_host' && replyCode !== null && !isAboutUs;
}

/** Along the hosts, best preference first, while those before did not serve us and there is time (RFC 5321 §5.1). */
async function walk(
	ports: AnswerPorts,
	question: Question,
	notes: Notes,
	hear?: Hear,
): Promise<readonly (TargetAnswer | null)[]> {
	const { clock, conversations } = ports;
	const answers = new Map<string, TargetAnswer | null>();
	// The mailboxes that the next host may be asked about.
	let open = question.targets;
	const settle = (rest: TargetAnswer): void => open.forEach((target) => void answers.set(target, rest));
	settle({ kind: 'unroutable' });
	let dialled = 0;
	for (const [rank, { name, addresses: found, failed }] of question.hosts.entries()) {
		if (open.length === 0) break;
		const isLate = question.deadline - clock.now() < CONVERSATION_MS_MIN;
		if (dialled === 0 && (isLate || failed)) settle({ kind: 'dns_error' });
		if (isLate) break;
		const addresses = usableAddresses(found, ports.addressPolicy).slice(0, ADDRESSES_PER_HOST_MAX);
		if (addresses.length === 0) continue;
		// The operator of this very host: another host of the domain may be another's, with other habits.
		const operator = question.implicit ? null : findMailOperator([name]);
		const host = conversations.hostFor(name, operator?.operator ?? null, question);
		if (dialled === 0) settle({ kind: 'no_connect', tried: 0 });
		dialled += 1;
		const isBest = rank === 0;
		const visit = new HostVisit(ports, { question, targets: open, host, operator, addresses, isBest }, notes);
		for (let next = visit.next(); next !== null; next = visit.next())
			visit.take(await conversations.hold(next, hear));
		const heard = visit.answers();
		if (heard === null) continue;
		heard.forEach((answer, target) => void answers.set(target, answer));
		open = open.filter((target) => {
			const answer = heard.get(target);
			return answer?.kind === 'heard' && answer.interpretation.advice === 'next_host';
		});
	}
	return question.targets.map((target) => {
		const answer = answers.get(target) ?? null;
		return answer?.kind === 'no_connect' ? { ...answer, tried: dialled } : answer;
	});
}
