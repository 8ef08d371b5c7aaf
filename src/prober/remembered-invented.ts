import { isPositive } from '../core/smtp/recipient-queue.ts';
import type { RecipientReply, SessionPlan, SessionReport } from '../core/smtp/session.ts';
import { interpretInvented } from '../core/verification/interpret-session.ts';
import type { InventedFinding } from '../core/verification/interpret-session.ts';
import type { ProberMemory } from './memory.ts';
import type { Clock } from '../engine/ports.ts';
import type { ConversationRequest } from './conversation.ts';

// A domain that became a catch-all makes a false "deliverable" out of a remembered refusal: that is believed for a day.
const KEPT_MS: Readonly<Record<InventedFinding, number>> = {
	accepted: 7 * 86_400_000,
	rejected: 86_400_000,
	mixed: 0,
	no_evidence: 0,
};

/** The plan without what is known of the domain already. `finish` reads a report as the answer to the whole plan. */
export function planFor(
	{ clock, memory }: { readonly clock: Clock; readonly memory: Pick<ProberMemory, 'find' | 'keep'> },
	{ plan, isBest, operator, domain }: ConversationRequest,
) {
	const known = isBest ? (memory.find(domain, clock.now()) ?? []) : [];
	const finding = interpretInvented({ invented: known, sender: null }, operator);
	const remembered = isEnough(finding, plan) ? known : [];
	const isKnownToAccept = remembered.length === 0 && finding === 'accepted';
	const finish = (heard: SessionReport): SessionReport => {
		const report = isKnownToAccept ? asIfConfirmed(heard, plan) : heard;
		const keptMs = KEPT_MS[interpretInvented(report, operator)];
		if (isBest && keptMs > 0) memory.keep(domain, report.invented, clock.now() + keptMs);
		return report;
	};
	const about = remembered.length > 0 ? { invented: [], furtherInvented: [] } : {};
	return { plan: { ...plan, ...about, ...(isKnownToAccept ? allAtOnce(plan) : {}) }, remembered, finish };
}

/**
 * Whether a remembered answer is as good as asking. The deep check compares words within one conversation, so it asks a
 * catch-all again, and a task doubts refusals too.
 */
function isEnough(finding: InventedFinding, plan: Pick<SessionPlan, 'furtherInvented' | 'deep'>): boolean {
	if (finding === 'rejected') return plan.deep !== 'always';
	return finding === 'accepted' && plan.furtherInvented.length === 0;
}

type AboutInvented = Pick<SessionPlan, 'invented' | 'furtherInvented'>;

/**
 * The questions to a domain that is known to take every recipient: its yes needs no waiting for, so all are asked at once,
 * after the targets. Five of them before the targets would leave these no time at a slow server.
 */
function allAtOnce({ invented, furtherInvented }: AboutInvented): AboutInvented & {
	readonly asksInventedFirst: false;
} {
	return { invented: [...invented, ...furtherInvented], furtherInvented: [], asksInventedFirst: false };
}

/**
 * The answers that count of those that were asked at once, as if they had been asked one after the other: the further
 * ones where a target and the first ones were taken (or, for a task, answered), and where they have
 * an answer.
 */
function asIfConfirmed(
	report: SessionReport,
	{ invented, deep }: Pick<SessionPlan, 'invented' | 'deep'>,
): SessionReport {
	const isFirst = ({ recipient }: RecipientReply): boolean => invented.includes(recipient);
	const counts =
		report.targets.some(isYes) &&
		report.invented
			.filter(isFirst)
			.every((first) => isYes(first) || (deep === 'always' && first.reply !== null));
	const kept = report.invented.filter((one) => isFirst(one) || (counts && one.reply !== null));
	return { ...report, invented: kept };
}

function isYes({ reply }: RecipientReply): boolean {
	return reply !== null && isPositive(reply);
}
