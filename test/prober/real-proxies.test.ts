import { afterAll, describe, expect, test } from 'vitest';
import type { TestContext } from 'vitest';
import { dialOver } from '../support/dial-over.ts';
import { startDante, startMicrosocks } from '../support/proxies/real-proxies.ts';
import { askThrough, conversationAbout, DEAD_PORT, LOOPBACK, makeDialer, makeDomain } from './peers.ts';

// Proxies that other people wrote, as they run in production: microsocks with a password, Dante with rules.

const [microsocks, dante] = await Promise.all([startMicrosocks(), startDante()]);
const PROXIES = { microsocks, dante };
afterAll(async () => {
	for (const proxy of Object.values(PROXIES)) if (proxy.kind === 'running') await proxy.close();
});

/** The URL of a proxy, without which the test is skipped. */
function urlOf(name: keyof typeof PROXIES, skip: TestContext['skip']): string {
	const proxy = PROXIES[name];
	return proxy.kind === 'running' ? proxy.url : skip(`${name}: ${proxy.reason}`);
}

test('where the project is built, every real proxy is installed', ({ skip }) => {
	skip(
		['', 'false', '0', undefined].includes(process.env['CI']),
		'Real proxies are required where CI is set',
	);
	expect(Object.values(PROXIES).filter(({ kind }) => kind === 'absent')).toEqual([]);
});

describe.each(['microsocks', 'dante'] as const)('%s', (name) => {
	test('carries a whole conversation with a mail server', async ({ skip }) => {
		const url = urlOf(name, skip);
		const { dialled, report, domain } = await askThrough(makeDialer(url));
		// As it is named where everybody may read it: without the password.
		expect(dialled.egress).toBe(url.replace(/[^/]*@/, ''));
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

	test('carries many conversations at the same time without mixing them up', async ({ skip }) => {
		const dialer = makeDialer(urlOf(name, skip));
		const asked = await Promise.all(Array.from({ length: 5 }, () => askThrough(dialer)));
		for (const { report, domain } of asked) {
			expect(report.targets.map(({ recipient, reply }) => [recipient, reply?.code])).toEqual([
				[`ada@${domain}`, 250],
			]);
		}
	});

	test('says that a mail server refuses connections, and no other egress is bothered', async ({ skip }) => {
		const dialer = makeDialer(`${urlOf(name, skip)}, direct`, { SMTP_PORT: DEAD_PORT });
		for (const domain of [makeDomain(), makeDomain(), makeDomain(), makeDomain()]) {
			const dialled = await dialOver(dialer, { domain, address: LOOPBACK }, 5_000);
			expect(dialled).toEqual({ kind: 'no_connection', why: 'refused', egress: dialled.egress });
		}
	});
});

test('microsocks that hears a wrong password is our outage, and the message keeps it secret', async ({
	skip,
}) => {
	const url = new URL(urlOf('microsocks', skip));
	url.password = 'very-wrong';
	const dialer = makeDialer(url.href);
	const failure = await dialOver(dialer, { domain: makeDomain(), address: LOOPBACK }, 5_000).catch(String);
	expect(failure).toBe('ServiceError: No outgoing connection for mail is available');
});

test('an address that the rules of dante forbid says nothing about the mail server', async ({ skip }) => {
	const to = { domain: makeDomain(), address: '127.0.0.2' };
	const dialled = await dialOver(makeDialer(urlOf('dante', skip)), to, 5_000);
	expect(dialled).toMatchObject({ kind: 'no_connection', why: 'egress_cannot_reach' });
});
