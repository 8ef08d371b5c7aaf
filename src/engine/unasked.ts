import type { Address } from '../core/address/parse-address.ts';
import { judgeUnasked } from '../core/catchall/judge.ts';
import { findMailOperator } from '../core/mail-operators/find-operator.ts';
import { decidedBy } from '../core/verification/render.ts';
import type { ListFacts } from '../core/verification/render.ts';
import type { SubStatus } from '../core/verification/sub-status.ts';
import type { MailRoute } from '../core/dns/find-mail-exchangers.ts';
import type { ExaminePorts, ExamineSettings, Findings, Manner } from './examination.ts';
import { nameSignals } from './judge-catch-all.ts';

/**
 * Whether a mail host of the route belongs to a domain that opted out. Not the host of an operator that we know: its
 * customers did not ask, and its own domain speaks for its own mailboxes only.
 */
export async function leadsToOptedOut(
	{ optOuts }: Pick<ExaminePorts, 'optOuts'>,
	route: MailRoute,
): Promise<boolean> {
	if (optOuts === undefined || route.kind !== 'hosts') return false;
	const own = route.hosts.filter((host) => route.implicit || findMailOperator([host]) === null);
	const covered = await Promise.all(own.map((host) => optOuts.covers(host)));
	return covered.includes(true);
}

/** Why no mail host is asked about an address. */
export type Unasked = Extract<SubStatus, 'opted_out' | 'free_limit' | 'disposable'>;

/** What is said of an address that is not asked about: its name is all that was looked at. */
export function unasked(
	{ thresholds }: Pick<ExamineSettings, 'thresholds'>,
	{ address, lists }: { readonly address: Address; readonly lists: ListFacts },
	why: Unasked,
	{ deep, sourceList }: Pick<Manner, 'deep' | 'sourceList'>,
): Findings {
	const outcome = decidedBy('list', why);
	if (deep !== 'always' || why === 'disposable') return { lists, outcome, invented: null, judgement: null };
	const judgement = judgeUnasked(nameSignals(address, sourceList), why, thresholds);
	const catchAllScore = { score: judgement.score, verdict: judgement.verdict };
	return { lists, outcome: { ...outcome, catchAllScore }, invented: null, judgement };
}
