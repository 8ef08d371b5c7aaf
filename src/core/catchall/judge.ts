import { judgement, sumOf } from './breakdown.ts';
import type { Judgement, RuleLine } from './breakdown.ts';
import { ageInDays, domainFindings, hasEnded } from './domain.ts';
import type { DomainFacts } from './domain.ts';
import { NOT_TOLD } from './domain/rdap.ts';
import { differenceOf } from './reply-difference.ts';
import type { Wording } from './reply-difference.ts';
import { EVIDENCE_MOST, NOTHING_HEARD, finding } from './table.ts';
import type { Finding, Meaning } from './table.ts';
import { assert } from '../../lib/assert.ts';
import type { MailOperator } from '../mail-operators/operators.ts';
import { displayNameOf } from '../mail-operators/operators.ts';
import { decides, isDoubtfulDomain, OWN_OUTCOMES } from '../outcomes/outcome.ts';
import type { OutcomeKind } from '../outcomes/outcome.ts';
import { decideUnknown, subStatusOfCatchAll } from '../verification/decide.ts';
import type { Heard, InventedReading } from '../verification/finding.ts';
import type { ListFacts } from '../verification/render.ts';
import { BANDS, INVALID_UP_TO, isUnknown, SUB_STATUSES, VALID_FROM } from '../verification/sub-status.ts';
import type { SubStatus, SubStatusOf } from '../verification/sub-status.ts';

/** All evidence about an address whose domain accepts invented recipients, or did when it was last asked. */
export interface CatchAllEvidence {
	readonly localPart: string;
	/** The answer of a mail host about the address; null: none gave any. */
	readonly heard: Heard | null;
	/** The sub_status by that answer alone (`decide`), or by its absence; null: it leaves the address open. */
	readonly decided: SubStatus | null;
	/** The operator of the host that answered; null: unknown, or none answered. */
	readonly operator: MailOperator | null;
	/**
	 * The words for an invented recipient that we asked about first, in another conversation with the same host. They
	 * show whether being first changes the wording. Null: not asked, or not accepted.
	 */
	readonly control: Wording | null;
	readonly lists: Pick<ListFacts, 'disposable' | 'suggestedDomain'>;
	/** The findings about the name and its list: they take a dictionary, which no start of the API should read. */
	readonly findings: readonly Finding[];
	/** Null: nothing was looked up, because the conversation decides. */
	readonly facts: DomainFacts | null;
	/** The outcome of the account's own message to the address; null: none is kept. */
	readonly ownOutcome: OutcomeKind | null;
}

/** Rules first, then the sum of the findings, held inside the band of what they prove. */
export function judgeAddress(evidence: CatchAllEvidence): Judgement {
	const { localPart, heard, facts } = evidence;
	const ofDomain = facts === null ? [] : domainFindings(facts, localPart);
	const findings = [...routeFindings(evidence), ...evidence.findings, ...ofDomain];
	const coverage = coverageOf(facts, heard !== null);
	const known = { coverage, isCatchAll: readCatchAll(heard?.readings ?? []) };
	const ruling = findRuling(evidence, findings) ?? (coverage < COVERAGE_MIN ? TOO_LITTLE : null);
	if (ruling !== null) return judgement(findings, { ...known, ...ruling, rule: ruling });
	const held = hold(sumOf(findings), prove(findings, facts?.registration === NOT_TOLD));
	const subStatus = subStatusOfCatchAll(held.score);
	return judgement(findings, { ...known, ...held, subStatus });
}

/** Below this share of the evidence the verdict is `unknown`. */
const COVERAGE_MIN = 0.6;

/** The share of the evidence that could be measured, 0-1. An item counts whatever its result. */
function coverageOf(facts: DomainFacts | null, hasRoute: boolean): number {
	let percent = 10; // The name of the mailbox.
	// The mail route: any mail host answered, even of an unknown operator.
	if (hasRoute) percent += 25;
	if (facts === null) return percent / 100;
	if (facts.spf !== null && facts.dmarc !== null) percent += 25;
	if (facts.website !== null) percent += 20;
	if (facts.parking !== null) percent += 10;
	if (ageInDays(facts) !== null) percent += 10;
	return percent / 100;
}

function readCatchAll(invented: readonly InventedReading[]): boolean | null {
	if (invented.includes('accepted')) return true;
	return invented.length > 0 && invented.every((reading) => reading === 'no_such_mailbox') ? false : null;
}

/** What findings prove: the least and the most score that it allows, and why not less, and not more. */
type Proof = readonly [least: number, most: number, notLess: string, notMore: string];

const IN_DOUBT = [BANDS.unknown.least, BANDS.unknown.most, 'no witness against it'] as const;
const PROOFS = {
	witness: [0, INVALID_UP_TO, 'no score is lower', 'what speaks against this mailbox outweighs the rest'],
	sign: [
		VALID_FROM,
		EVIDENCE_MOST,
		'what speaks for this very mailbox outweighs the rest',
		'only a server that confirms the mailbox gives more',
	],
	no_sign: [...IN_DOUBT, 'no sign of this mailbox'],
	bad_domain: [...IN_DOUBT, 'the domain may be gone tomorrow, or is not the one meant'],
	age_not_told: [
		...IN_DOUBT,
		'the registry did not say in time how old the domain is, and a new one can look as good. Ask again later',
	],
} as const satisfies Readonly<Record<string, Proof>>;

/**
 * The proof that the findings amount to. The look of a name alone proves nothing: there are people whose names look
 * invented. So a verdict takes a witness about the mailbox, a dead domain, or a name where acceptance means something.
 */
function prove(findings: readonly Finding[], ageNotTold: boolean): keyof typeof PROOFS {
	const has = (meaning: Meaning): boolean => findings.some((found) => found.meaning === meaning);
	const isBad = has('bad_domain');
	if (!has('mailbox') && (has('dead_domain') || has('loser') || (has('junk_name') && isBad)))
		return 'witness';
	const isNamed = has('name') && !has('differs');
	if (!has('mailbox') && !(isNamed && (has('open_route') || has('fits')))) return 'no_sign';
	if (isBad || has('dead_domain')) return 'bad_domain';
	// A domain of a few days looks as well kept as an old one, so `valid` needs the age where a registry has it.
	return ageNotTold ? 'age_not_told' : 'sign';
}

/** The sum inside the limits of what is proven, with the line that says so where it is not the sum. */
function hold(sum: number, proof: keyof typeof PROOFS): { score: number; rule: RuleLine | null } {
	const [least, most, notLess, notMore] = PROOFS[proof];
	const score = Math.min(most, Math.max(least, sum));
	if (score === sum) return { score, rule: null };
	const text = `Held at ${score}: ${sum < score ? notLess : notMore}.`;
	return { score, rule: { section: 'smtp', label: `held:${score}`, text } };
}

/** The decision of a rule that outweighs the findings. The verdict follows from the score. */
interface Ruling extends RuleLine {
	readonly score: number;
	readonly subStatus: SubStatus;
}

const gate = (name: string, score: number, subStatus: SubStatus, text: string): Ruling => {
	return { section: 'smtp', label: `gate:${name}`, score, subStatus, text };
};
const unresolved = (name: string, text: string): Ruling => {
	const subStatus = 'catch_all_unresolved';
	return { section: 'smtp', label: `unknown:${name}`, score: NOTHING_HEARD, subStatus, text };
};

/** The ruling for a doubt that has its own sub_status; the result shows that sub_status's reason. */
function because(subStatus: SubStatusOf<'unknown'>): Ruling {
	return { ...unresolved(subStatus, `${SUB_STATUSES[subStatus].reason}.`), subStatus };
}

const NO_MAIL: Readonly<Partial<Record<SubStatus, readonly [name: string, text: string]>>> = {
	invalid_domain: ['no_domain', 'The domain does not exist any more.'],
	does_not_accept_mail: ['null_mx', 'The domain says that it accepts no mail.'],
	no_mx_records: ['no_mx', 'The domain has no mail server.'],
	unroutable_mx: ['no_mx', 'None of its mail servers has a public address.'],
};

/** Too little of the evidence could be measured. */
const TOO_LITTLE = unresolved('coverage', 'Too little of the evidence could be looked at for a claim.');

/** The ruling of the first rule that applies, or null: the findings decide. The order of the rules matters. */
function findRuling(evidence: CatchAllEvidence, findings: readonly Finding[]): Ruling | null {
	const { heard, decided, facts } = evidence;
	if (heard === null) {
		assert(decided !== null, 'no answer has a reason');
		if (isUnknown(decided)) return findOwn(evidence) ?? because(decided);
		const noMail = NO_MAIL[decided];
		assert(noMail !== undefined, 'a domain that is not asked takes no mail');
		return gate(noMail[0], 0, decided, noMail[1]);
	}
	if (facts !== null && hasEnded(facts))
		return gate('domain_expired', 0, 'catch_all_invalid', 'The registry is deleting the domain.');
	return findRefusal(heard) ?? findOwn(evidence) ?? decideHeard(evidence, findings, heard);
}

const REFUSED_ALONE = 'The server refuses this address and accepts invented ones.';
const REFUSED = 'The server says that this mailbox does not exist or is disabled.';

/**
 * The server refused this very recipient. One accepted invented recipient is enough to show that it accepts others;
 * where all invented ones were refused, this is an ordinary unknown user. Where the invented ones met a block or a
 * limit, the address may have met it, too.
 */
function findRefusal({ interpretation: { target }, readings: invented }: Heard): Ruling | null {
	if (target.kind !== 'rejected') return null;
	if (invented.includes('accepted')) return gate('recipient_rejected', 2, 'catch_all_invalid', REFUSED_ALONE);
	if (invented.includes('blocked') || invented.includes('rate_limited')) return null;
	return gate('recipient_rejected', 2, target.why, REFUSED);
}

/**
 * The outcome of the account's own message. It outweighs a server's acceptance, because it happened later, but not
 * evidence that no mail can arrive now.
 */
function findOwn({ ownOutcome, lists }: CatchAllEvidence): Ruling | null {
	if (ownOutcome === null || !decides(ownOutcome, lists)) return null;
	const { text, gate: rule } = OWN_OUTCOMES[ownOutcome];
	return { section: 'list', text: `${text}.`, ...rule };
}

const NO_CATCH_ALL = 'The server accepts this address and refuses invented ones: it is no catch-all.';
const FULL_FOR_GOOD = 'The server refuses mail for this mailbox for good, because it is full.';

function decideHeard(
	{ decided, lists, operator }: CatchAllEvidence,
	findings: readonly Finding[],
	{ interpretation: { target, replyCode }, readings: invented, viaBackup }: Heard,
): Ruling | null {
	if (target.kind === 'full') {
		// A permanent "mailbox full" (5xx): mail bounces. A temporary one (4xx) is only a doubt.
		return replyCode?.startsWith('5') === true
			? gate('mailbox_full', 3, 'catch_all_invalid', FULL_FOR_GOOD)
			: unresolved('mailbox_full', 'The mailbox is full at the moment.');
	}
	if (target.kind === 'accepted' && provesNoCatchAll(invented) && !isDoubtfulDomain(lists))
		return gate('not_catch_all', 97, 'accepted_email', NO_CATCH_ALL);
	// A backup accepts what its primary may refuse later.
	if (viaBackup && target.kind === 'accepted' && !target.certainly) return because('no_connect');
	const takesAll = decided === 'accepts_everything';
	if (decided !== null && isUnknown(decided) && !takesAll) return because(decided);
	const doubt = doubtOfInvented(invented, operator);
	if (doubt !== null) return doubt;
	// Where a host says yes to everybody, the domain's own word counts.
	if (takesAll && !findings.some(({ section }) => section === 'public_evidence')) return because(decided);
	// Operators that are known to accept everything are not asked about invented recipients.
	const isBlind = operator?.routeClass === 'blind';
	const isOpen = isBlind || (operator?.ownDomainsOnly === true && invented.includes('accepted'));
	return isOpen || provesCatchAll(invented) ? null : UNCONFIRMED;
}

/** At least two invented recipients were asked, and all of them were refused as unknown mailboxes. */
function provesNoCatchAll(invented: readonly InventedReading[]): boolean {
	return invented.length >= 2 && readCatchAll(invented) === false;
}

/** What a reply to an invented recipient makes of the others' acceptance, the worst first. */
const DOUBTS = [
	['blocked', 'probe_blocked'],
	// This includes servers that defer only invented recipients at first contact (Mimecast). To tell a directory from
	// a greylist would take several equal rounds over many minutes, and this is one conversation.
	['greylisted', 'greylisted'],
	['temporary', 'unavailable_smtp'],
	['rate_limited', 'rate_limited'],
	['policy', 'antispam_system'],
	['undetermined', 'antispam_system'],
] as const;
const IMPOSTOR = "The domain is disposable or one slip away from a large provider's.";
const UNCONFIRMED = unresolved(
	'unconfirmed',
	'It takes two accepted invented recipients, and none that is not, to call a domain catch-all.',
);

function doubtOfInvented(invented: readonly InventedReading[], operator: MailOperator | null): Ruling | null {
	const [, why] = DOUBTS.find(([reading]) => invented.includes(reading)) ?? [];
	// A server that accepted one of them accepts all sooner or later: the doubt is about the address, not the moment.
	const isPutOff = (why === 'greylisted' || why === 'unavailable_smtp') && invented.includes('accepted');
	if (why !== undefined && !isPutOff) return because(decideUnknown(why, operator));
	if (provesNoCatchAll(invented)) return unresolved('doubtful_domain', IMPOSTOR);
	// If only one was asked and it was refused, this contradicts the answer that made the domain a catch-all.
	return isPutOff || invented.includes('no_such_mailbox') ? UNCONFIRMED : null;
}

/** True when at least two invented recipients were asked, and all of them were accepted. */
function provesCatchAll(invented: readonly InventedReading[]): boolean {
	return invented.length >= 2 && invented.every((reading) => reading === 'accepted');
}

/** The findings about the mail route, the server's answers and the domain on our lists. */
function routeFindings({ heard, operator, control, lists }: CatchAllEvidence): readonly Finding[] {
	const { disposable, suggestedDomain: meant } = lists;
	const isShown = heard !== null && provesCatchAll(heard.readings);
	const found = heard === null ? [] : [routeFinding(operator, isShown)];
	if (disposable) found.push(finding('disposable:yes'));
	if (meant !== null) found.push(finding('typo', meant, `typo:${meant}`));
	if (!isShown) return found;
	found.push(finding('randoms:accepted'));
	const { target } = heard.interpretation;
	const isBusy = target.kind === 'accepted' && target.certainly;
	const compared = isBusy ? 'busy' : differenceOf(heard.words, control);
	if (compared !== 'uncontrolled' && compared !== null) found.push(finding(`reply:${compared}`));
	return found;
}

function routeFinding(operator: MailOperator | null, acceptsInvented: boolean): Finding {
	const name = operator?.gateway ?? operator?.smtpProvider ?? null;
	const subject =
		name === null ? "The domain's own or an unknown mail server" : `The mail server (${displayNameOf(name)})`;
	// The classes are about the acceptance of invented recipients only.
	const routeClass = acceptsInvented ? operator?.routeClass : null;
	return finding(`route:${routeClass ?? 'unknown'}`, subject, `provider:${name ?? 'unknown'}`);
}
