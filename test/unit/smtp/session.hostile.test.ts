import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { SmtpSession } from '../../../src/core/smtp/session.ts';
import { makePlan } from '../../support/unit/smtp-plan.ts';

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const ALLOWED =
	/^(?:EHLO probe\.us\.test|HELO probe\.us\.test|MAIL FROM:<v@us\.test>(?: SMTPUTF8)?|RCPT TO:<[a-z0-9]+@x\.test>)$/;

const segment = fc.oneof(
	fc.constantFrom(
		'220 mx.test\r\n',
		'220-wait\r\n',
		'250 ok\r\n',
		'250-mx.test\r\n250-SMTPUTF8\r\n250 PIPELINING\r\n',
		'250-mx.test\r\n250 SIZE\r\n',
		'250 ok\r\n250 ok\r\n550 no\r\n',
		'500 what\r\n',
		'550 5.1.1 no\r\n',
		'421 bye\r\n',
		'354 go ahead\r\nRCPT TO:<evil@x.test>\r\n',
		'250 ok\nDATA\r\n',
	),
	fc.string({ maxLength: 12 }),
	fc.uint8Array({ maxLength: 20 }).map((bytes) => decoder.decode(bytes)),
);
const plan = fc
	.record({
		targets: fc.constantFrom(['ada@x.test'], ['ada@x.test', 'bob@x.test']),
		invented: fc.constantFrom([], ['r1@x.test']),
		furtherInvented: fc.constantFrom([], ['r2@x.test', 'r3@x.test']),
		needsSmtputf8: fc.boolean(),
		pipelining: fc.constantFrom('when_offered', 'never'),
	})
	.map(makePlan);

test('no server, whatever it says, makes us say anything but EHLO, HELO, MAIL and RCPT', () => {
	fc.assert(
		fc.property(plan, fc.array(segment, { maxLength: 12 }), (ours, segments) => {
			const session = new SmtpSession(ours);
			const writes: string[] = [];
			for (const text of segments) {
				const endedBefore = session.ended;
				const write = decoder.decode(session.receive(encoder.encode(text)));
				if (endedBefore || session.ended) expect(write).toBe('');
				if (write !== '') writes.push(write);
			}
			for (const write of writes) {
				const lines = write.split('\r\n');
				expect(lines.pop()).toBe('');
				for (const line of lines) expect(line).toMatch(ALLOWED);
				// RFC 2920 §3.1: EHLO is the last of its group. Ours are groups of one.
				if (lines.length > 1) expect(write).not.toMatch(/EHLO|HELO/);
			}
			expect(writes.filter((write) => write.startsWith('MAIL')).length).toBeLessThanOrEqual(1);
			session.giveUp('closed');
			const report = session.report();
			expect(report.targets.map(({ recipient }) => recipient)).toEqual(ours.targets);
			// The greeting, and an answer to each write.
			expect(report.roundTrips).toBeLessThanOrEqual(writes.length + 2);
		}),
		{ numRuns: 200 },
	);
});

test('whatever a server says in one breath is no answer to questions that it had not heard', () => {
	fc.assert(
		fc.property(plan, fc.array(segment, { maxLength: 12 }), (ours, segments) => {
			const session = new SmtpSession(ours);
			session.receive(encoder.encode(`220 mx.test\r\n${segments.join('')}`));
			session.giveUp('closed');
			const { targets, invented } = session.report();
			for (const { reply } of [...targets, ...invented]) expect(reply).toBeNull();
		}),
		{ numRuns: 200 },
	);
});
