import type { Address } from '../core/address/parse-address.ts';
import type { CoverageItem } from '../core/catchall/coverage.ts';
import { measuredOf } from '../core/catchall/domain-coverage.ts';
import type { DomainFacts } from '../core/catchall/domain-facts.ts';
import { domainSignals, publishedSignals, wkdSignals } from '../core/catchall/domain-signals.ts';
import type { WkdFinding } from '../core/catchall/domain/wkd.ts';
import type { CatchAllEvidence, InventedReading } from '../core/catchall/evidence.ts';
import { judgeAddress } from '../core/catchall/judge.ts';
import type { Judgement, VerdictThresholds } from '../core/catchall/judge.ts';
import type { ListFacts as SourceListFacts } from '../core/catchall/list/list-facts.ts';
import { listSignals } from '../core/catchall/list/list-signals.ts';
import { mailboxSignals } from '../core/catchall/mailbox/mailbox-signals.ts';
import { compareReplies } from '../core/catchall/reply-difference.ts';
import type { Signal } from '../core/catchall/signal.ts';
import type { MailRoute } from '../core/dns/find-mail-exchangers.ts';
import type { RecipientReply } from '../core/smtp/session.ts';
import type { ListFacts } from '../core/verification/render.ts';
import type { DomainQuestion } from './domain/examine-domain.ts';
import type { TargetAnswer } from './question.ts';

/** The look-ups of the deep check. Neither throws: what can't be looked up is not measured. */
export interface JudgePorts {
	readonly examineDomain: (domain: string, question: DomainQuestion) => Promise<DomainFacts>;
	/** Null: switched off, not asked, or it says nothing. */
	readonly lookUpWkd: (address: Address, deadline: number) => Promise<WkdFinding | null>;
}

/** What is known of an address when its catch-all domain is to be judged. */
export interface JudgedCase {
	readonly address: Address;
	readonly lists: ListFacts;
	readonly route: MailRoute;
	/** Null where the route leads to no host. */
	readonly probe: TargetAnswer | null;
	readonly invented: readonly InventedReading[];
	/** What the list that the address came in says as a whole; null: it came alone. */
	readonly sourceList: SourceListFacts | null;
	/** Asks an invented recipient first, in a conversation of its own. Called only where that can decide something. */
	readonly askControl: () => Promise<RecipientReply | null>;
	/** Epoch milliseconds: what is late was not measured. */
	readonly deadline: number;
}

/** The deep check: everything that can be looked up, at once, and the judgement on it. */
export async function judgeCatchAll(
	ports: JudgePorts,
	thresholds: VerdictThresholds,
	about: JudgedCase,
): Promise<Judgement> {
	const { address, lists, route, probe, invented, sourceList, deadline } = about;
	const { localPart, domain } = address;
	const answered = route.kind === 'hosts' && isAnswer(probe);
	const [facts, wkd, control] = answered
		? await Promise.all([
				ports.examineDomain(domain, { mailHosts: route.hosts, deadline }),
				ports.lookUpWkd(address, deadline),
				needsControl(probe) ? about.askControl() : null,
			])
		: [null, null, null];
	const signals: Signal[] = [
		// Who was refused is not among the peers of those who were not.
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
			ownOutcome: null,
		},
		thresholds,
	);
}

/** What the address says by itself, and among the others of its list. */
export function nameSignals(
	{ email, localPart, domain }: Address,
	sourceList: SourceListFacts | null,
): readonly Signal[] {
	return [
		...mailboxSignals(localPart, { domain }),
		...(sourceList === null ? [] : listSignals(email, sourceList)),
	];
}

/** Only what the server said about the mailbox can be weighed; a block or a deferral decides by itself. */
function isAnswer(probe: TargetAnswer | null): boolean {
	if (probe === null || probe.kind !== 'heard') return false;
	return probe.interpretation.target.kind !== 'unknown';
}

function isRefused(probe: TargetAnswer | null): boolean {
	return probe?.kind === 'heard' && probe.interpretation.target.kind === 'rejected';
}

/** The registry has taken the domain back, or is about to. */
function hasEnded({ registration }: DomainFacts): boolean {
	if (registration?.kind !== 'registered') return false;
	return registration.holds.some((hold) => hold === 'redemption period' || hold === 'pending delete');
}

/** The words differ, and whether for the mailbox or for being asked first only a control can tell. */
function needsControl(probe: TargetAnswer | null): boolean {
	return probe?.kind === 'heard' && compareReplies(probe.report, null) === 'uncontrolled';
}

function mailOf(route: MailRoute, probe: TargetAnswer | null): CatchAllEvidence['mail'] {
	if (route.kind !== 'hosts') return route;
	return { ...route, probe: probe ?? { kind: 'dns_error' } };
}
