const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** Whether a URL's host name always means this machine. Names that merely resolve to it in the DNS do not count. */
export function isLoopbackHost(hostname: string): boolean {
	return LOOPBACK.test(hostname);
}
