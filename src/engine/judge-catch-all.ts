import type { Address } from '../core/address/parse-address.ts';
import { domainFindings, hasEnded, measuredOf } from '../core/catchall/domain.ts';
import type { DomainFacts } from '../core/catchall/domain.ts';
import type { InventedReading } from '../core/catchall/evidence.ts';
import { judgeAddress, judgeUnasked } from '../core/catchall/judge.ts';
import type { Judgement } from '../core/catchall/judge.ts';
import { listFindings } from '../core/catchall/list/list-facts.ts';
import type { ListFacts as SourceListFacts } from '../core/catchall/list/list-facts.ts';
import { mailboxFinding } from '../core/catchall/mailbox/mailbox.ts';
import type { Wording } from '../core/catchall/reply-difference.ts';
import type { Finding } from '../core/catchall/table.ts';
import type { MailRoute } from '../core/dns/find-mail-exchangers.ts';
import type { OwnOutcome } from '../core/outcomes/outcome.ts';
import type { ListFacts } from '../core/verification/render.ts';
import type { SubStatusOf } from '../core/verification/sub-status.ts';
import type { TargetAnswer } from './question.ts';

/** The look-ups of the deeper check. */
export interface JudgePorts {
	/** Never throws: a look-up that fails or is late (`deadline`: epoch ms) counts as not measured. */
	readonly examineDomain: (domain: string, deadline: number) => Promise<DomainFacts>;
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
	/** The words for an invented recipient that is asked about first, elsewhere. Called only where they matter. */
	readonly askControl: () => Promise<Wording | null>;
	/** Epoch milliseconds. A late answer counts as not measured. */
	readonly deadline: number;
}

/** The deeper check: looks everything up in parallel and judges it. */
export async function judgeCatchAll(ports: JudgePorts, about: JudgedCase): Promise<Judgement> {
	const { address, lists, route, probe, invented, sourceList, ownOutcome, deadline } = about;
	const heard = probe?.kind === 'heard' ? probe : null;
	const target = heard?.interpretation.target.kind ?? 'unknown';
	const [facts, control] = await Promise.all([
		// Only where the server answered about the mailbox is more looked up. A block or a deferral decides alone.
		target === 'unknown' ? null : ports.examineDomain(address.domain, deadline),
		// Where the wordings differ, only a control shows if the mailbox is the reason, or being asked first.
		target !== 'unknown' && heard?.words.difference === 'uncontrolled' ? about.askControl() : null,
	]);
	return judgeAddress({
		mail: route.kind === 'hosts' ? { ...route, probe: probe ?? { kind: 'dns_error' } } : route,
		invented,
		control,
		lists,
		findings: [
			// The list's facts are about addresses that were not refused, so they do not apply to one that was.
			...nameFindings(address, target === 'rejected' ? null : sourceList),
			...(facts === null ? [] : domainFindings(facts, address.localPart)),
		],
		measured: new Set(['mailbox', ...(facts === null ? [] : measuredOf(facts))] as const),
		registrationEnded: facts !== null && hasEnded(facts),
		ageNotTold: facts?.registration?.kind === 'not_told',
		ownOutcome,
	});
}

/** The judgement of an address whose mail server was not asked, or did not say. */
export function judgeByName(
	address: Address,
	sourceList: SourceListFacts | null,
	why: SubStatusOf<'unknown'>,
): Judgement {
	return judgeUnasked(nameFindings(address, sourceList), why);
}

/** The findings about the name of the address, and those of its source list. */
function nameFindings(
	{ email, localPart, domain }: Address,
	sourceList: SourceListFacts | null,
): readonly Finding[] {
	return [mailboxFinding(localPart, domain), ...(sourceList === null ? [] : listFindings(email, sourceList))];
}
