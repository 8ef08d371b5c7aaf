import { usableAddresses } from '../core/dns/find-mail-exchangers.ts';
import type { AddressPolicy } from '../core/dns/find-mail-exchangers.ts';
import type { SmtpReply } from '../core/smtp/reply-reader.ts';
import { findMailOperator } from '../core/mail-operators/find-operator.ts';
import type { Asked, Hear, Question, TargetAnswer } from '../engine/question.ts';
import { CONVERSATION_MS_MIN } from './converse.ts';
import type { MailHost } from '../core/politeness/mail-host.ts';
import { describeError, log } from '../lib/log.ts';
import { CONTROL } from './standing.ts';
import type { Guessers } from './guessers.ts';
import { HostVisit, leftAlone } from './host-visit.ts';
import type { Notes } from './host-visit.ts';
import { explained, recipientsIn } from './steps.ts';
import type { Clock, Conversations, Dialer, StandingMemory } from './ports.ts';
import { sideBySide, wayOutTo } from './way-out.ts';
import type { FailoverRule, TurnAt } from './way-out.ts';

export interface AnswerPorts {
	readonly clock: Clock;
	/** From 0 to below 1. */
	readonly random: () => number;
	readonly conversations: Conversations;
	readonly standing: StandingMemory;
	readonly dialer: Pick<Dialer, 'egressesFor'>;
	/** The way while an operator refuses one of our source addresses; left out: we wait. */
	readonly failover?: FailoverRule;
	/** When it would be a question's turn; left out: by all ways out alike. */
	readonly turnAt?: TurnAt;
	/** Slows accounts that guess mailboxes; left out: none is slowed. */
	readonly guessers?: Guessers;
	/** Which addresses of mail hosts may be dialled, for any asker. */
	readonly addressPolicy: AddressPolicy;
}

const ADDRESSES_PER_HOST_MAX = 2;
// First contact with postscreen's deep tests ends in a 450; five seconds later the same caller is let in.
const ASK_AGAIN_AFTER_MS = 6_000;

/**
 * Asks a domain's mail hosts, and a single question that was put off at first contact once more. An account that guesses
 * mailboxes of the domain is answered in small pieces, one after the other.
 *
 * @param foundCatchAll called as soon as a host accepts an invented recipient, or if it is known to
 */
export async function answerQuestion(
	ports: AnswerPorts,
	whole: Question,
	foundCatchAll?: () => void,
): Promise<Asked> {
	const hear = foundCatchAll === undefined ? undefined : hearCatchAll(whole.targets, foundCatchAll);
	const { clock, guessers } = ports;
	const now = clock.now();
	// A list asks again; a caller who waits for the answer waits as long as there is time.
	const latest = whole.class === 'single' ? whole.deadline - 2 * CONVERSATION_MS_MIN : now;
	const turn = guessers?.turn(whole, now, latest) ?? { most: whole.targets.length, at: now, next: now };
	const rest = whole.targets.slice(turn.most).map(() => ({ kind: 'postponed', until: turn.next }) as const);
	if (turn.most === 0 || !('at' in turn)) return { answers: rest, ...NOTHING_DONE };
	if (turn.at > now) await clock.sleep(turn.at - now);
	const question = { ...whole, targets: whole.targets.slice(0, turn.most) };
	const notes: Notes = { steps: [], tried: [] };
	const [best] = question.hosts;
	const operator = best === undefined || question.implicit ? null : findMailOperator([best.name]);
	const groups = sideBySide(ports, operator?.operator ?? null, question);
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
	guessers?.learn(question, { answers }, clock.now());
	return { answers: [...answers, ...rest], ...done(notes, question) };
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
export const NOTHING_DONE: Omit<Asked, 'answers'> = { evidence: [], recipients: 0, tried: [] };

function done({ steps, tried }: Notes, { explain = false }: Question): Omit<Asked, 'answers'> {
	return { evidence: explain ? explained(steps) : [], recipients: recipientsIn(steps), tried };
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
	const { clock, conversations, standing } = ports;
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
		const host = wayOutTo(ports, name, operator?.operator ?? null, question);
		const pause = standing.paused(host, question);
		if (pause !== null) {
			// Another host of the same domain would be a way around the block.
			notes.steps.push({ step: 'paused', at: clock.now(), host: host.party, why: pause.why });
			settle(leftAlone(pause, host, question.class));
			break;
		}
		if (dialled === 0) settle({ kind: 'no_connect', egress: host.egress, tried: 0 });
		dialled += 1;
		const isBest = rank === 0;
		const visit = new HostVisit(ports, { question, targets: open, host, operator, addresses, isBest }, notes);
		for (let next = visit.next(); next !== null; next = visit.next())
			visit.take(await conversations.hold(next, hear));
		void askControls(ports, host);
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

// For an invented mailbox: whether the operator serves us, not whether it exists.
const CONTROL_NAME_LENGTH = 16;
const CONTROL_MS = 30_000;

/** Asks domains that the operator served lately, if a refusal may be the operator's. No caller waits for it. */
async function askControls(ports: AnswerPorts, party: MailHost): Promise<void> {
	const { clock, random, conversations, standing } = ports;
	try {
		for (
			let next = standing.nextControl(party, null);
			next !== null;
			next = standing.nextControl(party, next)
		) {
			const { domain, host, address, operator } = next;
			const targets = [`${randomLetters(CONTROL_NAME_LENGTH, random)}@${domain}`];
			const question: Question = {
				domain,
				hosts: [{ name: host.host, addresses: [address], failed: false }],
				implicit: false,
				targets,
				needsSmtputf8: false,
				invented: null,
				deep: 'never',
				fresh: false,
				asker: CONTROL,
				class: 'single',
				deadline: clock.now() + CONTROL_MS,
			};
			const about = { question, targets, host, operator, addresses: [address], isBest: false };
			const visit = new HostVisit(ports, about, { steps: [], tried: [] });
			for (let step = visit.next(); step !== null; step = visit.next())
				visit.take(await conversations.hold(step));
		}
	} catch (error) {
		log('prober_error', describeError(error));
	}
}

function randomLetters(length: number, random: () => number): string {
	return Array.from({ length }, () => String.fromCharCode(97 + Math.floor(random() * 26))).join('');
}
