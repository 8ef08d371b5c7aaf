import { subStatusOfCatchAll } from '../verification/decide.ts';
import { BANDS, VALID_FROM } from '../verification/bands.ts';
import type { SubStatusOf } from '../verification/sub-status.ts';
import { COVERAGE_MIN, coverageOf, judgement, sumOf, verdictOf } from './breakdown.ts';
import type { Judgement, RuleLine } from './breakdown.ts';
import type { InventedReading } from '../verification/finding.ts';
import type { CatchAllEvidence } from './evidence.ts';
import { routeFindings } from './route.ts';
import { because, findRuling, TOO_LITTLE } from './rulings.ts';
import { EVIDENCE_MOST } from './table.ts';
import type { Finding, Meaning } from './table.ts';

export type { Judgement };

/** Rules first, then the sum of the findings, held inside the band of what they prove. */
export function judgeAddress(evidence: CatchAllEvidence): Judgement {
	const { heard, measured, ageNotTold } = evidence;
	const findings = [...routeFindings(evidence), ...evidence.findings];
	const invented = heard?.kind === 'heard' ? heard.readings : null;
	const coverage = coverageOf(invented === null ? [...measured] : [...measured, 'mx_route']);
	const known = { coverage, isCatchAll: readCatchAll(invented ?? []) };
	const ruling = findRuling(evidence) ?? (coverage < COVERAGE_MIN ? TOO_LITTLE : null);
	if (ruling !== null) return judgement(findings, { ...known, ...ruling, rule: ruling });
	const held = hold(sumOf(findings), prove(findings, ageNotTold));
	const subStatus = subStatusOfCatchAll(verdictOf(held.score));
	return judgement(findings, { ...known, ...held, subStatus });
}

/**
 * The judgement of an address that we asked no mail server about: what its name and its list say, and the reason why
 * there is no other evidence.
 */
export function judgeUnasked(findings: readonly Finding[], why: SubStatusOf<'unknown'>): Judgement {
	const rule = because(why);
	return judgement(findings, { ...rule, coverage: coverageOf(['mailbox']), isCatchAll: null, rule });
}

/** The most that the findings prove: the scores that they may reach, and why not more or less. */
interface Proof {
	readonly least: number;
	readonly most: number;
	readonly notLess: string;
	readonly notMore: string;
}

const WITNESS: Proof = {
	...BANDS.undeliverable,
	notLess: 'no score is lower',
	notMore: 'what speaks against this mailbox outweighs the rest',
};
const SIGN: Proof = {
	least: VALID_FROM,
	most: EVIDENCE_MOST,
	notLess: 'what speaks for this very mailbox outweighs the rest',
	notMore: 'only a server that confirms the mailbox gives more',
};
const NO_SIGN: Proof = {
	...BANDS.unknown,
	notLess: 'no witness against it',
	notMore: 'no sign of this mailbox',
};
const BAD_DOMAIN: Proof = { ...NO_SIGN, notMore: 'the domain may be gone tomorrow, or is not the one meant' };
const AGE_NOT_TOLD: Proof = {
	...NO_SIGN,
	notMore:
		'the registry did not say in time how old the domain is, and a new one can look as good. Ask again later',
};

/**
 * The proof that the findings amount to. The look of a name alone proves nothing: there are people whose names look
 * invented. So a verdict takes a witness about the mailbox, a dead domain, or a name where acceptance means something.
 */
function prove(findings: readonly Finding[], ageNotTold: boolean): Proof {
	const has = (meaning: Meaning): boolean => findings.some((found) => found.meaning === meaning);
	const isBad = has('bad_domain');
	if (!has('mailbox') && (has('dead_domain') || has('loser') || (has('junk_name') && isBad))) return WITNESS;
	const isNamed = has('name') && !has('differs');
	if (!has('mailbox') && !(isNamed && (has('open_route') || has('fits')))) return NO_SIGN;
	if (isBad || has('dead_domain')) return BAD_DOMAIN;
	// A domain of a few days looks as well kept as an old one, so `valid` needs the age where a registry has it.
	return ageNotTold ? AGE_NOT_TOLD : SIGN;
}

/** The sum inside the proof's limits, with the line that says so where it is not the sum. */
function hold(
	sum: number,
	{ least, most, notLess, notMore }: Proof,
): { score: number; rule: RuleLine | null } {
	const score = Math.min(most, Math.max(least, sum));
	if (score === sum) return { score, rule: null };
	const text = `Held at ${score}: ${sum < score ? notLess : notMore}.`;
	return { score, rule: { section: 'smtp', label: `held:${score}`, text } };
}

function readCatchAll(invented: readonly InventedReading[]): boolean | null {
	if (invented.includes('accepted')) return true;
	return invented.length > 0 && invented.every((reading) => reading === 'no_such_mailbox') ? false : null;
}
