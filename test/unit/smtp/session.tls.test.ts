import { describe, expect, test } from 'vitest';
import { SmtpSession } from '../../../src/core/smtp/session.ts';
import { interpretSession } from '../../../src/core/verification/interpret-session.ts';
import { FLIGHT, greeted, ok, playDialogue, playInSegments, say } from '../../support/unit/dialogue.ts';
import { makePlan } from '../../support/unit/smtp-plan.ts';

// RFC 3207: STARTTLS where the server demands it, or where the operator is known to treat others worse.

const ON_DEMAND = makePlan({ tls: 'when_demanded' });
const OFFERED = greeted('PIPELINING', 'STARTTLS');
const MUST = '> 530 5.7.0 Must issue a STARTTLS command first';
const AGAIN = [
	'< STARTTLS',
	'> 220 2.0.0 Ready to start TLS',
	'! tls',
	'< EHLO probe.us.test',
	'> 250-mx.test',
	'> 250 PIPELINING',
	...FLIGHT,
	'> 250 sender ok',
	'> 250 recipient ok',
	'> 550 5.1.1 no such user',
];
const verdict = (report: ReturnType<typeof playDialogue>): object => ({
	end: report.end.kind,
	target: interpretSession(report, null).target,
	secured: report.secured,
});
const HEARD = { end: 'complete', target: { kind: 'accepted', certainly: false }, secured: true };

describe('a server that demands TLS', () => {
	test.each([
		[
			'530 to MAIL, and 503 to the rest of the group',
			[...OFFERED, ...FLIGHT, MUST, '> 503 need MAIL', '> 503 need MAIL'],
		],
		['530 to each command of the group', [...OFFERED, ...FLIGHT, MUST, MUST, MUST]],
		[
			'4.7.29 by a rate limiter',
			[
				...OFFERED,
				...FLIGHT,
				'> 250 ok',
				'> 421 4.7.29 TLS required for this sender',
				'> 421 4.7.29 TLS required for this sender',
			],
		],
		[
			'5.7.29 at RCPT',
			[...OFFERED, ...FLIGHT, '> 250 ok', '> 550 5.7.29 TLS required', '> 550 5.7.29 TLS required'],
		],
		['530 one by one', [...greeted('STARTTLS'), '< MAIL FROM:<v@us.test>', MUST]],
	])('by %s is asked again over TLS, and answers', (_, before) => {
		expect(verdict(playDialogue(ON_DEMAND, [...before, ...AGAIN]))).toEqual(HEARD);
	});

	test('is believed about nothing that it said before: not its keywords, not its answers', () => {
		const report = playDialogue(ON_DEMAND, [
			...OFFERED,
			...FLIGHT,
			...ok(2),
			'> 530 Must issue a STARTTLS command first',
			'< STARTTLS',
			'> 220 go',
			'! tls',
			'< EHLO probe.us.test',
			'> 250 mx.test',
			'< MAIL FROM:<v@us.test>',
			'> 250 ok',
			'< RCPT TO:<ada@x.test>',
			'> 550 5.1.1 no such user',
		]);
		expect(report).toMatchObject({ pipelined: false, secured: true });
		expect(interpretSession(report, null).target).toEqual({ kind: 'rejected', why: 'rejected_email' });
	});

	test.each([
		['refuses STARTTLS then', ['< STARTTLS', '> 454 TLS not available due to temporary reason']],
		['fails the handshake', ['< STARTTLS', '> 220 go', '! tls failed']],
		['hangs in the handshake', ['< STARTTLS', '> 220 go', '! tls timeout']],
		['says nothing to STARTTLS', ['< STARTTLS', '! timeout']],
		['hangs up instead', ['< STARTTLS', '! closed']],
	])('and %s leaves the address unknown for that reason', (_, after) => {
		const report = playDialogue(ON_DEMAND, [...OFFERED, ...FLIGHT, MUST, MUST, MUST, ...after]);
		expect(verdict(report)).toEqual({
			end: 'tls_failed',
			target: { kind: 'unknown', why: 'tls_required' },
			secured: false,
		});
	});

	test('but does not offer it is reported unchanged', () => {
		const report = playDialogue(ON_DEMAND, [...greeted('PIPELINING'), ...FLIGHT, MUST]);
		expect(verdict(report)).toEqual({
			end: 'refused',
			target: { kind: 'unknown', why: 'tls_required' },
			secured: false,
		});
	});

	test('is not demanding it twice: over TLS a 530 is what it says', () => {
		const report = playDialogue(ON_DEMAND, [
			...OFFERED,
			...FLIGHT,
			MUST,
			MUST,
			MUST,
			...AGAIN.slice(0, 9),
			MUST,
		]);
		expect(verdict(report)).toMatchObject({ end: 'refused', secured: true });
	});

	test('is reported unchanged where the connection has no TLS', () => {
		const report = playDialogue(makePlan(), [...OFFERED, ...FLIGHT, MUST]);
		expect(verdict(report)).toMatchObject({
			end: 'refused',
			target: { kind: 'unknown', why: 'tls_required' },
		});
	});
});

describe('an operator that treats callers without TLS worse', () => {
	const plan = makePlan({ tls: 'when_offered' });

	test('is asked over TLS from the envelope on', () => {
		expect(verdict(playDialogue(plan, [...OFFERED, ...AGAIN]))).toEqual(HEARD);
	});

	test('is asked in plain text where it does not offer TLS, or has none just now', () => {
		const plain = [...FLIGHT, ...ok(2), '> 550 5.1.1 no such user'];
		const expected = { ...HEARD, secured: false };
		expect(verdict(playDialogue(plan, [...greeted('PIPELINING'), ...plain]))).toEqual(expected);
		const refused = [...OFFERED, '< STARTTLS', '> 454 TLS not available', ...plain];
		expect(verdict(playDialogue(plan, refused))).toEqual(expected);
	});
});

test('what a server says behind its 220 in plain text is never heard (CVE-2011-0411)', () => {
	const report = playInSegments(ON_DEMAND, [
		...OFFERED,
		...FLIGHT,
		MUST,
		MUST,
		MUST,
		'< STARTTLS',
		'> 220 go',
		'> 250 injected',
		'> 250 injected',
		'! tls',
		'< EHLO probe.us.test',
		'> 250 mx.test',
		'< MAIL FROM:<v@us.test>',
		'> 250 ok',
		'< RCPT TO:<ada@x.test>',
		'> 550 5.1.1 no such user',
	]);
	expect(interpretSession(report, null).target).toEqual({ kind: 'rejected', why: 'rejected_email' });
	expect(JSON.stringify(report.exchanges)).not.toContain('injected');
});

test('the next conversation over a secured connection goes on without another STARTTLS', () => {
	const line = {
		keywords: new Set(['PIPELINING', 'STARTTLS']),
		greeting: { code: 220, enhanced: null, text: 'mx' },
		secured: true,
		tlsRefused: false,
		transactions: 1,
		errors: 0,
		perTransaction: 20,
	};
	const session = new SmtpSession(makePlan({ tls: 'when_offered' }), line);
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
