import type { AddressPolicy } from '../core/dns/usable-addresses.ts';
import { findMailOperator } from '../core/mail-operators/find-operator.ts';
import type { MailOperator } from '../core/mail-operators/find-operator.ts';
import { mailHostOf } from '../core/politeness/mail-host.ts';
import type { Trace, TraceEvent } from '../core/verification/trace.ts';
import { askHost } from './ask-host.ts';
import type { AskHostPorts } from './ask-host.ts';
import { CONVERSATION_MS_MIN } from './converse.ts';
import type { Exchangers } from './conversations-port.ts';
import type { HostAnswer } from './host-visit.ts';
import { lookUpHost } from './look-up-host.ts';
import type { Resolver } from './ports.ts';
import type { Asked, Question, TargetAnswer } from './question.ts';

export interface AskPorts extends AskHostPorts {
	readonly resolver: Pick<Resolver, 'addresses' | 'ipv6Addresses'>;
	/** Which addresses of mail hosts may be dialled. */
	readonly addressPolicy: AddressPolicy;
	/** Left out: every host is dialled from here. */
	readonly exchangers?: Exchangers;
}

// RFC 5321 §5.1 wants at least two tried; a caller is waiting, so never more than three.
const HOSTS_DIALLED_MAX = 3;
const ADDRESSES_PER_HOST_MAX = 2;
// First contact with postscreen's deep tests ends in a 450; five seconds later the same caller is let in.
const ASK_AGAIN_AFTER_MS = 6_000;

/** Asks a domain's mail hosts, and a single question that was put off at first contact once more. */
export async function ask(ports: AskPorts, question: Question): Promise<Asked> {
	const trace: TraceEvent[] = [];
	const note: Trace = (event) => void trace.push(event);
	const first = await walk(ports, question, note);
	const resumesAt = ports.clock.now() + ASK_AGAIN_AFTER_MS;
	const hasTime = resumesAt + CONVERSATION_MS_MIN <= question.deadline;
	if (question.urgency === 'list' || !hasTime || !first.every(isWorthAskingAgain))
		return { answers: first, trace };
	note({ step: 'wait', ms: ASK_AGAIN_AFTER_MS, why: 'short greylisting lets the same caller in by then' });
	await ports.clock.sleep(ASK_AGAIN_AFTER_MS);
	// The same invented recipients: who greylists by recipient knows these now, and would turn new ones away again.
	const second = await walk(ports, question, note);
	return { answers: first.map((earlier, at) => heardOr(second[at], earlier)), trace };
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
	ports: AskPorts,
	question: Question,
	trace: Trace,
): Promise<readonly (TargetAnswer | null)[]> {
	const { domain, implicit, asker, deadline } = question;
	const answers = new Map<string, TargetAnswer | null>();
	// Whose question may be put to the next host.
	let open = question.targets;
	const settle = (rest: TargetAnswer): void => open.forEach((target) => void answers.set(target, rest));
	settle({ kind: 'unroutable' });
	let dialled = 0;
	const exchangerOf = ports.exchangers?.forQuestion(question.urgency === 'single');
	for (const [rank, name] of question.hosts.entries()) {
		if (open.length === 0 || dialled >= HOSTS_DIALLED_MAX) break;
		const looked = await lookUpHost(ports, name, deadline, trace);
		if (dialled === 0 && (looked === 'late' || looked.failed)) settle({ kind: 'dns_error' });
		if (looked === 'late') break;
		if (looked.usable.length === 0) continue;
		// Who runs this very host: another host of the domain may be somebody else's, with other habits.
		const operator = implicit ? null : findMailOperator([name]);
		const host = mailHostOf(name, operator?.operator ?? null, ports.dialer.egressFor(domain));
		const why = ports.standing.paused(host, asker);
		if (why !== null) {
			// Another host of the same domain, or another egress, would be a way around the block.
			trace({ step: 'paused', host: host.party, why });
			settle({ kind: 'paused', why });
			break;
		}
		if (dialled === 0) settle({ kind: 'no_connect' });
		dialled += 1;
		const addresses = looked.usable.slice(0, ADDRESSES_PER_HOST_MAX);
		const exchanger = exchangerOf?.(name, implicit, domain) ?? null;
		const about = { question, targets: open, host, operator, addresses, exchanger, isBest: rank === 0 };
		const heard = await askHost(ports, about, trace);
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
