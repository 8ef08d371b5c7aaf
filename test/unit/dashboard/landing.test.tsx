import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { domainFindings } from '../../../src/core/catchall/domain.ts';
import { listFindings } from '../../../src/core/catchall/list/list-facts.ts';
import { mailboxFinding } from '../../../src/core/catchall/mailbox/mailbox.ts';
import { statusOf } from '../../../src/core/verification/sub-status.ts';
import { MEASURED } from '../../../src/dashboard/pages/public/landing-prices.tsx';
import {
	BREAKDOWN,
	CONVERSATION,
	OTHER_SCORE,
	REPORT,
	SCORE,
	SCORED,
	TALK_ABOUT,
} from '../../../src/dashboard/pages/public/landing-samples.ts';
import { judge } from '../../support/unit/catch-all-judgement.ts';
import { playDialogue } from '../../support/unit/dialogue.ts';
import { makeFacts, registration } from '../../support/unit/domain-facts.ts';
import { makePlan } from '../../support/unit/smtp-plan.ts';

// What the front page shows as samples is what the service says of such addresses, and its figures are measured ones.

describe('the scores of the samples', () => {
	const domain = 'navy.example';
	const facts = makeFacts({
		domain,
		website: 'own',
		registration: registration({ age: 14 * 366 }),
		spf: 'ok',
		dmarc: 'missing',
		parking: { kind: 'none' },
	});
	const judged = (email: string) => {
		const [localPart = ''] = email.split('@');
		const neighbours = { patterns: { 'first.last': 7, flast: 1 }, permutations: {} };
		const findings = [
			...domainFindings(facts, localPart),
			mailboxFinding(localPart, domain),
			...listFindings(email, { domains: { [domain]: neighbours } }),
		];
		const measured = new Set(['auth', 'web', 'parking', 'age', 'mailbox'] as const);
		return judge({ host: 'navy-example.mail.protection.outlook.com', rest: { findings, measured } });
	};

	test('are those that the service gives, with the same breakdown', () => {
		const { score, verdict, breakdown } = judged(SCORED);
		expect([score, verdict]).toEqual([SCORE, 'valid']);
		const { model: _, ...shown } = breakdown;
		expect(BREAKDOWN).toEqual(shown);
	});

	test('tell a name from letters at random, on the same domain', () => {
		const { score, verdict } = judged(`xq7zr9kk@${domain}`);
		expect([score, verdict]).toEqual([OTHER_SCORE, 'unknown']);
	});
});

test('the conversation is word for word what we say to such a server', () => {
	const script = CONVERSATION.filter(({ line }) => line !== 'QUIT').map(
		({ by, line }) => `${by === 'us' ? '<' : '>'} ${line}`,
	);
	const plan = makePlan({
		heloName: 'probe.mailsonar.example',
		mailFrom: 'verify@mailsonar.example',
		targets: [TALK_ABOUT.target],
		invented: [TALK_ABOUT.invented],
	});
	const { end, targets, invented } = playDialogue(plan, script);
	expect(end.kind).toBe('complete');
	expect([targets[0]?.reply?.code, invented[0]?.reply?.code]).toEqual([250, 550]);
	expect(CONVERSATION.at(-1)).toMatchObject({ by: 'us', line: 'QUIT' });
});

test('the report of the sample adds up', () => {
	const { total, counts, reasons } = REPORT;
	expect(Object.values(counts).reduce((sum, rows) => sum + rows, 0)).toBe(total);
	for (const [status, rows] of Object.entries(counts)) {
		const ofStatus = reasons.filter(({ reason }) => statusOf(reason) === status);
		expect([status, ofStatus.reduce((sum, one) => sum + one.count, 0)]).toEqual([status, rows]);
	}
});

test('the figures are those of docs/performance.md', () => {
	const told = readFileSync(path.join(import.meta.dirname, '../../../docs/performance.md'), 'utf8');
	const { day, runs, coldMs, floorMs, peers, fooled, list, usual } = MEASURED;
	const [, cold = ''] = told.split('**Cold, direct**');
	const table = cold.split('\n\n')[1] ?? '';
	const rowOf = (name: string) => table.split('\n').find((line) => line.startsWith(`| ${name}`)) ?? '';
	expect(told).toContain(`Run on ${day}`);
	expect(told).toContain(`of ${runs} runs each`);
	expect(rowOf('**Mailsonar**')).toMatch(new RegExp(`^\\| \\*\\*Mailsonar\\*\\* \\| ${coldMs} \\(`));
	expect(rowOf('**Mailsonar**')).not.toContain('✗');
	expect(rowOf('floor')).toContain(`| ${floorMs} |`);
	const others = table
		.split('\n')
		.slice(2)
		.filter((line) => !/^\| (?:floor|bare|\*\*)/.test(line));
	expect(others).toHaveLength(peers);
	expect(others.filter((line) => line.includes(`✗${runs}`))).toHaveLength(fooled);
	expect(told).toContain(`| ${list.addresses} over 5000 | ${list.seconds.toFixed(1)} |`);
	expect(told).toContain(`| 10 | ${usual.lists} × 20,000 | ${usual.hours.toFixed(1)} |`);
});
