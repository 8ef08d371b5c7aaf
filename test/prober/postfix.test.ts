import { connect } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startLocalProber } from '../support/local-prober.ts';
import type { LocalProber } from '../support/local-prober.ts';
import type { Asked, Question } from '../../src/engine/question.ts';
import type { Heard } from '../../src/core/verification/finding.ts';
import { startPostfix, whyNoPostfix } from './postfix.ts';
import type { Postfix } from './postfix.ts';
import { startTcp } from './servers.ts';
import type { TestServer } from './servers.ts';

// A whole prober, asked as the Worker asks it, and real mail servers that demand TLS before they take a sender.

const missing = whyNoPostfix();

test('where the project is built, Postfix can be started', ({ skip }) => {
	skip(!process.env['CI'], 'Postfix is required where CI is set');
	expect(missing).toBeNull();
});

const open: (TestServer | LocalProber)[] = [];
afterEach(async () => {
	await Promise.all(open.splice(0).map((one) => one.close()));
});

/** Asks a mail host at a port of this machine about mailboxes of inbox.test. */
async function ask(smtpPort: number, mailboxes: readonly string[], budgetMs = 15_000): Promise<Asked> {
	const prober = await startLocalProber(smtpPort);
	open.push(prober);
	const question: Question = {
		domain: 'inbox.test',
		hosts: [{ name: 'mx.inbox.test', addresses: ['127.0.0.1'], failed: false }],
		implicit: false,
		targets: mailboxes.map((mailbox) => `${mailbox}@inbox.test`),
		needsSmtputf8: false,
		invented: { first: 'qzxjwv@inbox.test', further: [] },
		deep: 'catch_all',
		fresh: false,
		asker: 'acc_1',
		class: 'list',
		explain: true,
		deadline: Date.now() + budgetMs,
	};
	return await prober.ask(question);
}

/** What was heard of each target. */
function heardOf({ answers }: Asked): readonly Heard[] {
	return answers.map((said) => {
		if (said?.kind !== 'heard') throw new Error(`nothing was heard: ${said?.kind}`);
		return said;
	});
}

const targetsOf = (asked: Asked) => heardOf(asked).map(({ interpretation }) => interpretation.target);

describe('Postfix that demands TLS', () => {
	let postfix: Postfix;
	beforeEach(({ skip }) => skip(missing !== null, missing ?? ''));
	beforeAll(async () => {
		if (missing === null) postfix = await startPostfix();
	});
	afterAll(() => postfix?.close());

	test('is asked over TLS, though its certificate has expired: who is there is told from who is not', async () => {
		const asked = await ask(postfix.port, ['ada', 'nobody']);
		expect(targetsOf(asked)).toMatchObject([{ kind: 'accepted' }, { kind: 'rejected' }]);
		expect(heardOf(asked).map(({ secured }) => secured)).toEqual([true, true]);
		expect(asked.evidence.map(({ step }) => step)).toContain('tls');
		expect(postfix.log()).toMatch(/TLS connection established from .*TLSv1\.3/);
	});

	test('with nothing newer than TLS 1.1 is asked all the same', async () => {
		const asked = await ask(postfix.oldPort, ['ada', 'nobody']);
		expect(targetsOf(asked)).toMatchObject([{ kind: 'accepted' }, { kind: 'rejected' }]);
		expect(heardOf(asked)[0]?.secured).toBe(true);
		expect(postfix.log()).toMatch(/TLS connection established from .*TLSv1\.1 /);
	});

	// CVE-2011-0411: what somebody on the way puts behind the server's 220 came before the handshake.
	test('is believed over TLS alone: replies put into its mouth before the handshake count for nothing', async () => {
		let isInjected = false;
		const between = await startTcp((socket) => {
			const server = connect(postfix.port, '127.0.0.1');
			socket.on('data', (bytes) => void server.write(bytes));
			socket.on('close', () => void server.destroy());
			server.on('error', () => void socket.destroy());
			server.on('close', () => void socket.end());
			server.on('data', (bytes) => {
				const opens = !isInjected && /^220 2\.0\.0 .*TLS/m.test(bytes.toString('latin1'));
				isInjected ||= opens;
				// Whole replies, and the beginning of one that the server's first words over TLS would end.
				const lies = '250-mx.inbox.test\r\n250 PIPELINING\r\n250 Ok\r\n250 Ok\r\n550 no ';
				// In one packet with the real reply, as whoever sits on the way would send it.
				socket.write(opens ? Buffer.concat([bytes, Buffer.from(lies)]) : bytes);
			});
		});
		open.push(between);
		const asked = await ask(between.port, ['nobody']);
		expect(isInjected).toBe(true);
		expect(targetsOf(asked)).toMatchObject([{ kind: 'rejected' }]);
		expect(heardOf(asked)[0]?.secured).toBe(true);
	});
});

test('a server that hangs in the handshake ends in tls_required, within the time given', async () => {
	const hanging = await startTcp((socket) => {
		socket.write('220 mx.inbox.test ESMTP\r\n');
		socket.on('data', (bytes) => {
			const said = bytes.toString('latin1');
			if (said.startsWith('EHLO')) socket.write('250-mx.inbox.test\r\n250 STARTTLS\r\n');
			else if (said.startsWith('MAIL')) socket.write('530 5.7.0 Must issue a STARTTLS command first\r\n');
			else if (said.startsWith('STARTTLS')) socket.write('220 2.0.0 Ready to start TLS\r\n');
		});
	});
	open.push(hanging);
	const asked = await ask(hanging.port, ['ada'], 4_000);
	expect(targetsOf(asked)).toMatchObject([{ kind: 'unknown', why: 'tls_required' }]);
});
