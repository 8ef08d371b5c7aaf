import { expect, test } from 'vitest';
import { statusOf } from '../../../src/core/verification/sub-status.ts';
import { CONVERSATION, REPORT, TALK_ABOUT } from '../../../src/dashboard/pages/landing.tsx';
import { playDialogue } from '../../support/unit/dialogue.ts';
import { makePlan } from '../../support/unit/smtp-plan.ts';

// What the front page shows as samples is what the service says of such addresses.

test('the conversation is word for word what we say to such a server', () => {
	const script = CONVERSATION.slice(0, -1).map(([by, line]) => `${by === 'us' ? '<' : '>'} ${line}`);
	const plan = makePlan({
		heloName: 'probe.mailsonar.example',
		mailFrom: 'verify@mailsonar.example',
		targets: [TALK_ABOUT.target],
		invented: [TALK_ABOUT.invented],
	});
	const { end, targets, invented } = playDialogue(plan, script);
	expect(end.kind).toBe('complete');
	expect([targets[0]?.reply?.code, invented[0]?.reply?.code]).toEqual([250, 550]);
	expect(CONVERSATION.at(-1)?.slice(0, 2)).toEqual(['us', 'QUIT']);
});

test('the report of the sample adds up', () => {
	const { total, counts, reasons } = REPORT;
	expect(Object.values(counts).reduce((sum, rows) => sum + rows, 0)).toBe(total);
	for (const [status, rows] of Object.entries(counts)) {
		const ofStatus = reasons.filter(({ reason }) => statusOf(reason) === status);
		expect([status, ofStatus.reduce((sum, one) => sum + one.count, 0)]).toEqual([status, rows]);
	}
});
