import { describe, expect, test } from 'vitest';
import { interpretSession } from '../../../src/core/verification/interpret-session.ts';
import type {
	Advice,
	Interpretation,
	InventedFinding,
	TargetFinding,
} from '../../../src/core/verification/interpret-session.ts';
import type { SessionEnd } from '../../../src/core/smtp/session.ts';
import type { SubStatusOf } from '../../../src/core/verification/sub-status.ts';
import { makeReport } from '../../support/unit/session-report.ts';
import type { Heard } from '../../support/unit/session-report.ts';

const accepted: TargetFinding = { kind: 'accepted', certainly: false };
const exists: TargetFinding = { kind: 'accepted', certainly: true };
const rejected: TargetFinding = { kind: 'rejected', why: 'rejected_email' };
const unknown = (why: Extract<TargetFinding, { kind: 'unknown' }>['why']): TargetFinding => ({
	kind: 'unknown',
	why,
});

const read = (heard: Heard): Interpretation => interpretSession(makeReport(heard), null);

const OK = '250 2.1.5 ok';
const NO_SUCH_USER = '550 5.1.1 <ada@x.test>: Recipient address rejected: User unknown';
const TOO_MANY = '452 4.5.3 Too many recipients';
const RANDOM_UNKNOWN = '550 5.1.1 User unknown';

// The wordings themselves: test/golden, and the rules' own tests.
test.each<[string, Heard, TargetFinding, InventedFinding, Advice]>([
	['valid mailbox', { target: OK, invented: [RANDOM_UNKNOWN] }, accepted, 'rejected', 'final'],
	['catch-all domain', { target: OK, invented: [OK, OK, OK] }, accepted, 'accepted', 'final'],
	['greylisted', { target: '450 4.2.0 Greylisted' }, unknown('greylisted'), 'no_evidence', 'ask_again_soon'],
	['a second recipient put off', { target: OK, invented: [TOO_MANY] }, accepted, 'no_evidence', 'final'],
	['hung up after a refusal', { target: NO_SUCH_USER, invented: [null] }, rejected, 'no_evidence', 'final'],
	[
		'too much mail',
		{ target: '450 4.2.1 receiving mail at a rate that is too high' },
		exists,
		'no_evidence',
		'final',
	],
])('%s', (_, heard, target, invented, advice) => {
	expect(read(heard)).toMatchObject({ target, invented, advice });
});

describe('what was refused before any recipient is never about the mailbox', () => {
	test.each<[string, Heard['stage'], TargetFinding, Advice]>([
		['550 5.1.1 User unknown', 'mail', unknown('antispam_system'), 'final'],
		['550 5.1.1 User unknown', 'greeting', unknown('antispam_system'), 'final'],
		['250 ok', 'mail', unknown('antispam_system'), 'final'],
		['421 4.3.2 All server ports are busy', 'greeting', unknown('unavailable_smtp'), 'next_host'],
		['451 4.7.1 Greylisted, try again later', 'mail', unknown('greylisted'), 'ask_again_soon'],
		['451 4.3.0 temporary failure', 'ehlo', unknown('unavailable_smtp'), 'ask_again_soon'],
		['530 5.7.0 Must issue a STARTTLS command first', 'mail', unknown('tls_required'), 'final'],
		['500 go away', 'greeting', unknown('unexpected_error'), 'final'],
	])('%s (%s)', (refused, stage, target, advice) => {
		expect(read({ refused, stage: stage ?? 'mail', pipelined: stage === 'mail' })).toMatchObject({
			target,
			invented: 'no_evidence',
			advice,
		});
	});
});

describe('a server that stumbles over a group of commands is asked one by one', () => {
	test.each<[string, Heard]>([
		['at RCPT', { target: '503 5.5.1 Improper use of SMTP command pipelining' }],
		['at MAIL', { refused: '554 5.5.0 Error: SMTP protocol synchronization', stage: 'mail' }],
	])('%s', (_, heard) => {
		expect(read({ ...heard, pipelined: true })).toMatchObject({
			advice: 'ask_in_lockstep',
			target: unknown('unexpected_error'),
		});
		expect(read({ ...heard, pipelined: false })).toMatchObject({
			advice: 'final',
			target: unknown('unexpected_error'),
		});
	});
});

describe('a conversation without an answer', () => {
	test.each<[NonNullable<Heard['end']>['kind'], NonNullable<Heard['stage']>, SubStatusOf<'unknown'>, Advice]>(
		[
			['timeout', 'greeting', 'timeout', 'next_host'],
			['timeout', 'rcpt', 'timeout', 'final'],
			['closed', 'greeting', 'unavailable_smtp', 'next_host'],
			['closed', 'ehlo', 'unavailable_smtp', 'final'],
			['fault', 'greeting', 'unavailable_smtp', 'next_host'],
			['fault', 'rcpt', 'unavailable_smtp', 'final'],
			['smtputf8_missing', 'ehlo', 'smtputf8_unsupported', 'final'],
			// A bug of ours.
			['complete', 'rcpt', 'unexpected_error', 'final'],
		],
	)('that ended by %s at %s: %s', (kind, stage, why, advice) => {
		const end = kind === 'fault' ? ({ kind, fault: 'not_smtp' } as const) : ({ kind } as SessionEnd);
		const said = { target: unknown(why), invented: 'no_evidence', advice, rule: null, replyCode: null };
		expect(read({ end, stage, target: null })).toEqual(said);
	});

	test('but an answer that came before the end counts', () => {
		expect(read({ target: NO_SUCH_USER, end: { kind: 'closed' } }).target).toEqual(rejected);
	});
});

describe('invented recipients', () => {
	test.each<[string, readonly (string | null)[], InventedFinding]>([
		['none was asked', [], 'no_evidence'],
		['the only one was accepted', [OK], 'accepted'],
		['all were accepted', [OK, OK, OK], 'accepted'],
		['all are unknown users', [RANDOM_UNKNOWN, RANDOM_UNKNOWN], 'rejected'],
		['one of each', [OK, RANDOM_UNKNOWN], 'mixed'],
		['some of each', [OK, RANDOM_UNKNOWN, OK], 'mixed'],
		['one accepted, one deferred', [OK, '450 4.2.0 Greylisted'], 'mixed'],
		['one accepted, one not answered', [OK, null], 'mixed'],
		['one unknown, one not answered', [RANDOM_UNKNOWN, null], 'rejected'],
		['not answered', [null], 'no_evidence'],
		['deferred', ['450 4.2.0 Greylisted'], 'no_evidence'],
		['refused for our address', ['550 5.7.1 blocked using zen.spamhaus.org'], 'no_evidence'],
		['refused without a reason', ['550 5.0.0 no'], 'no_evidence'],
		['too many of them', ['452 4.5.3 Too many recipients'], 'no_evidence'],
	])('%s', (_, invented, finding) => {
		expect(read({ target: OK, invented }).invented).toBe(finding);
	});

	test('are worth nothing after a protocol error that we caused ourselves', () => {
		expect(read({ target: '503 5.5.1 pipelining', invented: [OK] }).invented).toBe('no_evidence');
	});
});

test('a mailbox that takes no mail from strangers exists, and is not claimed to be deliverable', () => {
	const target = '550 5.7.124 RESOLVER.RST.SenderNotInAllowedList; not authorized';
	expect(read({ target }).target).toEqual(unknown('antispam_system'));
});

test('the interpretation names the deciding rule and reply', () => {
	expect(read({ target: NO_SUCH_USER })).toMatchObject({ replyCode: '550 5.1.1' });
	expect(read({ target: '550 No such user (ada@x.test)' })).toMatchObject({ replyCode: '550' });
	expect(read({ refused: '554 5.7.1 no', stage: 'greeting' })).toMatchObject({ replyCode: '554 5.7.1' });
	expect(read({ target: OK }).rule).toBe('accepted.class_2');
});

describe('what the server says of invented recipients too, it does not say of this one', () => {
	test.each([
		['450 4.2.1 The user you are trying to contact is receiving mail too quickly', 'rate_limited'],
		['452 4.2.2 The email account that you tried to reach is over quota', 'unavailable_smtp'],
		['552 5.2.2 mailbox full', 'unavailable_smtp'],
	] as const)('%s, to all', (words, why) => {
		const { target } = interpretSession(makeReport({ target: words, invented: [words] }), null);
		expect(target).toEqual({ kind: 'unknown', why });
	});
});

test('an answer that names an invented recipient instead of ours belongs to another question', () => {
	const swapped = makeReport({
		target: '550 5.1.1 <qzx0@x.test>: no such user',
		invented: ['250 2.1.5 <ada@x.test> ok'],
	});
	expect(interpretSession(swapped, null).target).toEqual({ kind: 'unknown', why: 'unavailable_smtp' });
});

test('a server that names its only mailbox instead of ours speaks of ours', () => {
	const only = makeReport({
		target: '550 Only qzx0@x.test is allowed to receive mail',
		invented: ['550 Only qzx0@x.test is allowed to receive mail'],
	});
	expect(interpretSession(only, null).target).toEqual(rejected);
});

test.each([
	[[null], 'unknown'],
	[['450 4.2.0 later'], 'unknown'],
	[['550 5.1.1 no such user'], 'accepted'],
] as const)('a 252 counts only where invented recipients are told apart: %j', (invented, kind) => {
	const report = makeReport({ target: '252 2.1.5 cannot verify', invented: [...invented] });
	expect(interpretSession(report, null).target.kind).toBe(kind);
});
