import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { budgetOf } from '../../src/core/turns/budget.ts';
import { startLocalProber } from '../../tools/local-prober.ts';
import { LOOPBACK, openListener } from '../sandbox/listener.ts';
import { putQuestion, times } from './attacked.ts';

// A large operator answers QUIT when it finds the time, and until then the connection is one of those that it allows.
const GOODBYE_MS = 300;

test('an operator that takes its time over a goodbye never sees more connections than it allows', async () => {
	const stateFolder = mkdtempSync(join(tmpdir(), 'mailsonar-connections-'));
	const open = { now: 0, most: 0, ever: 0 };
	const google = await openListener(
		createServer({ allowHalfOpen: true }, (socket) => converse(socket, open)),
	);
	const prober = await startLocalProber(
		{
			SMTP_EGRESS: 'direct',
			SMTP_PORT: String(google.port),
			ALLOW_PRIVATE_MX: `${LOOPBACK}/32`,
			HELO_NAME: 'probe.mailsonar.test',
			MAIL_FROM: 'verify@probe.mailsonar.test',
			PROBER_WARM: 'all',
			// Connections at once are production's; a connection is given up after a few refusals.
			PROBER_BUDGETS: JSON.stringify({ google: { recipientsPerMinute: 6_000, connectionsPerMinute: 600 } }),
		},
		{ stateFolder, output: 'hide', budgets: 'production' },
	);
	try {
		const asked = Array.from({ length: 12 }, (_, account) =>
			putQuestion(prober, {
				domain: 'gmail.com',
				host: 'gmail-smtp-in.l.google.com',
				targets: times(40, (n) => `nobody.${account}.${n}@gmail.com`),
				asker: `acc_${account}`,
				class: 'list',
				budgetMs: 8_000,
				at: [LOOPBACK],
			}),
		);
		await Promise.all(asked);
		expect(open.ever).toBeGreaterThan(budgetOf('google').connections);
		expect(open.most).toBeLessThanOrEqual(budgetOf('google').connections);
	} finally {
		await prober.stop();
		await google.close();
		rmSync(stateFolder, { recursive: true, force: true });
	}
});

function converse(socket: Socket, open: { now: number; most: number; ever: number }): void {
	open.now += 1;
	open.ever += 1;
	open.most = Math.max(open.most, open.now);
	let isLeaving = false;
	const leave = (): void => {
		if (isLeaving) return;
		isLeaving = true;
		setTimeout(() => {
			open.now -= 1;
			socket.end('221 2.0.0 Bye\r\n');
		}, GOODBYE_MS);
	};
	socket.setNoDelay(true).setEncoding('latin1');
	socket.on('error', () => {}).on('close', leave);
	socket.write('220 mx.google.test ESMTP\r\n');
	let rest = '';
	socket.on('data', (chunk: string) => {
		const lines = (rest + chunk).split('\r\n');
		rest = lines.pop() ?? '';
		for (const line of lines) {
			if (line === 'QUIT') return leave();
			socket.write(`${replyTo(line)}\r\n`);
		}
	});
}

function replyTo(line: string): string {
	if (line.startsWith('EHLO')) return '250-mx\r\n250-PIPELINING\r\n250 ENHANCEDSTATUSCODES';
	return line.startsWith('RCPT')
		? '550 5.1.1 The email account that you tried to reach does not exist'
		: '250 2.1.0 Ok';
}
