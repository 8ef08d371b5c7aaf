import { describe, expect, test } from 'vitest';
import { SmtpSession } from '../../../src/core/smtp/session.ts';
import { readSession } from '../../../src/core/verification/interpret-session.ts';
import { asks, greeted, playDialogue, playInSegments, say } from '../../support/unit/dialogue.ts';
import { makePlan, USED_LINE } from '../../support/unit/smtp-plan.ts';

// RFC 3207: STARTTLS where the server demands it, or where the operator is known to treat others worse.

const ON_DEMAND = makePlan({ tls: 'when_demanded' });
const OFFERED = greeted('PIPELINING', 'STARTTLS');
const MUST = '530 5.7.0 Must issue a STARTTLS command first';
/** The flight in plain text, refused for want of TLS. */
const DEMANDED = asks('MAIL ada qzx', MUST, MUST, MUST);
const SECURED = [...asks('STARTTLS', '220 2.0.0 Ready to start TLS'), '! tls'];
/** What a server of one command at a time says over TLS of a mailbox that it does not have. */
const GONE = [...asks('EHLO', '250 mx.test'), ...asks('MAIL', 250), ...asks('ada', '550 5.1.1 no such user')];
const AGAIN = [
	...SECURED,
	...asks('EHLO', '250-mx.test', '250 PIPELINING'),
	...asks('MAIL ada qzx', '250 sender ok', '250 recipient ok', '550 5.1.1 no such user'),
];
const verdict = (report: ReturnType<typeof playDialogue>): object => ({
	end: report.end.kind,
	target: readSession(report, null).targets[0]?.interpretation.target,
	secured: report.secured,
});
const HEARD = { end: 'complete', target: { kind: 'accepted', certainly: false }, secured: true };

describe('a server that demands TLS', () => {
	const limited = '421 4.7.29 TLS required for this sender';
	const required = '550 5.7.29 TLS required';
	test.each([
		['530 to MAIL, and 503 to the rest of the group', [...OFFERED, ...asks('MAIL ada qzx', MUST, 503, 503)]],
		['530 to each command of the group', [...OFFERED, ...DEMANDED]],
		['4.7.29 by a rate limiter', [...OFFERED, ...asks('MAIL ada qzx', 250, limited, limited)]],
		['5.7.29 at RCPT', [...OFFERED, ...asks('MAIL ada qzx', 250, required, required)]],
		['530 one by one', [...greeted('STARTTLS'), ...asks('MAIL', MUST)]],
	])('by %s is asked again over TLS, and answers', (_, before) => {
		expect(verdict(playDialogue(ON_DEMAND, [...before, ...AGAIN]))).toEqual(HEARD);
	});

	test('is believed about nothing that it said before: not its keywords, not its answers', () => {
		const before = asks('MAIL ada qzx', 250, 250, '530 Must issue a STARTTLS command first');
		const report = playDialogue(ON_DEMAND, [...OFFERED, ...before, ...SECURED, ...GONE]);
		expect(report).toMatchObject({ pipelined: false, secured: true });
		expect(readSession(report, null).targets[0]?.interpretation.target).toEqual({
			kind: 'rejected',
			why: 'rejected_email',
		});
	});

	const UNKNOWN = { target: { kind: 'unknown', why: 'tls_required' }, secured: false };
	test.each([
		['refuses STARTTLS then', asks('STARTTLS', '454 TLS not available due to temporary reason')],
		['fails the handshake', [...asks('STARTTLS', 220), '! tls failed']],
		['hangs in the handshake', [...asks('STARTTLS', 220), '! tls timeout']],
		['says nothing to STARTTLS', [...asks('STARTTLS'), '! timeout']],
		['hangs up instead', [...asks('STARTTLS'), '! closed']],
	])('and %s leaves the address unknown for that reason', (_, after) => {
		const report = playDialogue(ON_DEMAND, [...OFFERED, ...DEMANDED, ...after]);
		expect(verdict(report)).toEqual({ end: 'tls_failed', ...UNKNOWN });
	});

	test.each([
		['does not offer it', ON_DEMAND, greeted('PIPELINING')],
		['is reached over a connection that has no TLS', makePlan(), OFFERED],
	])('but %s is reported unchanged', (_, plan, start) => {
		const report = playDialogue(plan, [...start, ...asks('MAIL ada qzx', MUST)]);
		expect(verdict(report)).toEqual({ end: 'refused', ...UNKNOWN });
	});

	test('is not demanding it twice: over TLS a 530 is what it says', () => {
		const again = [...AGAIN.slice(0, -3), `> ${MUST}`];
		const report = playDialogue(ON_DEMAND, [...OFFERED, ...DEMANDED, ...again]);
		expect(verdict(report)).toMatchObject({ end: 'refused', secured: true });
	});
});

describe('an operator that treats callers without TLS worse', () => {
	const plan = makePlan({ tls: 'when_offered' });

	test('is asked over TLS from the envelope on', () => {
		expect(verdict(playDialogue(plan, [...OFFERED, ...AGAIN]))).toEqual(HEARD);
	});

	test('is asked in plain text where it does not offer TLS, or has none just now', () => {
		const plain = asks('MAIL ada qzx', 250, 250, '550 5.1.1 no such user');
		const expected = { ...HEARD, secured: false };
		expect(verdict(playDialogue(plan, [...greeted('PIPELINING'), ...plain]))).toEqual(expected);
		const refused = [...OFFERED, ...asks('STARTTLS', '454 TLS not available'), ...plain];
		expect(verdict(playDialogue(plan, refused))).toEqual(expected);
	});
});

test('what a server says behind its 220 in plain text is never heard (CVE-2011-0411)', () => {
	const injected = [...asks('STARTTLS', 220, '250 injected', '250 injected'), '! tls'];
	const report = playInSegments(ON_DEMAND, [...OFFERED, ...DEMANDED, ...injected, ...GONE]);
	expect(readSession(report, null).targets[0]?.interpretation.target).toEqual({
		kind: 'rejected',
		why: 'rejected_email',
	});
	expect(JSON.stringify(report.exchanges)).not.toContain('injected');
});

test('the next conversation over a secured connection goes on without another STARTTLS', () => {
	const session = new SmtpSession(makePlan({ tls: 'when_offered' }), { ...USED_LINE, tls: 'secured' });
	expect(new TextDecoder().decode(session.open())).toMatch(/^RSET\r\nMAIL FROM:/);
});

test('a server that offers TLS and does not keep to it is not asked for it again over the same connection', () => {
	const session = new SmtpSession(makePlan({ tls: 'when_offered' }));
	say(session, '220 mx.test');
	expect(say(session, '250-mx.test', '250-PIPELINING', '250 STARTTLS')).toBe('STARTTLS\r\n');
	expect(say(session, '454 4.7.0 not now')).toMatch(/^MAIL/);
	say(session, '250 ok', '250 ok', '550 5.1.1 no such user');
	const { line } = session;
	const next = new SmtpSession(makePlan({ tls: 'when_offered' }), line);
	expect(new TextDecoder().decode(next.open())).toMatch(/^RSET\r\nMAIL/);
	// It still counts as a server that offers encryption: the score of an address must not depend on who asked before.
	expect(line?.keywords).toContain('STARTTLS');
});
