import type { Address } from '../core/address/parse-address.ts';
import { judgeAddress } from '../core/catchall/judge.ts';
import type { Judgement } from '../core/catchall/breakdown.ts';
import type { CatchAllEvidence } from '../core/catchall/judge.ts';
import { listFindings } from '../core/catchall/list/list-facts.ts';
import type { SourceListFacts } from '../core/catchall/list/list-facts.ts';
import { mailboxFinding } from '../core/catchall/mailbox/mailbox.ts';
import { differenceOf } from '../core/catchall/reply-difference.ts';
import type { Wording } from '../core/catchall/reply-difference.ts';
import type { SubStatusOf } from '../core/verification/sub-status.ts';
import type { AskedAddress, Case } from './case.ts';
import { questionOf } from './probe.ts';

/** The deeper check: looks everything up in parallel and judges it. */
export async function judgeCatchAll(
	of: AskedAddress,
	known: Pick<CatchAllEvidence, 'decided' | 'lists' | 'operator' | 'ownOutcome'>,
): Promise<Judgement> {
	const { address, deadline, how } = of;
	const heard = of.heard?.kind === 'heard' ? of.heard : null;
	const { target = null } = heard?.interpretation ?? {};
	// Only where the server answered about the mailbox is more looked up. A block or a deferral decides alone.
	const isAnswer = target !== null && target.kind !== 'unknown';
	// The wordings differ, so that only a control shows if the mailbox is the reason, or being asked first.
	const needsControl = heard !== null && differenceOf(heard.words, null) === 'uncontrolled';
	const [facts, control] = await Promise.all([
		isAnswer ? of.domainFacts(deadline) : null,
		isAnswer && needsControl ? of.control(() => askControl(of)) : null,
	]);
	// The list's facts are about addresses that were not refused, so they do not apply to one that was.
	const sourceList = target?.kind === 'rejected' ? null : (how.sourceList ?? null);
	const findings = nameFindings(address, sourceList);
	const { localPart } = address;
	const judgement = judgeAddress({ ...known, heard, localPart, control, findings, facts });
	how.trail?.score(judgement.score);
	return judgement;
}

const UNHEARD = {
	heard: null,
	operator: null,
	control: null,
	lists: { disposable: false, suggestedDomain: null },
	facts: null,
	ownOutcome: null,
};

/** The judgement of an address by its name and its list alone: its mail server was not asked, or is not believed. */
export function judgeByName(
	address: Address,
	sourceList: SourceListFacts | null,
	decided: SubStatusOf<'unknown'>,
): Judgement {
	const findings = nameFindings(address, sourceList);
	return judgeAddress({ ...UNHEARD, localPart: address.localPart, decided, findings });
}

function nameFindings(
	{ email, localPart }: Address,
	sourceList: SourceListFacts | null,
): CatchAllEvidence['findings'] {
	return [mailboxFinding(localPart), ...(sourceList === null ? [] : listFindings(email, sourceList))];
}

/** The words for an invented recipient that is asked about first, in a conversation of its own. */
async function askControl(about: Case): Promise<Wording | null> {
	const { ports, domain, how } = about;
	const question = questionOf(about, {
		targets: [`${ports.randomness.word(16)}@${domain}`],
		needsSmtputf8: false,
		invented: null,
		deep: 'never',
		// The server's wording may differ for the first recipient of a connection.
		fresh: true,
		class: how.class === 'single' ? 'small' : how.class,
	});
	const { answers, ...work } = await ports.prober.ask(question);
	how.trail?.asked(work);
	const [answer] = answers;
	return answer?.kind === 'heard' ? answer.words.target : null;
}
