import { expect, test } from 'vitest';
import { mayAnswerLater } from '../../../src/core/jobs/deferral.ts';
import type { SubStatus } from '../../../src/core/verification/sub-status.ts';
import { storedRow } from '../../support/unit/listed-rows.ts';

test.each<[SubStatus, string | null, boolean]>([
	['timeout', null, true],
	['no_connect', null, true],
	['greylisted', '450 4.2.0', true],
	['rate_limited', '421 4.7.0', true],
	['probe_blocked', '550 5.7.1', true],
	['dns_error', null, true],
	['not_asked', null, true],
	['no_capacity', null, true],
	['free_limit', null, true],
	['unexpected_error', null, true],
	['unavailable_smtp', '451 4.3.0', true],
	['unavailable_smtp', null, true],
	['unavailable_smtp', '550 5.7.1', false],
	['antispam_system', '554 5.7.1', false],
	['filtered_or_missing', '550', false],
	['gateway_protected', null, false],
	['catch_all_unresolved', null, false],
	['accepts_everything', null, false],
	['opted_out', null, false],
	['tls_required', null, false],
	['smtputf8_unsupported', null, false],
	['accepted_email', null, false],
	['rejected_email', '550 5.1.1', false],
	['catch_all', null, false],
])('asking again about %s (%s) may help: %s', (subStatus, replyCode, may) => {
	expect(mayAnswerLater(storedRow(0, 'ada@x.test', subStatus, { replyCode }))).toBe(may);
});
