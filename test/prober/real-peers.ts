import { readFileSync } from 'node:fs';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, beforeEach } from 'vitest';
import { startRealProxies } from '../support/proxies/real-proxies.ts';
import type { RealProxy, RealProxyName } from '../support/proxies/real-proxies.ts';

// Proxies that other people wrote, running here as they run in production; those that are installed.

const real = await startRealProxies();
if (real.trustFile !== null)
	setDefaultCACertificates([...getCACertificates('default'), readFileSync(real.trustFile, 'utf8')]);
afterAll(() => real.close());

export const realProxies: Readonly<Record<RealProxyName, RealProxy>> = real.proxies;
/** True where an absent real proxy is a failure. */
export const realProxiesRequired = !['', 'false', '0', undefined].includes(process.env['CI']);

/** The URL of a real proxy; only for tests that are skipped without it. */
export function realProxy(name: RealProxyName): string {
	const proxy = realProxies[name];
	return proxy.kind === 'running' ? proxy.url : `absent: ${proxy.reason}`;
}

/** Skips the tests of a group, and says why, where a real proxy is not installed. */
export function skipWithout(name: RealProxyName): void {
	beforeEach(({ skip }) => {
		const proxy = realProxies[name];
		if (proxy.kind === 'absent') skip(`${name}: ${proxy.reason}`);
	});
}
