import type { SubStatus } from '../verification/sub-status.ts';
import { BASE, MODEL, SECTIONS } from './table.ts';
import type { Finding, SectionName } from './table.ts';

/** `score`: by how much the section moves the score, a whole number. `signals`: the labels of all its findings, neutral ones too. */
type Section = { readonly score: number; readonly signals: readonly string[] };

/** The parts of a score: `base` plus the six sections' scores is the score, and so is `base` plus all effects. */
export interface Breakdown extends Readonly<Record<SectionName, Section>> {
	readonly model: string;
	readonly base: number;
	/** The findings, strongest first, then the rule that set or held the score. Neutral findings are left out. */
	readonly explanations: readonly {
		readonly signal: string;
		readonly effect: number;
		readonly text: string;
	}[];
	/** Share of the evidence that could be measured, 0-1. */
	readonly coverage: number;
}

/** The line of a rule that sets or holds the score. Its section takes the difference to the sum of the findings. */
export type RuleLine = Pick<Finding, 'section' | 'label' | 'text'>;

/** The judgement of an address on a catch-all domain. */
export interface Judgement {
	/** 0-100, whole; the verdict follows from it. */
	readonly score: number;
	/** Its status corresponds to the verdict: deliverable, undeliverable or unknown. */
	readonly subStatus: SubStatus;
	/** True: the domain accepts invented recipients; false: it refuses them; null: not known. */
	readonly isCatchAll: boolean | null;
	/** The label of the rule that set or held the score; null: it is the sum of the findings. */
	readonly rule: string | null;
	readonly breakdown: Breakdown;
}

/** The sum of the findings, from the base. */
export function sumOf(findings: readonly Finding[]): number {
	return findings.reduce((sum, { points }) => sum + points, BASE);
}

interface Conclusion extends Pick<Judgement, 'score' | 'subStatus' | 'isCatchAll'> {
	readonly coverage: number;
	/** Null: the score is the sum of the findings. */
	readonly rule: RuleLine | null;
}

/** The judgement with this score: its breakdown has the findings, and a line for what a rule added to their sum. */
export function judgement(findings: readonly Finding[], conclusion: Conclusion): Judgement {
	const { score, subStatus, isCatchAll, coverage, rule } = conclusion;
	const moved = rule === null ? [] : [{ ...rule, points: score - sumOf(findings) }];
	const section = (name: SectionName): readonly [SectionName, Section] => {
		const inside = [...findings, ...moved].filter((line) => line.section === name);
		const sum = inside.reduce((all, { points }) => all + points, 0);
		return [name, { score: sum, signals: inside.map(({ label }) => label) }];
	};
	const strongest = findings
		.filter(({ points }) => points !== 0)
		.toSorted((a, b) => Math.abs(b.points) - Math.abs(a.points));
	const breakdown = {
		model: MODEL,
		base: BASE,
		...(Object.fromEntries(SECTIONS.map(section)) as Record<SectionName, Section>),
		// A rule that decided is named even where the findings alone give the same score.
		explanations: [...strongest, ...moved].map(({ label, points, text }) => ({
			signal: label,
			effect: points,
			text,
		})),
		coverage,
	};
	return { score, subStatus, isCatchAll, rule: rule?.label ?? null, breakdown };
}

const OF_THE_LIST = /^(?:domain_pattern|permutation_set):/;

/** By how many points the other addresses of its list changed the score of an address. */
export function listEffectOf({ explanations }: Pick<Breakdown, 'explanations'>): number {
	return explanations.reduce((sum, { signal, effect }) => (OF_THE_LIST.test(signal) ? sum + effect : sum), 0);
}
