import type { Report, Trouble } from '../../../src/core/jobs/report/report.ts';
import type { SubStatus } from '../../../src/core/verification/sub-status.ts';
import { job } from './samples.ts';

const zeros = (): number[] => Array.from({ length: 101 }, () => 0);

/** A party with so many deliverable, undeliverable, risky and unknown addresses. */
function trouble(
	name: string,
	counts: readonly [number, number, number, number],
	reason: SubStatus,
): Trouble {
	const [deliverable, undeliverable, risky, unknown] = counts;
	return {
		name,
		total: deliverable + undeliverable + risky + unknown,
		counts: { deliverable, undeliverable, risky, unknown },
		reason,
	};
}

/** The report of the list of 20,000. */
export const report: Report = {
	total: job.accepted,
	counts: job.counts,
	reasons: [
		{ reason: 'accepted_email', count: 16_212 },
		{ reason: 'rejected_email', count: 1_604 },
		{ reason: 'catch_all', count: 1_288 },
		{ reason: 'no_mx_records', count: 311 },
		{ reason: 'invalid_domain', count: 190 },
		{ reason: 'mailbox_full', count: 101 },
		{ reason: 'disposable', count: 85 },
		{ reason: 'greylisted', count: 84 },
		{ reason: 'gateway_protected', count: 71 },
		{ reason: 'timeout', count: 41 },
		{ reason: 'possible_typo', count: 13 },
	],
	domains: [
		trouble('navy.example', [0, 0, 412, 0], 'catch_all'),
		trouble('old-provider.example', [4, 301, 0, 0], 'rejected_email'),
		trouble('acme.example', [88, 140, 0, 3], 'rejected_email'),
		trouble('bletchley.example', [12, 3, 0, 84], 'greylisted'),
		trouble(`${'a-very-long-domain-name.'.repeat(3)}example`, [0, 0, 44, 0], 'catch_all'),
		trouble('gmial.com', [0, 0, 13, 0], 'possible_typo'),
	],
	scores: { valid: zeros(), invalid: zeros(), unknown: zeros() },
	mayAnswerLater: 125,
	learntLater: 0,
};

/** The same after a catch-all check. */
export const reportAfterCheck: Report = {
	...report,
	counts: { deliverable: 16_954, undeliverable: 2_468, risky: 382, unknown: 196 },
	reasons: [
		{ reason: 'accepted_email', count: 16_212 },
		{ reason: 'rejected_email', count: 1_604 },
		{ reason: 'catch_all_valid', count: 742 },
		...report.reasons.slice(3, 4),
		{ reason: 'catch_all_invalid', count: 278 },
		{ reason: 'catch_all', count: 268 },
		...report.reasons.slice(4),
	],
	scores: {
		valid: zeros().map((_, score) => (score >= 88 && score < 98 ? 70 + (score % 3) * 6 : 0)),
		unknown: zeros().map((_, score) => (score >= 45 && score < 88 ? 6 : 0)),
		invalid: zeros().map((_, score) => (score > 4 && score < 45 ? 7 : 0)),
	},
	learntLater: 1_020,
};

/** The report of the check itself. */
export const taskReport: Report = {
	...reportAfterCheck,
	total: 1_288,
	counts: { deliverable: 742, undeliverable: 278, risky: 0, unknown: 268 },
	reasons: [
		{ reason: 'catch_all_valid', count: 742 },
		{ reason: 'catch_all_invalid', count: 278 },
		{ reason: 'catch_all_unresolved', count: 268 },
	],
	mayAnswerLater: 0,
	learntLater: 0,
};
