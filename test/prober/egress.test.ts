import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { describe, expect, test } from 'vitest';
import { ServiceError } from '../../src/errors.ts';
import type { EgressDialer } from '../../src/prober/dial/egress-dialer.ts';
import {
	askThrough,
	conversationAbout,
	DEAD_PORT,
	LOOPBACK,
	mail,
	makeDialer,
	makeDomain,
	MERGING_PROXY,
	oddProxy,
	SANDBOX_PROXY,
	securedProxy,
	TARGETS,
} from './peers.ts';
import { makeCertificate } from '../sandbox/certificate.ts';
import { dialOver } from '../support/dial-over.ts';

// Which way out is taken to a mail server, and what is said where none leads there.

const DEAD_PROXY = `socks5://user:very-secret@${LOOPBACK}:${DEAD_PORT}`;
const SANDBOX = { SMTP_PORT: 25 };
const UNAVAILABLE = ['upstream_unavailable', 'No outgoing connection for mail is available'];

/** What became of an attempt: the result, or the code and the message of the refusal. */
async function dialled(
	dialer: EgressDialer,
	address: string = LOOPBACK,
	limitMs = 8_000,
	domain = makeDomain(),
): Promise<unknown> {
	try {
		const result = await dialOver(dialer, { domain, address }, limitMs);
		if (result.kind === 'no_connection') return result.why;
		void result.connection.close();
		return `connected by ${result.egress}`;
	} catch (error) {
		if (error instanceof ServiceError) return [error.code, error.message];
		throw error;
	}
}

describe('our own SOCKS server', () => {
	test('carries a whole conversation with a mail server', async () => {
		const { report, domain } = await askThrough(makeDialer(SANDBOX_PROXY, SANDBOX), TARGETS.mail);
		expect(report.end).toEqual({ kind: 'complete' });
		expect(report.targets[0]?.reply?.code).toBe(250);
		expect((await conversationAbout(domain)).lines.at(-2)).toBe('< QUIT');
	});

	test('a mail server that never takes the connection costs the time given', async () => {
		const dialer = makeDialer(SANDBOX_PROXY, SANDBOX);
		expect(await dialled(dialer, TARGETS.never, 400)).toBe('timeout');
	});

	test('a greeting in the same segment as the reply to CONNECT is not lost', async () => {
		const { report } = await askThrough(makeDialer(MERGING_PROXY, SANDBOX), TARGETS.mail);
		expect(report.end).toEqual({ kind: 'complete' });
		expect(report.exchanges[0]?.code).toBe(220);
	});

	test('a proxy whose every byte comes alone is understood, and so is the mail server behind it', async () => {
		const { username, password } = new URL(SANDBOX_PROXY);
		const url = oddProxy('splitsBytes').replace('//', `//${username}:${password}@`);
		const { report } = await askThrough(makeDialer(url, SANDBOX), TARGETS.mail);
		expect(report.end).toEqual({ kind: 'complete' });
		expect(report.targets[0]?.reply?.code).toBe(250);
	});

	test('a wrong password is our outage, and the message keeps it secret', async () => {
		const url = new URL(SANDBOX_PROXY);
		url.password = 'very-wrong';
		expect(await dialled(makeDialer(url.href))).toEqual(UNAVAILABLE);
	});
});

describe('a proxy that answers CONNECT with a code of RFC 1928', () => {
	test.each([
		[1, 'egress_cannot_reach'],
		[2, 'egress_cannot_reach'],
		[3, 'unreachable'],
		[4, 'unreachable'],
		[5, 'refused'],
		[6, 'unreachable'],
		[7, 'egress_cannot_reach'],
		[8, 'egress_cannot_reach'],
		[200, 'egress_cannot_reach'],
	])('%i means %s', async (code, why) => {
		expect(await dialled(makeDialer(oddProxy('answersByAddress')), `198.18.0.${code}`)).toBe(why);
	});

	test('two bytes of a refusal are enough', async () => {
		expect(await dialled(makeDialer(oddProxy('shortRefusal')))).toBe('refused');
	});
});

describe('a proxy that is broken', () => {
	const NONSENSE = ['upstream_nonsense', 'The outgoing mail proxy does not speak SOCKS5'];
	test.each<[string, string, unknown]>([
		['does not exist', DEAD_PROXY, UNAVAILABLE],
		['hangs up', oddProxy('closesAtOnce'), UNAVAILABLE],
		['resets', oddProxy('resets'), UNAVAILABLE],
		['wants a password', oddProxy('wantsPassword'), UNAVAILABLE],
		['closes after CONNECT', oddProxy('closesAfterConnect'), 'egress_cannot_reach'],
		['is a web server', oddProxy('http'), NONSENSE],
		['is a mail server', `socks5://${LOOPBACK}:${mail.port}`, NONSENSE],
		['breaks off into text', oddProxy('answersNonsense'), NONSENSE],
		['names an address of no kind', oddProxy('namesNoAddress'), NONSENSE],
	])(
		'alone is told as what it is, and beside another is replaced for every domain: %s',
		async (_, url, alone) => {
			expect(await dialled(makeDialer(url))).toEqual(alone);
			const dialer = makeDialer(`${url} direct`);
			for (let call = 0; call < 6; call += 1) expect(await dialled(dialer)).toBe('connected by direct');
		},
	);

	test.each([
		['takes the connection and says nothing', 'silent', 500],
		['drips its answer', 'dripsConnectReply', 1_000],
		['never answers CONNECT, as a mail server may', 'silentAfterConnect', 300],
	] as const)('ends within the time given where it %s', async (_, behaviour, limitMs) => {
		expect(await dialled(makeDialer(oddProxy(behaviour)), LOOPBACK, limitMs)).toBe('timeout');
	});
});

describe('a proxy behind TLS', () => {
	const certificate = makeCertificate(undefined, 'localhost');
	setDefaultCACertificates([...getCACertificates('default'), certificate.cert]);

	test.each([LOOPBACK, 'localhost'])('may be numbered or named: %s', async (host) => {
		const url = (await securedProxy(certificate)).replace(LOOPBACK, host);
		const { report } = await askThrough(makeDialer(url, SANDBOX), TARGETS.mail);
		expect(report.end).toEqual({ kind: 'complete' });
	});

	test.each([
		['of another host', certificate, '127.0.0.2'],
		['that nobody vouches for', makeCertificate(undefined, 'localhost'), LOOPBACK],
	] as const)('never gets our password with a certificate %s', async (_, shown, host) => {
		const url = (await securedProxy(shown, host)).replace(LOOPBACK, host);
		expect(await dialled(makeDialer(url, SANDBOX), TARGETS.mail)).toEqual(UNAVAILABLE);
	});
});
