import type { SessionEnd, RecipientReply, SessionReport } from '../../../src/core/smtp/session.ts';
import { readSession } from '../../../src/core/verification/interpret-session.ts';
import type { Interpretation, TargetFinding } from '../../../src/core/verification/finding.ts';
import { stepsOf } from '../../../src/prober/steps.ts';
import { lessPlainRefusal } from '../../support/unit/less-plain.ts';
import { makeReport, makeReply } from '../../support/unit/session-report.ts';
import type { Heard } from '../../support/unit/session-report.ts';
import { linesOf } from '../../../tools/for-people.ts';
import { describe, expect, test } from 'vitest';

const accepted: TargetFinding = { kind: 'accepted', certainly: false };
const rejected: TargetFinding = { kind: 'rejected', why: 'rejected_email' };
const unknown = (why: Extract<TargetFinding, { kind: 'unknown' }>['why']): TargetFinding => ({
	kind: 'unknown',
	why,
});

const OK = '250 2.1.5 ok';
const read = (heard: Heard): Interpretation =>
	readSession(makeReport(heard), null).targets[0]!.interpretation;

const NO_SUCH_USER = '550 5.1.1 <ada@x.test>: Recipient address rejected: User unknown';
const RANDOM_UNKNOWN = '550 5.1.1 User unknown';

test.each<[string, Heard['stage'], TargetFinding, Interpretation['advice']]>([
	['550 5.1.1 User unknown', 'mail', unknown('antispam_system'), 'final'],
	['550 5.1.1 User unknown', 'greeting', unknown('antispam_system'), 'final'],
	['250 ok', 'mail', unknown('antispam_system'), 'final'],
	['421 4.3.2 All server ports are busy', 'greeting', unknown('unavailable_smtp'), 'next_host'],
	['451 4.7.1 Greylisted, try again later', 'mail', unknown('greylisted'), 'ask_again_soon'],
	['451 4.3.0 temporary failure', 'ehlo', unknown('unavailable_smtp'), 'ask_again_soon'],
	['530 5.7.0 Must issue a STARTTLS command first', 'mail', unknown('tls_required'), 'final'],
	['500 go away', 'greeting', unknown('unexpected_error'), 'final'],
])('a refusal before any recipient is never about the mailbox: %s (%s)', (refused, stage, target, advice) => {
	expect(read({ refused, stage: stage ?? 'mail', pipelined: stage === 'mail' })).toMatchObject({
		target,
		invented: 'no_evidence',
		advice,
	});
});

test.each<[string, Heard]>([
	['at RCPT', { target: '503 5.5.1 Improper use of SMTP command pipelining' }],
	['at MAIL', { refused: '554 5.5.0 Error: SMTP protocol synchronization', stage: 'mail' }],
])('a server that stumbles over a group of commands is asked one by one: %s', (_, heard) => {
	for (const pipelined of [true, false]) {
		const advice = pipelined ? 'ask_in_lockstep' : 'final';
		expect(read({ ...heard, pipelined })).toMatchObject({ advice, target: unknown('unexpected_error') });
	}
});

describe('a conversation without an answer', () => {
	test.each([
		['timeout', 'greeting', 'timeout', 'next_host'],
		['timeout', 'rcpt', 'timeout', 'final'],
		['closed', 'greeting', 'unavailable_smtp', 'next_host'],
		['closed', 'ehlo', 'unavailable_smtp', 'final'],
		['fault', 'greeting', 'unavailable_smtp', 'next_host'],
		['fault', 'rcpt', 'unavailable_smtp', 'final'],
		['smtputf8_missing', 'ehlo', 'smtputf8_unsupported', 'final'],
		// A bug of ours.
		['complete', 'rcpt', 'unexpected_error', 'final'],
	] as const)('that ended by %s at %s: %s', (kind, stage, why, advice) => {
		const end = { kind } as SessionEnd;
		const said = { target: unknown(why), invented: 'no_evidence', advice, rule: null, replyCode: null };
		expect(read({ end, stage, target: null })).toEqual(said);
	});

	test('but an answer that came before the end counts', () => {
		expect(read({ target: NO_SUCH_USER, end: { kind: 'closed' } }).target).toEqual(rejected);
	});
});

describe('invented recipients', () => {
	test.each<[string, readonly (string | null)[], Interpretation['invented']]>([
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

test('the interpretation names the deciding rule and reply', () => {
	expect(read({ target: NO_SUCH_USER })).toMatchObject({ replyCode: '550 5.1.1' });
	expect(read({ target: '550 No such user (ada@x.test)' })).toMatchObject({ replyCode: '550' });
	expect(read({ refused: '554 5.7.1 no', stage: 'greeting' })).toMatchObject({ replyCode: '554 5.7.1' });
	expect(read({ target: OK }).rule).toBe('accepted.class_2');
});

const NOT_ALLOWED = '550 5.7.124 RESOLVER.RST.SenderNotInAllowedList; not authorized';
const TOO_QUICKLY = '450 4.2.1 The user you are trying to contact is receiving mail too quickly';
const OVER_QUOTA = '452 4.2.2 The email account that you tried to reach is over quota';
const FULL = '552 5.2.2 mailbox full';
const ONLY = '550 Only qzx0@x.test is allowed to receive mail';
const SWAPPED = '550 5.1.1 <qzx0@x.test>: no such user';

test.each<[string, string, readonly string[], TargetFinding]>([
	[
		'that takes no mail from strangers exists, deliverable or not',
		NOT_ALLOWED,
		[],
		unknown('antispam_system'),
	],
	['is not too busy where all are', TOO_QUICKLY, [TOO_QUICKLY], unknown('rate_limited')],
	['is not over its quota where all are', OVER_QUOTA, [OVER_QUOTA], unknown('unavailable_smtp')],
	['is not full where all are', FULL, [FULL], unknown('unavailable_smtp')],
	[
		'is not meant where another one is named',
		SWAPPED,
		['250 2.1.5 <ada@x.test> ok'],
		unknown('unavailable_smtp'),
	],
	[
		'is not taken where its refusal is heard for another one',
		OK,
		[NO_SUCH_USER],
		unknown('unavailable_smtp'),
	],
	[
		'is taken where a refusal only says whom to contact',
		OK,
		['550 No such user, contact ada@x.test'],
		accepted,
	],
	['is meant where the only one there is is named', ONLY, [ONLY], rejected],
])('a mailbox %s', (_, target, invented, finding) => {
	expect(read({ target, invented }).target).toEqual(finding);
});

test.each([
	[[null], 'unknown'],
	[['450 4.2.0 later'], 'unknown'],
	[['550 5.1.1 no such user'], 'accepted'],
] as const)('a 252 counts only where invented recipients are told apart: %j', (invented, kind) => {
	expect(read({ target: '252 2.1.5 cannot verify', invented }).target.kind).toBe(kind);
});

// A refusal in words that no rule knows, beside the answers to recipients who surely do not exist.

const PLAIN = '550 We could not match this address with a subscriber';
const LESS_PLAIN = lessPlainRefusal();
const OPAQUE = '550 Q7 x19';

const verdictOn = (report: SessionReport, elsewhere: readonly RecipientReply[] = []) =>
	readSession(report, null, elsewhere).targets[0]?.interpretation.target.kind;

describe('what an invented recipient was answered', () => {
	test.each([
		['nothing was asked', [], PLAIN, 'rejected'],
		['nothing was asked', [], LESS_PLAIN, 'unknown'],
		['accepted: the server refuses this one and takes every other', [OK], LESS_PLAIN, 'rejected'],
		['accepted, but the words say nothing', [OK], OPAQUE, 'unknown'],
		['accepted unverified: no proof that we are served', ['252 2.0.0 will try'], LESS_PLAIN, 'unknown'],
		['the same words: all missing, or all of us refused', [LESS_PLAIN], LESS_PLAIN, 'unknown'],
		['the same words, and plain ones', [PLAIN], PLAIN, 'rejected'],
		['other words for a missing mailbox', ['550 5.1.1 User unknown'], PLAIN, 'unknown'],
		['refused because of us', ['554 5.7.1 blocked using zen.spamhaus.org'], PLAIN, 'unknown'],
		['refused for our speed', ['550 Too many invalid recipients'], PLAIN, 'unknown'],
		['one accepted, one called missing in other words', [OK, '550 No such user'], PLAIN, 'unknown'],
		['deferred: that says nothing', ['450 4.2.0 Greylisted'], PLAIN, 'rejected'],
		['other words that no rule knows: that says nothing', [OPAQUE], PLAIN, 'rejected'],
		['silence', [null], LESS_PLAIN, 'unknown'],
	] as const)('%s %j: "%s" is %s', (_, invented, target, kind) => {
		expect(verdictOn(makeReport({ target, invented }))).toBe(kind);
	});

	test('it counts from an earlier conversation with the same host, too', () => {
		const elsewhere = [{ recipient: 'qzx0@x.test', reply: makeReply(OK) }];
		expect(verdictOn(makeReport({ target: LESS_PLAIN }), elsewhere)).toBe('rejected');
	});
});

test.each([
	['later: the refusal was not about us', [LESS_PLAIN, OK], 0, 'rejected'],
	['earlier, which proves nothing: a block may have begun since', [OK, LESS_PLAIN], 1, 'unknown'],
	['with another id or name', [LESS_PLAIN.replace('550', '550 ada@x.test [4f2-77]:'), OK], 0, 'rejected'],
	['with another code, which is another answer', [LESS_PLAIN.replace('550', '554'), OK], 0, 'unknown'],
])('an invented recipient hears the same words, while another target is accepted %s', (_, said, at, kind) => {
	const recipientOf = (index: number): string => (index === at ? 'ada@x.test' : 'bob@x.test');
	const targets = said.map((text, index) => ({ recipient: recipientOf(index), reply: makeReply(text) }));
	const report = { ...makeReport({ invented: [LESS_PLAIN] }), targets };
	expect(readSession(report, null).targets[at]?.interpretation.target.kind).toBe(kind);
});

test('no witness changes what a rule says', () => {
	for (const invented of [[], [OK], ['554 5.7.1 blocked using zen.spamhaus.org'], ['550 No such user']])
		expect(verdictOn(makeReport({ target: NO_SUCH_USER, invented }))).toBe('rejected');
});

test('an invented recipient whose refusal is read by its words shows that the domain is no catch-all', () => {
	const { target, invented } = read({ target: OK, invented: [PLAIN] });
	expect([target.kind, invented]).toEqual(['accepted', 'rejected']);
});

test('the explanation of a verdict has a server that timed out say nothing', () => {
	const report = { ...makeReport({ target: null }), end: { kind: 'timeout' } } as const;
	const steps = stepsOf(0, 'mx.x.test', report, readSession(report, null));
	const lines = linesOf(steps.map(({ at, ...step }) => ({ ...step, at_ms: at }))).join('\n');
	expect(lines).toMatch(/The conversation ended at \w+: timeout/u);
	expect(lines).not.toContain(' rcpt ');
});
