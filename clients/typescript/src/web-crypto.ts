/** WebCrypto, which Node has as a global from version 20 on, and elsewhere every runtime. */
export async function webCrypto(): Promise<Crypto> {
	const found = (globalThis as { crypto?: Crypto }).crypto;
	if (found !== undefined) return found;
	// A variable, so that bundlers for other runtimes do not look for the module.
	const name = 'node:crypto';
	return ((await import(/* @vite-ignore */ name)) as { webcrypto: Crypto }).webcrypto;
}

/** An Idempotency-Key that nobody has used. */
export async function newIdempotencyKey(): Promise<string> {
	return (await webCrypto()).randomUUID();
}
