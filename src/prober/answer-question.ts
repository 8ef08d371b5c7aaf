import { usableAddresses } from '../core/dns/usable-addresses.ts';
import type { AddressPolicy } from '../core/dns/usable-addresses.ts';
import { findMailOperator } from '../core/mail-operators/find-operator.ts';
import type { MailOperator } from '../core/mail-operators/find-operator.ts';
import type { Trace, TraceEvent } from '../core/verification/trace.ts';
import type { Asked, Question, TargetAnswer, Tried } from '../engine/question.ts';
import { askHost } from './ask-host.ts';
import type { AskHostPorts } from './ask-host.ts';
import { CONVERSATION_MS_MIN } from './converse.ts';
import { leftAlone } from './host-visit.ts';
import type { HostAnswer } from './host-visit.ts';
import type { Dialer } from './ports.ts';
import { sideBySide, wayOutTo } from './way-out.ts';
import type { FailoverRule, TurnAt } from './way-out.ts';

export interface AnswerPorts extends AskHostPorts {
	readonly dialer: Pick<Dialer, 'egressesFor'>;
	/** What is done while an operator refuses one of our source addresses; left out: we wait. */
	readonly failover?: FailoverRule;
	/** When it would be a question's turn; left out: by all ways out alike. */
	readonly turnAt?: TurnAt;
	/** Which addresses of mail hosts may be dialled, whoever asks. */
	readonly addressPolicy: AddressPolicy;
}

/** What is noted on the way. */
interface Notes {
	readonly trace: TraceEvent[];
	readonly tried: Tried[];
}

// RFC 5321 §5.1 wants at least two tried; a caller is waiting, so never more than three.
const HOSTS_DIALLED_MAX = 3;
const ADDRESSES_PER_HOST_MAX = 2;
// First contact with postscreen's deep tests ends in a 450; five seconds later the same caller is let in.
const ASK_AGAIN_AFTER_MS = 6_000;

/** Asks a domain's mail hosts, and a single question that was put off at first contact once more. */
export async function answerQuestion(ports: AnswerPorts, question: Question): Promise<Asked> {
	const notes: Notes = { trace: [], tried: [] };
	const [best] = question.hosts;
	const operator = best === undefined || question.implicit ? null : findMailOperator([best.name]);
	const groups = sideBySide(ports, operator?.operator ?? null, question);
	const walks = groups.map((targets) => walk(ports, { ...question, targets }, notes));
	const first = (await Promise.all(walks)).flat();
	const resumesAt = ports.clock.now() + ASK_AGAIN_AFTER_MS;
	const hasTime = resumesAt + CONVERSATION_MS_MIN <= question.deadline;
	if (question.class !== 'single' || !hasTime || !first.every(isWorthAskingAgain))
		return { answers: first, ...notes };
	const why = 'short greylisting lets the same caller in by then';
	notes.trace.push({ step: 'wait', ms: ASK_AGAIN_AFTER_MS, why });
	await ports.clock.sleep(ASK_AGAIN_AFTER_MS);
	// The same invented recipients: who greylists by recipient knows these now, and would turn new ones away again.
	const second = await walk(ports, question, notes);
	return { answers: first.map((earlier, at) => heardOr(second[at], earlier)), ...notes };
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

/** Along the hosts, best preference first, for as long as those before did not serve us. */
async function walk(
	ports: AnswerPorts,
	question: Question,
	{ trace, tried }: Notes,
): Promise<readonly (TargetAnswer | null)[]> {
	const { implicit, asker, deadline } = question;
	const note: Trace = (event) => void trace.push(event);
	const answers = new Map<string, TargetAnswer | null>();
	// Whose question may be put to the next host.
	let open = question.targets;
	const settle = (rest: TargetAnswer): void => open.forEach((target) => void answers.set(target, rest));
	settle({ kind: 'unroutable' });
	let dialled = 0;
	for (const [rank, { name, addresses, failed }] of question.hosts.entries()) {
		if (open.length === 0 || dialled >= HOSTS_DIALLED_MAX) break;
		const isLate = deadline - ports.clock.now() < CONVERSATION_MS_MIN;
		if (dialled === 0 && (isLate || failed)) settle({ kind: 'dns_error' });
		if (isLate) break;
		const usable = usableAddresses(addresses, ports.addressPolicy).slice(0, ADDRESSES_PER_HOST_MAX);
		if (usable.length === 0) continue;
		// Who runs this very host: another host of the domain may be somebody else's, with other habits.
		const operator = implicit ? null : findMailOperator([name]);
		const host = wayOutTo(ports, name, operator?.operator ?? null, question);
		const pause = ports.standing.paused(host, asker);
		if (pause !== null) {
			// Another host of the same domain would be a way around the block.
			note({ step: 'paused', host: host.party, why: pause.why });
			settle(leftAlone(pause, host, question.class));
			break;
		}
		if (dialled === 0) settle({ kind: 'no_connect', egress: host.egress });
		dialled += 1;
		const about = { question, targets: open, host, operator, addresses: usable, isBest: rank === 0 };
		const heard = await askHost(ports, about, { trace: note, tried: (attempt) => void tried.push(attempt) });
		if (heard === null) continue;
		open = open.filter((target) => {
			const answer = answerOf(heard.get(target), { host: name, viaBackup: rank > 0, operator });
			answers.set(target, answer);
			return answer?.kind === 'heard' && answer.interpretation.advice === 'next_host';
		});
	}
	return question.targets.map((target) => answers.get(target) ?? null);
}

function answerOf(
	answer: HostAnswer | undefined,
	asked: { readonly host: string; readonly viaBackup: boolean; readonly operator: MailOperator | null },
): TargetAnswer | null {
	if (answer === undefined || answer.kind === 'not_reached') return null;
	return answer.kind === 'heard' ? { ...answer, ...asked } : answer;
}
