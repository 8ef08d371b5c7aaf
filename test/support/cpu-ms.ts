/** Returns how many milliseconds of the processor's time some work takes. A busy machine makes it no longer. */
export function cpuMsOf(work: () => void): number {
	const before = process.cpuUsage();
	work();
	const { user, system } = process.cpuUsage(before);
	return (user + system) / 1_000;
}
