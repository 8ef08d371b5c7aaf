import { expect } from 'vitest';
import { SmtpSession } from '../../../src/core/smtp/session.ts';
import type { SessionPlan, SessionReport } from '../../../src/core/smtp/session.ts';

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** The dialogue up to the envelope, with a server that offers these keywords. */
export const greeted = (...keywords: string[]): string[] => [
	'> 220 mx.test ESMTP',
	'< EHLO probe.us.test',
	...['mx.test', ...keywords].map((word, index) => `> 250${index === keywords.length ? ' ' : '-'}${word}`),
];
/** So many replies that accept. */
export const ok = (count: number): string[] => Array.from({ length: count }, () => '> 250 ok');
/**
 * One exchange: `MAIL ada qzx` are the commands of one write, MAIL and a RCPT for each mailbox of x.test; then the replies,
 * a code without words or a whole line.
 */
export function asks(commands: string, ...replies: readonly (number | string)[]): string[] {
	const lines = commands.split(' ').map((word) => {
		if (word === 'MAIL') return '< MAIL FROM:<v@us.test>';
		if (word === 'EHLO' || word === 'HELO') return `< ${word} probe.us.test`;
		return word === 'RSET' || word === 'STARTTLS' ? `< ${word}` : `< RCPT TO:<${word}@x.test>`;
	});
	const said = (reply: number | string): string =>
		typeof reply === 'string' ? `> ${reply}` : `> ${reply} ${reply < 400 ? 'ok' : 'no'}`;
	return [...lines, ...replies.map(said)];
}
/** The next commands to a pipelining server, by the plan of `makePlan`. */
export const FLIGHT = asks('MAIL ada qzx');

/** Plays these lines to a session in one segment, and returns its write. */
export function say(session: SmtpSession, ...lines: readonly string[]): string {
	const heard = lines.map((line) => `${line}\r\n`).join('');
	return decoder.decode(session.receive(encoder.encode(heard)));
}

/** The report of a conversation, and how often we had to wait for the server. */
interface Played extends SessionReport {
	readonly roundTrips: number;
}

/**
 * Plays a conversation against the state machine. `> 220 mx.test` is a line of the server, `< EHLO us.test` the line that
 * we must send next; consecutive lines of ours must be one write. `! closed` and `! timeout` end the connection; `! tls`,
 * `! tls failed` and `! tls timeout` say how the TLS handshake ends that the session must wait for.
 * Consecutive server lines are played as one segment, and again byte by byte: the report must be the same.
 */
export function playDialogue(plan: SessionPlan, script: readonly string[]): Played {
	const report = play(plan, script, (bytes) => [bytes]);
	const dripped = play(plan, script, (bytes) => Array.from(bytes, (byte) => Uint8Array.of(byte)));
	expect(dripped).toEqual(report);
	return report;
}

/** Plays a conversation with consecutive server lines in one segment only, not byte by byte. */
export function playInSegments(plan: SessionPlan, script: readonly string[]): Played {
	return play(plan, script, (bytes) => [bytes]);
}

function play(
	plan: SessionPlan,
	script: readonly string[],
	segment: (bytes: Uint8Array) => readonly Uint8Array[],
): Played {
	const session = new SmtpSession(plan);
	// The greeting is waited for, and then the answer to each write.
	let roundTrips = 1;
	for (const { heard, said } of exchanges(script)) {
		if (heard.startsWith('! tls')) {
			expect(session.wantsHandshake, 'it waits for the handshake').toBe(true);
			const how = heard === '! tls' ? 'secured' : heard === '! tls failed' ? 'failed' : 'timeout';
			expect(decoder.decode(session.handshook(how)), `after ${heard}`).toBe(said);
			if (said !== '') roundTrips += 1;
			continue;
		}
		expect(session.wantsHandshake, 'it waits for no handshake').toBe(false);
		if (heard === '! closed' || heard === '! timeout') {
			session.giveUp(heard === '! closed' ? 'closed' : 'timeout');
			continue;
		}
		const writes = segment(encoder.encode(heard))
			.map((bytes) => decoder.decode(session.receive(bytes)))
			.filter((write) => write !== '');
		expect(writes, `after ${heard}`).toEqual(said === '' ? [] : [said]);
		roundTrips += writes.length;
	}
	return { ...session.report(), roundTrips };
}

function exchanges(script: readonly string[]): { heard: string; said: string }[] {
	const list: { heard: string; said: string }[] = [];
	for (const line of script) {
		const last = list.at(-1);
		if (line.startsWith('! ')) list.push({ heard: line, said: '' });
		else if (line.startsWith('< ') && last !== undefined) last.said += `${line.slice(2)}\r\n`;
		else if (last === undefined || last.said !== '') list.push({ heard: `${line.slice(2)}\r\n`, said: '' });
		else last.heard += `${line.slice(2)}\r\n`;
	}
	return list;
}
