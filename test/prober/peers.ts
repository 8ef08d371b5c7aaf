import { beforeEach, expect, inject } from 'vitest';
import { parseEgressList } from '../../../src/core/egress/egress.ts';
import { CONNECTION_LIMITS } from '../../../src/core/smtp/limits.ts';
import type { SessionPlan, SessionReport } from '../../../src/core/smtp/session.ts';
import { sleep } from '../../../src/lib/sleep.ts';
import { EgressDialer } from '../../../src/net/egress-dialer.ts';
import type { DialerSettings } from '../../../src/net/egress-dialer.ts';
import { converse } from '../../../src/engine/converse.ts';
import type { Clock, Dialled } from '../../../src/engine/ports.ts';
import type { NetPeers, RealProxy, RealProxyName } from '../../support/proxies/peers.ts';

export const LOOPBACK = '127.0.0.1';
export const peers: NetPeers = inject('netPeers');

export const clock: Clock = {
	now: () => Date.now(),
	sleep,
};

/** A clock that only the test moves. */
export function makeStoppedClock(startsAt = 1_800_000_000_000): Clock & { advance(ms: number): void } {
	let now = startsAt;
	const advance = (ms: number): void => void (now += ms);
	return { now: () => now, advance, sleep: async (ms) => advance(ms) };
}

/** A dialer for a list of egresses as an operator writes it. */
export function makeDialer(
	egresses: string,
	settings: Partial<DialerSettings> = {},
	time: Clock = clock,
): EgressDialer {
	return new EgressDialer(
		{
			egresses: parseEgressList(egresses),
			smtpPort: peers.mailPort,
			heloName: 'probe.mailsonar.test',
			mailFrom: 'verify@probe.mailsonar.test',
			directAllowed: true,
			...settings,
		},
		time,
	);
}

/** The URL of a broken proxy. */
export function oddProxy(name: keyof NetPeers['oddProxies']): string {
	return `socks5://${LOOPBACK}:${peers.oddProxies[name]}`;
}

export function planFor(recipient: string, random = `zz${recipient}`): SessionPlan {
	return {
		heloName: 'probe.mailsonar.test',
		mailFrom: 'verify@probe.mailsonar.test',
		targets: [recipient],
		invented: [random],
		furtherInvented: [],
		deep: 'never',
		needsSmtputf8: false,
		pipelining: 'when_offered',
		tls: 'never',
		commandTimeoutMs: null,
		limits: CONNECTION_LIMITS,
		tally: { asked: 0, rejected: 0 },
	};
}

let conversations = 0;

/** A domain of its own for every call, so that the server's record of the conversation can be found. */
export function makeDomain(): string {
	conversations += 1;
	return `d${conversations}-${crypto.randomUUID().slice(0, 8)}.test`;
}

/** Dials, asks about an existing mailbox, and hangs up. */
export async function askThrough(
	dialer: EgressDialer,
	target: { domain?: string; address?: string } = {},
): Promise<{ dialled: Dialled; report: SessionReport; domain: string }> {
	const domain = target.domain ?? makeDomain();
	const dialled = await dialer.dial({ domain, address: target.address ?? LOOPBACK }, 8_000);
	if (dialled.kind !== 'connected') throw new Error(`not connected: ${JSON.stringify(dialled)}`);
	const plan = { ...planFor(`ada@${domain}`), ...dialled.identity };
	const report = await converse(clock, dialled.connection, plan, clock.now() + 8_000);
	return { dialled, report, domain };
}

/** What the witness saw; fails the test when there is no such thing. */
export async function witnessed<T>(...path: readonly string[]): Promise<T> {
	const response = await fetch(`${peers.witnessUrl}/${path.map(encodeURIComponent).join('/')}`);
	const found = await response.json();
	expect(response.status, `the witness has not seen ${path.join(' ')}`).toBe(200);
	return found as T;
}

/** The conversation in which the domain was asked about, as the mail server heard it, when it is over. */
export async function conversationAbout(
	domain: string,
): Promise<{ readonly lines: readonly string[]; readonly endedBy: string }> {
	return witnessed('conversation', `ada@${domain}`);
}

/** The URL of a real proxy; only for tests that are skipped without it. */
export function urlOf(name: RealProxyName): string {
	const proxy: RealProxy = peers.realProxies[name];
	return proxy.kind === 'running' ? proxy.url : `absent: ${proxy.reason}`;
}

/** Skips the tests of a group, and says why, where a real proxy is not installed. */
export function skipWithout(name: RealProxyName): void {
	beforeEach(({ skip }) => {
		const proxy = peers.realProxies[name];
		if (proxy.kind === 'absent') skip(`${name}: ${proxy.reason}`);
	});
}

/** How an egress is named where everybody may read it. */
export function withoutSecrets(url: string): string {
	const { protocol, hostname, port } = new URL(url);
	return `${protocol}//${hostname}:${port}`;
}
