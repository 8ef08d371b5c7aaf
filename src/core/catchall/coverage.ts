/**
 * What there is to look at, and how much of the picture it is. An item counts when the look succeeded, whatever was
 * seen. So `mx_route` counts when a mail host answered, also one of an operator that we do not know: that is the
 * reference class of the scorecard, worth 0 points, and not a failure to measure.
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

/** Below this share nothing is claimed. */
export const COVERAGE_MIN = 0.6;

/** The share of the evidence that could be looked at, 0-1, in hundredths. */
export function coverageOf(measured: ReadonlySet<CoverageItem>): number {
	const sum = [...measured].reduce((all, item) => all + COVERAGE_WEIGHTS[item], 0);
	// 0.25 + 0.15 + 0.15 + 0.05 is 0.6 and a little more in binary, in another order a little less.
	return Math.round(sum * 100) / 100;
}
