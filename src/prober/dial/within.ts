/** The promise's outcome, or `timeout` when it takes longer than `limitMs`. */
export async function within<T>(promise: Promise<T>, limitMs: number): Promise<T | 'timeout'> {
	let timer: ReturnType<typeof setTimeout> | undefined;
	const limit = new Promise<'timeout'>((resolve) => {
		timer = setTimeout(() => resolve('timeout'), Math.max(0, limitMs));
	});
	try {
		return await Promise.race([promise, limit]);
	} finally {
		clearTimeout(timer);
	}
}
