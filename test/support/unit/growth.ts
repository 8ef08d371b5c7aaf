// How the time of work grows with its text. Times are compared with each other alone, as the process used them and not
// as the clock saw them, so that a busy machine changes nothing.

/** Each eight times as long as the one before: what grows by the square or faster is noticed before it takes minutes. */
const SIZES = [200, 1_600, 12_800, 102_400] as const;
/** Time in proportion makes this 8, time by the square 64. */
const STEEP = 24;
/** How often a time is taken; the second where the first found it steep. */
const FIRST_TIMES = 3;
const SURE_TIMES = 12;
/** Below this a time is too short to be compared: microseconds of processor. */
const MEASURABLE = 20_000;

/** `steep` where a text of up to 100 KB takes the work far more than eight times as long as an eighth of it. */
export function growth(textOf: (size: number) => string, work: (text: string) => unknown): 'even' | 'steep' {
	for (const [index, size] of SIZES.entries()) {
		const shorter = SIZES[index - 1];
		if (shorter === undefined || timeOf(textOf(size), work) < MEASURABLE) continue;
		// The first time counts what is compiled once.
		// Collecting garbage and compiling only ever add to a time: the more often, the nearer is the least to the truth.
		const isSteep = (times: number): boolean => {
			const [ofLong, ofShort] = [size, shorter].map((one) => best(textOf(one), work, times)) as [
				number,
				number,
			];
			return ofLong >= MEASURABLE && ofLong > STEEP * Math.max(ofShort, 1);
		};
		if (isSteep(FIRST_TIMES) && isSteep(SURE_TIMES)) return 'steep';
	}
	return 'even';
}

function best(text: string, work: (text: string) => unknown, times: number): number {
	return Math.min(...Array.from({ length: times }, () => timeOf(text, work)));
}

function timeOf(text: string, work: (text: string) => unknown): number {
	const begun = process.cpuUsage();
	work(text);
	const { user, system } = process.cpuUsage(begun);
	return user + system;
}
