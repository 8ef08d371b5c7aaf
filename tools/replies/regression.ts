import { CONSTANT } from '../../src/core/smtp/reply-words/read-words.ts';

/** The meaning of a reply, and its features once it is known which words are seen. */
export interface Sample {
	readonly featuresIf: (isSeen: (word: string) => boolean) => ReadonlySet<string>;
	readonly isMissing: boolean;
	readonly group: string;
}

/** Weights by feature. */
export type Weights = ReadonlyMap<string, number>;

interface Settings {
	/** A feature must occur in as many groups. */
	readonly groupsMin: number;
	/** Weight of the squared weights beside the loss. */
	readonly penalty: number;
	readonly rounds: number;
}

const SETTINGS: Settings = { groupsMin: 3, penalty: 0.1, rounds: 400 };

/**
 * Logistic regression with a quadratic penalty by full-batch gradient descent with momentum. It has no chance in it: the
 * same samples in the same order give the same weights on every machine, to the digits that are stored.
 */
export function fit(samples: readonly Sample[], settings: Settings = SETTINGS): Weights {
	const seen = new Set(usedFeatures(samples, () => true, settings.groupsMin));
	const isSeen = (word: string) => seen.has(word);
	const names = usedFeatures(samples, isSeen, settings.groupsMin);
	const constant = names.indexOf(CONSTANT);
	const place = new Map(names.map((name, index) => [name, index]));
	const rows = samples.map(({ featuresIf, isMissing }) => ({
		on: [...featuresIf(isSeen)].flatMap((feature) => place.get(feature) ?? []),
		target: isMissing ? 1 : 0,
	}));
	const weights = new Float64Array(names.length);
	const velocity = new Float64Array(names.length);
	const step = 4 / rows.length;
	for (let round = 0; round < settings.rounds; round += 1) {
		const slope = new Float64Array(names.length);
		for (const { on, target } of rows) {
			let sum = 0;
			for (const index of on) sum += weights[index] ?? 0;
			const error = 1 / (1 + Math.exp(-sum)) - target;
			for (const index of on) slope[index] = (slope[index] ?? 0) + error;
		}
		for (let index = 0; index < weights.length; index += 1) {
			// The constant is not penalised.
			const pull = index === constant ? 0 : settings.penalty * (weights[index] ?? 0);
			velocity[index] = 0.8 * (velocity[index] ?? 0) - step * ((slope[index] ?? 0) + pull) * 0.25;
			weights[index] = (weights[index] ?? 0) + (velocity[index] ?? 0);
		}
	}
	return new Map(
		names
			.map((name, index) => [name, rounded(weights[index] ?? 0)] as const)
			.filter(([name, weight]) => weight !== 0 || !/[ ~]/.test(name)),
	);
}

/** As stored: to a tenth. */
function rounded(weight: number): number {
	return Math.round(weight * 10) / 10;
}

function usedFeatures(
	samples: readonly Sample[],
	isSeen: (word: string) => boolean,
	groupsMin: number,
): string[] {
	const groups = new Map<string, Set<string>>();
	for (const { featuresIf, group } of samples) {
		for (const feature of featuresIf(isSeen))
			groups.set(feature, (groups.get(feature) ?? new Set()).add(group));
	}
	return [...groups]
		.filter(([, of]) => of.size >= groupsMin)
		.map(([feature]) => feature)
		.toSorted();
}
