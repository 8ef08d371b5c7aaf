import { parseArgs } from 'node:util';

/** What `npm run soak` was told. */
export interface SoakArguments {
	readonly minutes: number;
	readonly seed: number;
	/** Requests a second. */
	readonly rate: number;
	/** Seconds between two kills; 0: none. */
	readonly killEvery: number;
}

/** Reads the arguments; throws when one is not a number. */
export function readSoakArguments(argv: readonly string[], now: number): SoakArguments {
	const { values } = parseArgs({
		args: [...argv],
		options: {
			minutes: { type: 'string', default: '30' },
			seed: { type: 'string', default: String(now % 1_000_000) },
			rate: { type: 'string', default: '20' },
			'kill-every': { type: 'string', default: '180' },
		},
	});
	const number = (name: keyof typeof values, least: number, most: number): number => {
		const value = Number(values[name]);
		if (!(value >= least && value <= most)) throw new Error(`--${name} is a number from ${least} to ${most}`);
		return value;
	};
	return {
		minutes: number('minutes', 0.1, 24 * 60),
		seed: number('seed', 0, 2 ** 32 - 1),
		rate: number('rate', 0.1, 200),
		killEvery: number('kill-every', 0, 86_400),
	};
}
