/** One structured line for the operator. Never give it an address, a key or another secret. */
export function log(event: string, fields: Readonly<Record<string, unknown>>): void {
	// oxlint-disable-next-line no-console -- the one place that writes to the Worker's log
	console.error(JSON.stringify({ event, ...fields }));
}
