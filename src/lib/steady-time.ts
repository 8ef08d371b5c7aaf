/**
 * Time that never goes back. It follows the wall clock, also ahead; where that is set back, it goes on at the pace of a
 * clock that nobody sets, so that whatever was to be waited for still comes when it would have come.
 *
 * @param wall epoch milliseconds
 * @param pace milliseconds since any moment, never set
 */
export function steadyTime(wall: () => number, pace: () => number): () => number {
	let time = wall();
	let paced = pace();
	return () => {
		const passed = pace();
		time = Math.max(wall(), time + Math.floor(passed - paced));
		paced += Math.floor(passed - paced);
		return time;
	};
}
