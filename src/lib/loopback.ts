const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** Whether a URL's host name is this machine, and nobody else's to give out: a name on DNS that leads here is not. */
export function isLoopbackHost(hostname: string): boolean {
	return LOOPBACK.test(hostname);
}
