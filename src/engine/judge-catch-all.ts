import type { Address } from '../core/address/parse-address.ts';
import { judgeAddress, judgeUnasked } from '../core/catchall/judge.ts';
import type { Judgement } from '../core/catchall/breakdown.ts';
import type { CatchAllEvidence } from '../core/catchall/judge.ts';
import { listFindings } from '../core/catchall/list/list-facts.ts';
import type { ListFacts as SourceListFacts } from '../core/catchall/list/list-facts.ts';
import { mailboxFinding } from '../core/catchall/mailbox/mailbox.ts';
import { differenceOf } from '../core/catchall/reply-difference.ts';
import type { Wording } from '../core/catchall/reply-difference.ts';
import type { Finding } from '../core/catchall/table.ts';
import type { SubStatusOf } from '../core/verification/sub-status.ts';
import type { Case } from './case.ts';
import { lookUpHosts } from './look-up-mail.ts';
import { questionOf } from './probe.ts';

/** The deeper check: looks everything up in parallel and judges it. */
export async function judgeCatchAll(
	about: Case,
	of: Pick<CatchAllEvidence, 'heard' | 'lists' | 'ownOutcome'> & { readonly address: Address },
): Promise<Judgement> {
	const { route, how, deadline } = about;
	const { address, ...known } = of;
	const { heard } = of;
	const { target = null } = heard?.kind === 'heard' ? heard.interpretation : {};
	// Only where the server answered about the mailbox is more looked up. A block or a deferral decides alone.
	const isAnswer = target !== null && target.kind !== 'unknown';
	// The wordings differ, so that only a control shows if the mailbox is the reason, or being asked first.
	const needsControl = heard?.kind === 'heard' && differenceOf(heard.words, null) === 'uncontrolled';
	const [facts, control] = await Promise.all([
		isAnswer ? about.domainFacts(deadline) : null,
		isAnswer && needsControl ? about.control(() => askControl(about)) : null,
	]);
	// The list's facts are about addresses that were not refused, so they do not apply to one that was.
	const sourceList = target?.kind === 'rejected' ? null : (how.sourceList ?? null);
	return judgeAddress({
		...known,
		localPart: address.localPart,
		route,
		control,
		findings: nameFindings(address, sourceList),
		facts,
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

/** The words for an invented recipient that is asked about first, in a conversation of its own. */
async function askControl(about: Case): Promise<Wording | null> {
	const { ports, domain, route, how } = about;
	if (route.kind !== 'hosts') return null;
	const question = questionOf(about, await lookUpHosts(ports, route.hosts), {
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
