import { describe, expect, test } from 'vitest';
import type { SessionReport } from '../../src/core/smtp/session.ts';
import { converse } from '../support/converse.ts';
import type { HostileServerName } from '../support/proxies/hostile-mail-servers.ts';
import { clock, endOf, hostilePort, LOOPBACK, makeDialer, makeDomain, planFor } from './peers.ts';
import { dialOver } from '../support/dial-over.ts';

const BUDGET_MS = 1_500;
// A busy machine is late; without a deadline, the patient of these servers would keep us for many minutes.
const GRACE_MS = 60_000;
// What the sockets of two kernels and the runtime hold; the floods send ten megabytes, or for ever.
const BUFFERED_OCTETS_MAX = 8 * 1024 * 1024;

/** A conversation; fails when it overruns its deadline. */
async function suffer(name: HostileServerName): Promise<SessionReport> {
	const domain = makeDomain();
	const dialer = makeDialer('direct', { SMTP_PORT: hostilePort(name) });
	const deadline = clock.now() + BUDGET_MS;
	const dialled = await dialOver(dialer, { domain, address: LOOPBACK }, BUDGET_MS);
	if (dialled.kind !== 'connected') throw new Error(`not connected: ${dialled.why}`);
	const report = await converse(clock, dialled.connection, planFor(`ada@${domain}`), deadline);
	expect(clock.now() - deadline, 'the deadline').toBeLessThan(GRACE_MS);
	return report;
}

const unanswered = { targets: [{ recipient: expect.any(String), reply: null }] };

describe.concurrent('by the deadline a conversation is over, and the connection closed', () => {
	test('with a server that never answers', async () => {
		expect(await suffer('neverAnswers')).toMatchObject({
			end: { kind: 'timeout' },
			stage: 'greeting',
			...unanswered,
		});
		await endOf('neverAnswers');
	});

	test('with a server that sends one byte a second', async () => {
		expect(await suffer('oneByteASecond')).toMatchObject({ end: { kind: 'timeout' }, ...unanswered });
		await endOf('oneByteASecond');
	});

	test('with a server whose greeting never comes to its last line', async () => {
		expect(await suffer('endlessGreeting')).toMatchObject({ end: { kind: 'timeout' }, ...unanswered });
		await endOf('endlessGreeting');
	});
});

describe('at once a conversation is over, and the connection closed', () => {
	test('with a server that floods us with ten megabytes in one line', async () => {
		const report = await suffer('floodsOneLine');
		expect(report).toMatchObject({ end: { kind: 'fault', fault: 'line_too_long' }, ...unanswered });
		expect(report.exchanges).toEqual([]);
		expect((await endOf('floodsOneLine')).bytesTaken).toBeLessThan(BUFFERED_OCTETS_MAX);
	});

	test('with a server that floods us with lines for ever', async () => {
		const report = await suffer('floodsReplies');
		expect(report).toMatchObject({ end: { kind: 'fault', fault: 'too_many_lines' }, ...unanswered });
		expect(JSON.stringify(report.exchanges).length).toBeLessThan(1_000);
		expect((await endOf('floodsReplies')).bytesTaken).toBeLessThan(BUFFERED_OCTETS_MAX);
	});

	test.each(['closesMidReply', 'resetsMidReply'] as const)(
		'with a server that ends in the middle of a reply: half a reply counts for nothing (%s)',
		async (name) => {
			expect(await suffer(name)).toMatchObject({ end: { kind: 'closed' }, stage: 'rcpt', ...unanswered });
			await endOf(name);
		},
	);

	test('with a server that is none', async () => {
		expect(await suffer('hangsUp')).toMatchObject({ end: { kind: 'closed' }, ...unanswered });
	});
});

test('a server whose texts are not UTF-8 is understood by its codes', async () => {
	const report = await suffer('invalidUtf8');
	expect(report.end).toEqual({ kind: 'complete' });
	expect(report.targets[0]?.reply).toMatchObject({
		code: 550,
		enhanced: '5.1.1',
		lines: ['5.1.1 \u{fffd}\u{fffd}'],
	});
	expect((await endOf('invalidUtf8')).heard).toContain('QUIT');
});
