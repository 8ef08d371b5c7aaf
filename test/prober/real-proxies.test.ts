import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { dialOver } from '../support/dial-over.ts';
import { startDante, startMicrosocks } from '../support/proxies/real-proxies.ts';
import { askThrough, conversationAbout, DEAD_PORT, LOOPBACK, makeDialer, makeDomain } from './peers.ts';

// Proxies that other people wrote, as they run in production: microsocks with a password, Dante with rules.

const [microsocks, dante] = await Promise.all([startMicrosocks(), startDante()]);
const PROXIES = { microsocks, dante };
afterAll(async () => {
	for (const proxy of Object.values(PROXIES)) if (proxy.kind === 'running') await proxy.close();
});

/** The URL of a proxy; only for tests that are skipped without it. */
const urlOf = (name: keyof typeof PROXIES): string => {
	const proxy = PROXIES[name];
	return proxy.kind === 'running' ? proxy.url : `absent: ${proxy.reason}`;
};
const skipWithout = (name: keyof typeof PROXIES): void => {
	beforeEach(({ skip }) => {
		const proxy = PROXIES[name];
		if (proxy.kind === 'absent') skip(`${name}: ${proxy.reason}`);
	});
};

test('where the project is built, every real proxy is installed', ({ skip }) => {
	skip(
		['', 'false', '0', undefined].includes(process.env['CI']),
		'Real proxies are required where CI is set',
	);
	expect(Object.values(PROXIES).filter(({ kind }) => kind === 'absent')).toEqual([]);
});

describe.each(['microsocks', 'dante'] as const)('%s', (name) => {
	skipWithout(name);

	test('carries a whole conversation with a mail server', async () => {
		const { dialled, report, domain } = await askThrough(makeDialer(urlOf(name)));
		// As it is named where everybody may read it: without the password.
		expect(dialled.egress).toBe(urlOf(name).replace(/[^/]*@/, ''));
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
		const dialer = makeDialer(urlOf(name));
		const asked = await Promise.all(Array.from({ length: 5 }, () => askThrough(dialer)));
		for (const { report, domain } of asked) {
			expect(report.targets.map(({ recipient, reply }) => [recipient, reply?.code])).toEqual([
				[`ada@${domain}`, 250],
			]);
		}
	});

	test('says that a mail server refuses connections, and no other egress is bothered', async () => {
		const dialer = makeDialer(`${urlOf(name)}, direct`, { SMTP_PORT: DEAD_PORT });
		for (const domain of [makeDomain(), makeDomain(), makeDomain(), makeDomain()]) {
			const dialled = await dialOver(dialer, { domain, address: LOOPBACK }, 5_000);
			expect(dialled).toEqual({ kind: 'no_connection', why: 'refused', egress: dialled.egress });
		}
	});
});

describe('microsocks', () => {
	skipWithout('microsocks');

	test('that hears a wrong password is our outage, and the message keeps it secret', async () => {
		const url = new URL(urlOf('microsocks'));
		url.password = 'very-wrong';
		const dialer = makeDialer(url.href);
		const failure = await dialOver(dialer, { domain: makeDomain(), address: LOOPBACK }, 5_000).catch(String);
		expect(failure).toBe('ServiceError: No outgoing connection for mail is available');
	});
});

describe('dante', () => {
	skipWithout('dante');

	test('an address that its rules forbid says nothing about the mail server', async () => {
		const to = { domain: makeDomain(), address: '127.0.0.2' };
		const dialled = await dialOver(makeDialer(urlOf('dante')), to, 5_000);
		expect(dialled).toMatchObject({ kind: 'no_connection', why: 'egress_cannot_reach' });
	});
});
