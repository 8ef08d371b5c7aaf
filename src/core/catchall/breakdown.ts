import { ageInDays } from './domain-facts.ts';
import type { DomainFacts } from './domain-facts.ts';
import { MODEL } from './scorecard.ts';
import type { Scored, SignalGroup } from './scorecard.ts';

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

export const SECTIONS = [
	'domain_triage',
	'domain_age',
	'mailbox',
	'smtp',
	'public_evidence',
	'list',
] as const;
export type SectionName = (typeof SECTIONS)[number];

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

/** The parts of a score: `base` plus the six sections' scores is the score, and so is `base` plus all effects. */
export interface Breakdown extends Readonly<Record<SectionName, Section>> {
	readonly model: string;
	readonly base: number;
	/** Strongest first. Neutral findings are left out. */
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

const SECTION_OF: Readonly<Record<SignalGroup, SectionName>> = {
	route: 'domain_triage',
	auth: 'domain_triage',
	mx: 'domain_triage',
	web: 'domain_triage',
	parking: 'domain_triage',
	lists: 'domain_triage',
	smtp_stack: 'domain_triage',
	age: 'domain_age',
	mailbox: 'mailbox',
	pattern: 'mailbox',
	smtp: 'smtp',
	footprint: 'public_evidence',
	list_quality: 'list',
	history: 'list',
};

/** The breakdown of a score, or of the score that a rule set instead. */
export function makeBreakdown(scored: Scored, coverage: number, override: Override | null): Breakdown {
	const findings = scored.signals.map(({ group, label, effect, text }) => ({
		section: SECTION_OF[group],
		label,
		effect,
		text,
		isRule: false,
	}));
	if (override !== null) {
		findings.push({ ...override, effect: override.score - scored.score, isRule: true });
	}
	const section = (name: SectionName): Section => {
		const inside = findings.filter((finding) => finding.section === name);
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
		// A rule that decided is named even where the signals alone give the same score.
		explanations: findings
			.filter(({ effect, isRule }) => effect !== 0 || isRule)
			.toSorted((a, b) => Math.abs(b.effect) - Math.abs(a.effect))
			.map(({ label, effect, text }) => ({ signal: label, effect, text })),
		coverage,
	};
}
