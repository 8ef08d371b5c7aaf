import { ageInDays } from './domain-facts.ts';
import type { DomainFacts } from './domain-facts.ts';
import { MODEL, SECTION_OF, SECTIONS } from './scorecard.ts';
import type { Scored, SectionName } from './scorecard.ts';

/**
 * The items of evidence, and the share of the whole that each is worth. An item counts when it was measured, whatever
 * the result. `mx_route` counts when any mail host answered, even of an unknown operator. That is the scorecard's
 * reference class, worth 0 points, and not a failure to measure.
 */
export const COVERAGE_WEIGHTS = {
	mx_route: 0.25,
	auth: 0.15,
	web: 0.15,
	parking: 0.15,
	age: 0.1,
	smtp_stack: 0.05,
	mailbox: 0.15,
};
export type CoverageItem = keyof typeof COVERAGE_WEIGHTS;

/** Below this share of the evidence the verdict is `unknown`. */
export const COVERAGE_MIN = 0.6;

/** The share of the evidence that could be measured, 0-1, rounded to hundredths. */
export function coverageOf(measured: ReadonlySet<CoverageItem>): number {
	const sum = [...measured].reduce((all, item) => all + COVERAGE_WEIGHTS[item], 0);
	// In binary, 0.25 + 0.15 + 0.15 + 0.05 is slightly more than 0.6, and slightly less in another order.
	return Math.round(sum * 100) / 100;
}

/** The items of evidence that could be measured for a domain. */
export function measuredOf(facts: DomainFacts): ReadonlySet<CoverageItem> {
	const { dns, website } = facts;
	const measured = new Set<CoverageItem>();
	if (dns.spf !== null && dns.dmarc !== null) measured.add('auth');
	if (website !== null) measured.add('web');
	if (dns.parking !== null) measured.add('parking');
	if (ageInDays(facts) !== null) measured.add('age');
	return measured;
}

export interface Section {
	/** By how much the section moves the score, a whole number. */
	readonly score: number;
	/** Labels of all findings, including neutral ones. */
	readonly signals: readonly string[];
}

interface Explanation {
	readonly signal: string;
	readonly effect: number;
	readonly text: string;
}

/**
 * The parts of a score: `base` plus the six sections' scores is the score, and so is `base` plus all effects. A finding has
 * the same effect in every score; where a section moves the score by another number, `limit:` has the difference.
 */
export interface Breakdown extends Readonly<Record<SectionName, Section>> {
	readonly model: string;
	readonly base: number;
	/** The findings, strongest first, then the limits. Neutral findings are left out. */
	readonly explanations: readonly Explanation[];
	/** Share of the evidence that could be measured, 0-1. */
	readonly coverage: number;
}

/** A rule that sets the score whatever the signals say. */
export interface Override {
	/** The section that takes the difference between the signals' score and the rule's. */
	readonly section: 'smtp' | 'list';
	readonly label: string;
	readonly text: string;
	readonly score: number;
}

/** The breakdown of a score, or of the score that a rule set instead. */
export function makeBreakdown(scored: Scored, coverage: number, override: Override | null): Breakdown {
	const findings: Finding[] = scored.signals.map((signal) => ({
		...signal,
		section: SECTION_OF[signal.group],
		isRule: false,
	}));
	const limits = SECTIONS.map((section) => limitOf(section, findings, scored.moves[section])).filter(
		(limit) => limit !== null,
	);
	if (override !== null) {
		findings.push({ ...override, effect: override.score - scored.score, isRule: true });
	}
	const section = (name: SectionName): Section => {
		const inside = [...findings, ...limits].filter((finding) => finding.section === name);
		return {
			score: inside.reduce((sum, { effect }) => sum + effect, 0),
			signals: inside.map(({ label }) => label),
		};
	};
	return {
		model: MODEL,
		base: scored.base,
		domain_triage: section('domain_triage'),
		domain_age: section('domain_age'),
		mailbox: section('mailbox'),
		smtp: section('smtp'),
		public_evidence: section('public_evidence'),
		list: section('list'),
		explanations: [
			// A rule that decided is named even where the signals alone give the same score.
			...findings
				.filter(({ effect, isRule }) => effect !== 0 || isRule)
				.toSorted((a, b) => Math.abs(b.effect) - Math.abs(a.effect)),
			...limits,
		].map(({ label, effect, text }) => ({ signal: label, effect, text })),
		coverage,
	};
}

interface Finding {
	readonly section: SectionName;
	readonly label: string;
	readonly effect: number;
	readonly text: string;
	readonly isRule: boolean;
}

/** The label of the step that limits a section. */
export function limitLabel(section: SectionName): string {
	return `limit:${section}`;
}

/** The difference between what the findings of a section add up to and its move, or null where there is none. */
function limitOf(section: SectionName, findings: readonly Finding[], move: number): Finding | null {
	const sum = findings
		.filter((finding) => finding.section === section)
		.reduce((all, { effect }) => all + effect, 0);
	if (sum === move) return null;
	const points = move > 0 ? `+${move}` : move < 0 ? `−${-move}` : '0';
	const text =
		Math.abs(move) < Math.abs(sum)
			? `Limited to ${points} here: findings have a cap, and count less near 0 and 100.`
			: `Counts as ${points} here: findings count more in the middle of the scale.`;
	return { section, label: limitLabel(section), effect: move - sum, text, isRule: false };
}
