import type { Address } from '../core/address/parse-address.ts';
import { measuredOf } from '../core/catchall/breakdown.ts';
import type { CoverageItem } from '../core/catchall/breakdown.ts';
import type { DomainFacts } from '../core/catchall/domain-facts.ts';
import { domainSignals, publishedSignals, wkdSignals } from '../core/catchall/domain-signals.ts';
import type { WkdFinding } from '../core/catchall/domain/published.ts';
import type { CatchAllEvidence, InventedReading } from '../core/catchall/evidence.ts';
import { judgeAddress } from '../core/catchall/judge.ts';
import type { Judgement, VerdictThresholds } from '../core/catchall/judge.ts';
import type { ListFacts as SourceListFacts } from '../core/catchall/list/list-facts.ts';
import { listSignals } from '../core/catchall/list/list-signals.ts';
import { mailboxSignals } from '../core/catchall/mailbox/mailbox-signals.ts';
import { compareReplies } from '../core/catchall/reply-difference.ts';
import type { Signal } from '../core/catchall/scorecard.ts';
import type { MailRoute } from '../core/dns/find-mail-exchangers.ts';
import type { Asker } from '../core/turns/who.ts';
import type { OwnOutcome } from '../core/outcomes/outcome.ts';
import type { RecipientReply } from '../core/smtp/session.ts';
import type { ListFacts } from '../core/verification/render.ts';
import type { DomainQuestion } from './domain/examine-domain.ts';
import type { TargetAnswer } from './question.ts';

/** The look-ups of the deeper check. They never throw: a failed look-up counts as not measured. */
export interface JudgePorts {
	readonly examineDomain: (domain: string, question: DomainQuestion) => Promise<DomainFacts>;
	/** Null: switched off, not asked, or no evidence. */
	readonly lookUpWkd: (address: Address, deadline: number) => Promise<WkdFinding | null>;
}

/** The facts about an address on a catch-all domain before the deeper check. */
export interface JudgedCase {
	readonly address: Address;
	readonly lists: ListFacts;
	readonly route: MailRoute;
	/** Null where the route leads to no host. */
	readonly probe: TargetAnswer | null;
	readonly invented: readonly InventedReading[];
	/** Facts about the whole list that holds the address; null: none, or a single call. */
	readonly sourceList: SourceListFacts | null;
	readonly ownOutcome: OwnOutcome | null;
	/** Asks about an invented recipient first, in another conversation. Called only where the answer matters. */
	readonly askControl: () => Promise<RecipientReply | null>;
	/** For whom we look. */
	readonly asker: Asker;
	/** Epoch milliseconds. A late answer counts as not measured. */
	readonly deadline: number;
}

/** The deeper check: looks everything up in parallel and judges it. */
export async function judgeCatchAll(
	ports: JudgePorts,
	thresholds: VerdictThresholds,
	about: JudgedCase,
): Promise<Judgement> {
	const { address, lists, route, probe, invented, sourceList, asker, deadline } = about;
	const { localPart, domain } = address;
	const answered = route.kind === 'hosts' && isAnswer(probe);
	const [facts, wkd, control] = answered
		? await Promise.all([
				ports.examineDomain(domain, { mailHosts: route.hosts, asker, deadline }),
				ports.lookUpWkd(address, deadline),
				needsControl(probe) ? about.askControl() : null,
			])
		: [null, null, null];
	const signals: Signal[] = [
		// The list's facts are about addresses that were not refused, so they do not apply to one that was.
		...nameSignals(address, isRefused(probe) ? null : sourceList),
		...(facts === null ? [] : [...domainSignals(facts), ...publishedSignals(facts, localPart)]),
		...wkdSignals(wkd),
	];
	const measured = new Set<CoverageItem>(['mailbox', ...(facts === null ? [] : measuredOf(facts))]);
	return judgeAddress(
		{
			mail: mailOf(route, probe),
			invented,
			control,
			lists,
			signals,
			measured,
			registrationEnded: facts !== null && hasEnded(facts),
			ageNotTold: facts?.registration?.kind === 'not_told',
			ownOutcome: about.ownOutcome,
		},
		thresholds,
	);
}

/** The signals of the address itself, and those of its source list. */
export function nameSignals(
	{ email, localPart, domain }: Address,
	sourceList: SourceListFacts | null,
): readonly Signal[] {
	return [
		...mailboxSignals(localPart, { domain }),
		...(sourceList === null ? [] : listSignals(email, sourceList)),
	];
}

/** Whether the server answered about the mailbox: only then is more looked up. A block or a deferral decides alone. */
function isAnswer(probe: TargetAnswer | null): boolean {
	if (probe === null || probe.kind !== 'heard') return false;
	return probe.interpretation.target.kind !== 'unknown';
}

function isRefused(probe: TargetAnswer | null): boolean {
	return probe?.kind === 'heard' && probe.interpretation.target.kind === 'rejected';
}

/** Whether the registry has deleted the domain, or is about to. */
function hasEnded({ registration }: DomainFacts): boolean {
	if (registration?.kind !== 'registered') return false;
	return registration.holds.some((hold) => hold === 'redemption period' || hold === 'pending delete');
}

/** Whether the wordings differ, so that only a control shows if the mailbox is the reason, or being asked first. */
function needsControl(probe: TargetAnswer | null): boolean {
	return probe?.kind === 'heard' && compareReplies(probe.report, null) === 'uncontrolled';
}

function mailOf(route: MailRoute, probe: TargetAnswer | null): CatchAllEvidence['mail'] {
	if (route.kind !== 'hosts') return route;
	return { ...route, probe: probe ?? { kind: 'dns_error' } };
}
