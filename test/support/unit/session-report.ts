import type { SmtpReply, Stage } from '../../../src/core/smtp/reply-reader.ts';
import { sharedWording, wordingOf } from '../../../src/core/catchall/reply-difference.ts';
import type { RecipientReply, SessionEnd, SessionReport } from '../../../src/core/smtp/session.ts';

/** `550 5.1.1 no such user` as the reply reader would return it; ` | ` separates lines. */
export function makeReply(written: string): SmtpReply {
	const lines = written.slice(4).split(' | ');
	const enhanced = /^[245]\.\d{1,3}\.\d{1,3}\b/u.exec(lines[0] ?? '')?.[0] ?? null;
	return { code: Number(written.slice(0, 3)), enhanced, lines };
}

/** The replies of a conversation: `stage` and `refused` for a refusal before RCPT, else `target` and `invented`. */
export interface Heard {
	readonly target?: string | null;
	readonly invented?: readonly (string | null)[];
	readonly refused?: string;
	readonly end?: SessionEnd;
	readonly stage?: Stage;
	readonly pipelined?: boolean;
	readonly secured?: boolean;
}

/** The report of a conversation about ada@x.test. */
export function makeReport(heard: Heard): SessionReport {
	const { target = null, invented = [], refused, stage = 'rcpt', pipelined = true } = heard;
	const complete: SessionEnd =
		refused === undefined ? { kind: 'complete' } : { kind: 'refused', reply: makeReply(refused) };
	const answer = (recipient: string, written: string | null): RecipientReply => ({
		recipient,
		reply: written === null ? null : makeReply(written),
	});
	const targets = [answer('ada@x.test', target)];
	const asked = invented.map((written, index) => answer(`qzx${index}@x.test`, written));
	const exchanges = [...targets, ...asked].flatMap(({ recipient, reply }) =>
		reply === null
			? []
			: [{ at: 0, step: 'rcpt' as const, recipient, ...reply, text: reply.lines.join(' / ') }],
	);
	return {
		sender: 'v@us.test',
		end: heard.end ?? complete,
		stage,
		targets,
		invented: asked,
		pipelined,
		secured: heard.secured ?? false,
		exchanges,
		heloName: 'probe.us.test',
		perTransaction: 20,
	};
}

/** The words of a conversation about its first target. */
export function wordsIn(report: SessionReport) {
	const [target = { recipient: '', reply: null }] = report.targets;
	return { target: wordingOf(target), invented: sharedWording(report.invented) };
}
