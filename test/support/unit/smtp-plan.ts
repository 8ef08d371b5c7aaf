import type { SessionPlan } from '../../../src/core/smtp/session.ts';

/** A plan that asks about one address and one invented recipient, as most plans do. */
export function makePlan(changes: Partial<SessionPlan> = {}): SessionPlan {
	return {
		heloName: 'probe.us.test',
		mailFrom: 'v@us.test',
		targets: ['ada@x.test'],
		invented: ['qzx@x.test'],
		furtherInvented: [],
		deep: 'never',
		needsSmtputf8: false,
		pipelining: 'when_offered',
		tls: 'never',
		replyTimeoutMs: null,
		perTransaction: 1000,
		...changes,
	};
}
