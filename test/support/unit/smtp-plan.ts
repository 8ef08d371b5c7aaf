import type { SessionPlan, SmtpSession } from '../../../src/core/smtp/session.ts';
import { US } from './fake-connection.ts';

/** A connection over which one conversation was held, with a server that pipelines. */
export const USED_LINE: NonNullable<SmtpSession['line']> = {
	keywords: new Set(['PIPELINING', 'STARTTLS']),
	greeting: { code: 220, enhanced: null, text: 'mx' },
	tls: 'plain',
	transactions: 1,
	errors: 0,
	perTransaction: 20,
};

/** A plan that asks about one address and one invented recipient, as most plans do. */
export function makePlan(changes: Partial<SessionPlan> = {}): SessionPlan {
	return {
		...US,
		targets: ['ada@x.test'],
		invented: ['qzx@x.test'],
		deep: 'never',
		needsSmtputf8: false,
		pipelining: 'when_offered',
		tls: 'never',
		replyTimeoutMs: 0,
		perTransaction: 1000,
		...changes,
	};
}
