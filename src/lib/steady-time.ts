/**
 * Time that never goes back. It follows the wall clock, also when that is set ahead. When the wall clock is set back,
 * it goes on at the pace of a monotonic clock, so that timers still end when they should.
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
