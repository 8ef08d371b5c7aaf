import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { findMailOperator } from '../../../src/core/mail-operators/operators.ts';
import { decide } from '../../../src/core/verification/decide.ts';
import type { Interpretation, TargetFinding } from '../../../src/core/verification/finding.ts';
import { statusOf } from '../../../src/core/verification/sub-status.ts';

const TARGETS = {
	accepted: { kind: 'accepted', certainly: false },
	exists: { kind: 'accepted', certainly: true },
	gone: { kind: 'rejected', why: 'rejected_email' },
	disabled: { kind: 'rejected', why: 'mailbox_disabled' },
	full: { kind: 'full' },
	policy: { kind: 'unknown', why: 'antispam_system' },
	greylisted: { kind: 'unknown', why: 'greylisted' },
} as const satisfies Readonly<Record<string, TargetFinding>>;
const OPERATORS = {
	google: findMailOperator(['aspmx.l.google.com']),
	yahoo: findMailOperator(['mta5.am0.yahoodns.net']),
	proofpoint: findMailOperator(['mxa-0050be01.gslb.pphosted.com']),
};

/** Of the words, the target's comes first, and that of the invented recipients second; then who answered, and of where. */
function decideOn(words: string): ReturnType<typeof decide> {
	const [target = '', invented = '', ...about] = words.split(' ');
	const interpretation = {
		target: TARGETS[target as keyof typeof TARGETS],
		invented: invented as Interpretation['invented'],
		...({ advice: 'final', rule: null, replyCode: null } as const),
	};
	const operator = about.map((word) => OPERATORS[word as keyof typeof OPERATORS]).find(Boolean) ?? null;
	return decide({ interpretation, viaBackup: about.includes('backup') }, operator, about.includes('typo'));
}

// The sub_status, and whether the domain is a catch-all; `deep`: only a deeper check decides. The plain ones: test/golden.
const CASES = `
accepted accepted -> deep
accepted mixed -> deep
accepted rejected typo -> possible_typo false
accepted accepted typo -> deep
accepted no_evidence yahoo -> accepts_everything null
exists no_evidence yahoo -> accepted_email null
accepted rejected backup -> accepted_email false
accepted accepted backup -> no_connect null
accepted mixed backup -> no_connect null
accepted no_evidence backup -> no_connect null
exists no_evidence backup -> accepted_email null
exists rejected -> accepted_email false
exists rejected typo -> possible_typo false
accepted accepted proofpoint -> deep
gone no_evidence -> rejected_email null
gone accepted -> catch_all_invalid true
disabled accepted -> catch_all_invalid true
gone rejected backup -> rejected_email false
gone rejected typo -> rejected_email false
gone no_evidence yahoo -> rejected_email null
full no_evidence -> mailbox_full null
policy no_evidence google -> antispam_system null
`;

test.each(
	CASES.trim()
		.split('\n')
		.map((line) => line.split(' -> ') as [string, string]),
)('%s: %s', (words, expected) => {
	const decision = decideOn(words);
	expect(decision === null ? 'deep' : `${decision.subStatus} ${decision.catchAll}`).toBe(expected);
});

test('deliverable is said of accepted addresses only, undeliverable of refused ones only', () => {
	const word = (words: string) => fc.constantFrom(...words.split(' '));
	const cases = fc.tuple(
		word(Object.keys(TARGETS).join(' ')),
		word('accepted rejected mixed no_evidence'),
		word('nobody google yahoo proofpoint'),
		word('first backup'),
		word('meant typo'),
	);
	fc.assert(
		fc.property(cases, ([target, invented, ...about]) => {
			const { kind } = TARGETS[target as keyof typeof TARGETS];
			const decision = decideOn([target, invented, ...about].join(' '));
			if (decision === null) {
				expect([target, invented === 'accepted' || invented === 'mixed']).toEqual(['accepted', true]);
				return;
			}
			const status = statusOf(decision.subStatus);
			if (status === 'deliverable') expect(kind).toBe('accepted');
			expect(status === 'undeliverable').toBe(kind === 'rejected');
			if (kind === 'unknown') expect(status).toBe('unknown');
			// A conversation proves nothing that it did not show.
			if (decision.catchAll === true) expect(invented).toBe('accepted');
			if (decision.catchAll === false) expect(invented).toBe('rejected');
		}),
		{ numRuns: 200 },
	);
});
