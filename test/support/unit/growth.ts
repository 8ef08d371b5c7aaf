// How the time of work grows with its text. Times are compared with each other alone, as the process used them and not
// as the clock saw them, so that a busy machine changes nothing.

const LONG = 100_000;
const SHORT = LONG / 8;
/** Time in proportion makes this 8, time by the square 64. */
const STEEP = 24;
/** Below this the time of 100 KB is too short to be compared: microseconds of processor. */
const MEASURABLE = 20_000;

/** `steep` where 100 KB take the work far more than eight times as long as an eighth of them. */
export function growth(textOf: (size: number) => string, work: (text: string) => unknown): 'even' | 'steep' {
	const long = textOf(LONG);
	if (timeOf(long, work) < MEASURABLE) return 'even';
	// The first time counts what is compiled once.
	const times = [textOf(SHORT), long].map((text) => Math.min(...[1, 2, 3].map(() => timeOf(text, work))));
	const [ofShort = 0, ofLong = 0] = times;
	return ofLong >= MEASURABLE && ofLong > STEEP * Math.max(ofShort, 1) ? 'steep' : 'even';
}

function timeOf(text: string, work: (text: string) => unknown): number {
	const begun = process.cpuUsage();
	work(text);
	const { user, system } = process.cpuUsage(begun);
	return user + system;
}
