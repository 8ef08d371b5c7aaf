import { describe, expect, test } from 'vitest';
import type { RealProxyName } from '../support/proxies/real-proxies.ts';
import {
	askThrough,
	conversationAbout,
	DEAD_PORT,
	LOOPBACK,
	makeDialer,
	makeDomain,
	withoutSecrets,
} from './peers.ts';
import { realProxies, realProxiesRequired, realProxy, skipWithout } from './real-peers.ts';
import { dialOver } from '../support/dial-over.ts';

const NAMES = [
	'microsocks',
	'microsocksOpen',
	'dante',
	'danteOpen',
	'stunnel',
] as const satisfies readonly RealProxyName[];
const GUARDED = ['microsocks', 'dante', 'stunnel'] as const satisfies readonly RealProxyName[];

test('where the project is built, every real proxy is installed', ({ skip }) => {
	skip(!realProxiesRequired, 'Real proxies are required where CI is set');
	const absent = Object.entries(realProxies).filter(([, proxy]) => proxy.kind === 'absent');
	expect(absent).toEqual([]);
});

describe.each(NAMES)('%s', (name) => {
	skipWithout(name);

	test('carries a whole conversation with a mail server', async () => {
		const { dialled, report, domain } = await askThrough(makeDialer(realProxy(name)));
		expect(dialled.egress).toBe(withoutSecrets(realProxy(name)));
		expect(report.end).toEqual({ kind: 'complete' });
		expect(report.targets.map(({ reply }) => reply?.code)).toEqual([250]);
		expect(report.invented.map(({ reply }) => reply?.enhanced)).toEqual(['5.1.1']);
		const heard = (await conversationAbout(domain)).lines.filter((line) => line.startsWith('<'));
		expect(heard).toEqual([
			'< EHLO probe.mailsonar.test',
			'< MAIL FROM:<verify@probe.mailsonar.test>',
			`< RCPT TO:<ada@${domain}>`,
			`< RCPT TO:<zzada@${domain}>`,
			'< QUIT',
		]);
	});

	test('carries many conversations at the same time without mixing them up', async () => {
		const dialer = makeDialer(realProxy(name));
		const asked = await Promise.all(Array.from({ length: 5 }, () => askThrough(dialer)));
		for (const { report, domain } of asked) {
			expect(report.targets.map(({ recipient, reply }) => [recipient, reply?.code])).toEqual([
				[`ada@${domain}`, 250],
			]);
		}
	});

	test('says that a mail server refuses connections, and no other egress is bothered', async () => {
		const dialer = makeDialer(`${realProxy(name)}, direct`, { SMTP_PORT: DEAD_PORT });
		for (const domain of [makeDomain(), makeDomain(), makeDomain(), makeDomain()]) {
			const dialled = await dialOver(dialer, { domain, address: LOOPBACK }, 5_000);
			expect(dialled).toEqual({ kind: 'no_connection', why: 'refused', egress: dialled.egress });
		}
	});
});

describe.each(GUARDED)('%s asks for a password', (name) => {
	skipWithout(name);
	test('a wrong password is our outage, and the message keeps it secret', async () => {
		const url = new URL(realProxy(name));
		url.password = 'very-wrong';
		const dialer = makeDialer(url.href);
		const failure = await dialOver(dialer, { domain: makeDomain(), address: LOOPBACK }, 5_000).catch(String);
		expect(failure).toBe('ServiceError: No outgoing connection for mail is available');
	});
});

describe('dante', () => {
	skipWithout('danteOpen');

	test('an address that its rules forbid says nothing about the mail server', async () => {
		const dialled = await dialOver(
			makeDialer(realProxy('danteOpen')),
			{ domain: makeDomain(), address: '127.0.0.2' },
			5_000,
		);
		expect(dialled).toMatchObject({ kind: 'no_connection', why: 'egress_cannot_reach' });
	});
});

describe('an egress with TLS', () => {
	skipWithout('stunnel');

	test('may be named instead of numbered', async () => {
		const url = realProxy('stunnel').replace(LOOPBACK, 'localhost');
		const { report } = await askThrough(makeDialer(url));
		expect(report.end).toEqual({ kind: 'complete' });
	});

	test.each(['stunnelOtherName', 'stunnelUntrusted'] as const)(
		'never gets our password without the right certificate (%s)',
		async (name) => {
			const dialled = dialOver(
				makeDialer(realProxy(name)),
				{ domain: makeDomain(), address: LOOPBACK },
				5_000,
			);
			await expect(dialled).rejects.toThrow('No outgoing connection for mail is available');
		},
	);

	test('is never spoken to without TLS, and not waited for beyond the time given', async () => {
		const dialer = makeDialer(realProxy('stunnel').replace('socks5s:', 'socks5:'));
		const dialled = await dialOver(dialer, { domain: makeDomain(), address: LOOPBACK }, 500);
		expect(dialled).toMatchObject({ kind: 'no_connection', why: 'timeout' });
	});
});
