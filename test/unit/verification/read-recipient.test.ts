import { describe, expect, test } from 'vitest';
import type { RecipientReply, SessionReport } from '../../../src/core/smtp/session.ts';
import { interpretSession } from '../../../src/core/verification/interpret-session.ts';
import { linesOf } from '../../../tools/evidence-lines.ts';
import { stepsOf } from '../../../src/prober/steps.ts';
import { lessPlainRefusal } from '../../support/unit/less-plain.ts';
import { makeReply, makeReport } from '../../support/unit/session-report.ts';

// A refusal in words that no rule knows, beside the answers to recipients who surely do not exist.

const PLAIN = '550 We could not match this address with a subscriber';
const LESS_PLAIN = lessPlainRefusal();
const OPAQUE = '550 Q7 x19';
const OK = '250 2.1.5 ok';

const verdictOn = (report: SessionReport, elsewhere: readonly RecipientReply[] = []) =>
	interpretSession(report, null, 0, elsewhere).target.kind;

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

describe('the same words for an invented recipient, and another target', () => {
	const report = (targets: readonly (readonly [string, string])[]): SessionReport => ({
		...makeReport({ invented: [LESS_PLAIN] }),
		targets: targets.map(([recipient, written]) => ({ recipient, reply: makeReply(written) })),
	});

	test('a later target is accepted: the refusal was not about us', () => {
		const both = report([
			['ada@x.test', LESS_PLAIN],
			['bob@x.test', OK],
		]);
		expect(verdictOn(both)).toBe('rejected');
	});

	test('an earlier one proves nothing: a block may have begun since', () => {
		const both = report([
			['bob@x.test', OK],
			['ada@x.test', LESS_PLAIN],
		]);
		expect(interpretSession(both, null, 1).target.kind).toBe('unknown');
	});

	test.each([
		[LESS_PLAIN.replace('550', '550 ada@x.test [4f2-77]:'), 'rejected'],
		[LESS_PLAIN.replace('550', '554'), 'unknown'],
	])('ids and names may differ, the code may not: %s is %s', (target, kind) => {
		const both = report([
			['ada@x.test', target],
			['bob@x.test', OK],
		]);
		expect(verdictOn(both)).toBe(kind);
	});
});

test('no witness changes what a rule says', () => {
	const target = '550 5.1.1 <ada@x.test>: User unknown';
	for (const invented of [[], [OK], ['554 5.7.1 blocked using zen.spamhaus.org'], ['550 No such user']]) {
		expect(verdictOn(makeReport({ target, invented }))).toBe('rejected');
	}
});

test('an invented recipient whose refusal is read by its words shows that the domain is no catch-all', () => {
	const { target, invented } = interpretSession(makeReport({ target: OK, invented: [PLAIN] }), null);
	expect([target.kind, invented]).toEqual(['accepted', 'rejected']);
});

describe('the explanation of a verdict', () => {
	const told = (report: SessionReport): string => {
		const steps = stepsOf(0, 'mx.x.test', report, null, []);
		return linesOf(steps.map(({ at, ...step }) => ({ ...step, at_ms: at }))).join('\n');
	};
	const linesOn = (target: string): string => told(makeReport({ target }));

	test('says that no rule knew the wording, and how sure its words make us', () => {
		expect(linesOn(PLAIN)).toMatch(
			/rcpt .*\[words\.no_such_mailbox, reply-words\] likelihood (?:0\.[89]\d|1\.00)/u,
		);
	});

	test('has a server that timed out say nothing', () => {
		const lines = told({ ...makeReport({ target: null }), end: { kind: 'timeout' } });
		expect(lines).toMatch(/The conversation ended at \w+: timeout/u);
		expect(lines).not.toContain(' rcpt ');
	});

	test('names only the rule where one knew it', () => {
		expect(linesOn('550 5.1.1 User unknown')).not.toContain('likelihood');
	});
});
