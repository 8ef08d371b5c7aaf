import { expect, test } from 'vitest';
import type { SpeaksFor } from '../../../src/core/mail-operators/operator-row.ts';
import type { QuestionClass } from '../../../src/engine/question.ts';
import { leftAlone } from '../../../src/prober/host-visit.ts';

const PAUSE = { why: 'rate_limited', until: 60_000 } as const;

test.each<[QuestionClass, SpeaksFor, 'paused' | 'postponed']>([
	['single', 'operator', 'paused'],
	['single', 'itself', 'paused'],
	['small', 'operator', 'postponed'],
	['list', 'operator', 'postponed'],
	['list', 'customer', 'postponed'],
	// A server that always limits us must not keep a job open until its horizon.
	['small', 'itself', 'paused'],
	['list', 'itself', 'paused'],
])(
	'a question of the class %s about a host that speaks for %s, while it is left alone, is %s',
	(urgency, speaksFor, kind) => {
		expect(leftAlone(PAUSE, { speaksFor }, urgency).kind).toBe(kind);
	},
);

test('a list hears at once that a customer’s domain refuses us', () => {
	expect(leftAlone({ ...PAUSE, ofDomain: true }, { speaksFor: 'operator' }, 'list').kind).toBe('paused');
});
