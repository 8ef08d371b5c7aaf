import { connect } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { afterAll } from 'vitest';
import { parseEgressList } from '../../src/core/egress/egress.ts';
import { RECIPIENTS_PER_TRANSACTION } from '../../src/core/smtp/limits.ts';
import type { SessionPlan, SessionReport } from '../../src/core/smtp/session.ts';
import { sleep } from '../../src/lib/time.ts';
import { converse } from '../support/converse.ts';
import { EgressDialer } from '../../src/prober/dial/egress-dialer.ts';
import type { Clock } from '../../src/lib/time.ts';
import type { Certificate } from '../sandbox/certificate.ts';
import { LOOPBACK, openListener } from '../sandbox/listener.ts';
import { startSocksServer } from '../sandbox/socks-server.ts';
import type { Route } from '../sandbox/socks-server.ts';
import { startMailServer } from '../sandbox/world.ts';
import { eventually } from '../support/patience.ts';
import { startOddProxies } from '../support/proxies/odd-proxies.ts';
import type { OddProxyName } from '../support/proxies/odd-proxies.ts';
import { dialOver } from '../support/dial-over.ts';
import { makePlan } from '../support/unit/smtp-plan.ts';

// Mail servers and proxies on loopback, of each file of tests its own. They end with its tests.

const closers: (() => Promise<void>)[] = [];
afterAll(async () => {
	await Promise.all(closers.map((close) => close()));
});

async function keep<S extends { close(): Promise<void> }>(starting: Promise<S>): Promise<S> {
	const server = await starting;
	closers.push(() => server.close());
	return server;
}

// A port below 1024 that has no service anywhere; a free high one could be taken in the meantime.
export const DEAD_PORT = 1;
/** What the sandbox's proxy leads to. */
export const TARGETS = { mail: '198.18.0.10', never: '198.18.0.13' };

/** An ordinary mail server. */
export const mail = await keep(startMailServer());
const routes = new Map<string, Route>([
	[TARGETS.mail, { port: mail.port }],
	[TARGETS.never, 'never'],
]);
const proxy = await keep(startSocksServer({ routes }));
/** Proxies that are broken. */
export const odd = await keep(startOddProxies(proxy.port));

/** Our own SOCKS server: leads `TARGETS` to the mail server, on port 25 only. */
export const SANDBOX_PROXY = proxy.url;
/** The same one, whose reply to CONNECT comes in one segment with the server's greeting. */
export const MERGING_PROXY = (await keep(startSocksServer({ routes, mergesConnectReply: true }))).url;

/** The URL of our own SOCKS server behind TLS with this certificate. */
export async function securedProxy(
	{ key, cert }: Certificate,
	host: Parameters<typeof openListener>[2] = LOOPBACK,
): Promise<string> {
	const server = createTlsServer({ key, cert }, (socket) => {
		const behind = connect(proxy.port, LOOPBACK);
		for (const one of [socket, behind]) one.on('error', () => [socket, behind].map((each) => each.destroy()));
		socket.pipe(behind).pipe(socket);
	});
	const { port } = await keep(openListener(server, 0, host));
	return proxy.url.replace('socks5:', 'socks5s:').replace(/\d+$/, String(port));
}

/** The URL of a broken proxy. */
export function oddProxy(name: OddProxyName): string {
	return `socks5://${LOOPBACK}:${odd.ports[name]}`;
}

export const clock: Clock = { now: () => Date.now(), sleep };

/** A dialer for a list of ways out as it is configured. */
export function makeDialer(
	egresses: string,
	settings: Partial<ConstructorParameters<typeof EgressDialer>[0]> = {},
): EgressDialer {
	const ours = { HELO_NAME: 'probe.mailsonar.test', MAIL_FROM: 'verify@probe.mailsonar.test' };
	const SMTP_EGRESS = parseEgressList(egresses);
	const config = { SMTP_EGRESS, SMTP_PORT: mail.port, PROBER_CONTROL: [], ...ours, ...settings };
	return new EgressDialer(config, clock);
}

export const planFor = (recipient: string): SessionPlan =>
	makePlan({
		targets: [recipient],
		invented: [`zz${recipient}`],
		perTransaction: RECIPIENTS_PER_TRANSACTION,
	});

let conversations = 0;

/** A domain of its own for every call, so that the server's record of the conversation can be found. */
export function makeDomain(): string {
	conversations += 1;
	return `d${conversations}-${crypto.randomUUID().slice(0, 8)}.test`;
}

/** Dials, asks about an existing mailbox, and hangs up. */
export async function askThrough(
	dialer: EgressDialer,
	address: string = LOOPBACK,
): Promise<{ dialled: Awaited<ReturnType<typeof dialOver>>; report: SessionReport; domain: string }> {
	const domain = makeDomain();
	const dialled = await dialOver(dialer, { domain, address }, 8_000);
	if (dialled.kind !== 'connected') throw new Error(`not connected: ${JSON.stringify(dialled)}`);
	const plan = { ...planFor(`ada@${domain}`), ...dialled.identity };
	const report = await converse(clock, dialled.connection, plan, clock.now() + 8_000);
	return { dialled, report, domain };
}

/** The conversation in which the domain was asked about, as the mail server heard it, when it is over. */
export function conversationAbout(domain: string): Promise<{ readonly lines: readonly string[] }> {
	return eventually(() => {
		const found = mail.transcripts.all.find(
			({ lines, endedBy }) => endedBy !== null && lines.some((line) => line.includes(domain)),
		);
		if (found === undefined) throw new Error(`no conversation about ${domain} has ended`);
		return found;
	}, 10);
}

export { LOOPBACK };
