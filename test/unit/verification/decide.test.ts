import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findMailOperator } from '../../../src/core/mail-operators/operators.ts';
import type { MailOperator } from '../../../src/core/mail-operators/operators.ts';
import { decide, subStatusOfCatchAll } from '../../../src/core/verification/decide.ts';
import type { InventedFinding, TargetFinding } from '../../../src/core/verification/interpret-session.ts';
import { statusOf } from '../../../src/core/verification/sub-status.ts';
import type { SubStatus } from '../../../src/core/verification/sub-status.ts';

const GOOGLE = findMailOperator(['aspmx.l.google.com']);
const YAHOO = findMailOperator(['mta5.am0.yahoodns.net']);
const PROOFPOINT = findMailOperator(['mxa-0050be01.gslb.pphosted.com']);

type Decision = ReturnType<typeof decide>;

interface About {
	readonly viaBackup?: boolean;
	readonly operator?: MailOperator | null;
	readonly likelyTypo?: boolean;
}

function decideOn(target: TargetFinding, invented: InventedFinding, about: About = {}): Decision {
	const { viaBackup = false, operator = null, likelyTypo = false } = about;
	const interpretation = { target, invented, advice: 'final', rule: null, replyCode: null } as const;
	return decide({ interpretation, viaBackup, operator }, likelyTypo);
}

/** No word: only a deeper check decides. */
type Row = readonly [
	string,
	TargetFinding,
	InventedFinding,
	About,
	SubStatus | null,
	catchAll: boolean | null,
];
const expectDecision = ([, target, invented, about, subStatus, catchAll]: Row): void =>
	expect(decideOn(target, invented, about)).toEqual(subStatus === null ? null : { subStatus, catchAll });
const accepted: TargetFinding = { kind: 'accepted', certainly: false };
const exists: TargetFinding = { kind: 'accepted', certainly: true };
const rejected: TargetFinding = { kind: 'rejected', why: 'rejected_email' };
const disabled: TargetFinding = { kind: 'rejected', why: 'mailbox_disabled' };
const full: TargetFinding = { kind: 'full' };
const policy: TargetFinding = { kind: 'unknown', why: 'antispam_system' };
const greylisted: TargetFinding = { kind: 'unknown', why: 'greylisted' };

describe('an address that was accepted', () => {
	test.each<Row>([
		['and an invented one refused', accepted, 'rejected', {}, 'accepted_email', false],
		['with nothing known of invented ones', accepted, 'no_evidence', {}, 'accepted_email', null],
		['like every invented one', accepted, 'accepted', {}, null, null],
		['like some invented ones', accepted, 'mixed', {}, null, null],
		['at one slip from a large provider', accepted, 'rejected', { likelyTypo: true }, 'possible_typo', false],
		['at such a domain that takes everybody', accepted, 'accepted', { likelyTypo: true }, null, null],
		['by Google', accepted, 'rejected', { operator: GOOGLE }, 'accepted_email', false],
		[
			'by Yahoo, which accepts everybody',
			accepted,
			'no_evidence',
			{ operator: YAHOO },
			'accepts_everything',
			null,
		],
		[
			'by Yahoo, which says that it exists',
			exists,
			'no_evidence',
			{ operator: YAHOO },
			'accepted_email',
			null,
		],
		[
			'by a backup that knows its mailboxes',
			accepted,
			'rejected',
			{ viaBackup: true },
			'accepted_email',
			false,
		],
		['by a backup that takes everybody', accepted, 'accepted', { viaBackup: true }, 'no_connect', null],
		['by a backup that takes some', accepted, 'mixed', { viaBackup: true }, 'no_connect', null],
		['by a backup that does not show it', accepted, 'no_evidence', { viaBackup: true }, 'no_connect', null],
		['for certain, by a backup', exists, 'no_evidence', { viaBackup: true }, 'accepted_email', null],
		['for certain, where invented ones are refused', exists, 'rejected', {}, 'accepted_email', false],
		[
			'for certain, at one slip from a provider',
			exists,
			'rejected',
			{ likelyTypo: true },
			'possible_typo',
			false,
		],
		['through a gateway that takes everybody', accepted, 'accepted', { operator: PROOFPOINT }, null, null],
	])('%s', (...row) => expectDecision(row));
});

describe('an address that was not accepted', () => {
	test.each<Row>([
		['nobody has it', rejected, 'rejected', {}, 'rejected_email', false],
		['nobody has it, nothing else is known', rejected, 'no_evidence', {}, 'rejected_email', null],
		['refused where invented ones are accepted', rejected, 'accepted', {}, 'catch_all_invalid', true],
		['disabled where invented ones are accepted', disabled, 'accepted', {}, 'catch_all_invalid', true],
		['disabled', disabled, 'rejected', {}, 'mailbox_disabled', false],
		['refused by a backup', rejected, 'rejected', { viaBackup: true }, 'rejected_email', false],
		[
			'refused at one slip from a provider',
			rejected,
			'rejected',
			{ likelyTypo: true },
			'rejected_email',
			false,
		],
		['refused by Yahoo', rejected, 'no_evidence', { operator: YAHOO }, 'rejected_email', null],
		['full', full, 'rejected', {}, 'mailbox_full', false],
		['full, nothing else is known', full, 'no_evidence', {}, 'mailbox_full', null],
		['a policy of the server', policy, 'rejected', {}, 'antispam_system', null],
		['a policy of a gateway', policy, 'no_evidence', { operator: PROOFPOINT }, 'gateway_protected', null],
		['a policy of a mailbox provider', policy, 'no_evidence', { operator: GOOGLE }, 'antispam_system', null],
		['put off by a gateway', greylisted, 'no_evidence', { operator: PROOFPOINT }, 'greylisted', null],
	])('%s', (...row) => expectDecision(row));
});

const findings = fc.constantFrom<TargetFinding>(
	accepted,
	exists,
	rejected,
	disabled,
	full,
	policy,
	greylisted,
);
const abouts = fc.record({
	viaBackup: fc.boolean(),
	operator: fc.constantFrom(null, GOOGLE, YAHOO, PROOFPOINT),
	likelyTypo: fc.boolean(),
});
const inventedFindings = fc.constantFrom<InventedFinding>('accepted', 'rejected', 'mixed', 'no_evidence');

test('deliverable is said of accepted addresses only, undeliverable of refused ones only', () => {
	fc.assert(
		fc.property(findings, inventedFindings, abouts, (target, invented, about) => {
			const decision = decideOn(target, invented, about);
			if (decision === null) {
				expect([target, invented !== 'rejected' && invented !== 'no_evidence']).toEqual([accepted, true]);
				return;
			}
			const status = statusOf(decision.subStatus);
			if (status === 'deliverable') expect(target.kind).toBe('accepted');
			expect(status === 'undeliverable').toBe(target.kind === 'rejected');
			if (target.kind === 'unknown') expect(status).toBe('unknown');
			// A conversation proves nothing that it did not show.
			if (decision.catchAll === true) expect(invented).toBe('accepted');
			if (decision.catchAll === false) expect(invented).toBe('rejected');
		}),
		{ numRuns: 200 },
	);
});

test.each([
	['valid', 'deliverable'],
	['invalid', 'undeliverable'],
	['unknown', 'unknown'],
] as const)('on a catch-all domain the verdict %s makes the status %s', (verdict, status) => {
	expect(statusOf(subStatusOfCatchAll(verdict))).toBe(status);
});
