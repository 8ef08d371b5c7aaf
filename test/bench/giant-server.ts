import { createServer } from 'node:net';
import type { Socket } from 'node:net';
import { openListener } from '../sandbox/listener.ts';
import type { Listener } from '../sandbox/listener.ts';
import { MAILBOX, REPLY_MS } from '../support/giants/mail-servers.ts';
import { HAD_ENOUGH } from '../support/giants/operator-limits.ts';
import type { OperatorLimits } from '../support/giants/operator-limits.ts';

/** An operator's servers as one source address meets them: they count, and have enough. Null: no limits. */
export function startGiant(limits: OperatorLimits | null): Promise<Listener> {
	return openListener(createServer((socket) => converse(socket, limits)));
}

function converse(socket: Socket, limits: OperatorLimits | null): void {
	const say = (text: string, isLast: boolean): void => {
		setTimeout(() => {
			if (socket.destroyed) return;
			if (isLast) socket.end(text);
			else socket.write(text);
		}, REPLY_MS);
	};
	socket.setNoDelay(true).setEncoding('latin1');
	socket.on('error', () => {}).on('close', () => limits?.closes());
	const isTaken = limits?.connects(Date.now()) ?? true;
	say(isTaken ? '220 mx ESMTP\r\n' : `${HAD_ENOUGH}\r\n`, !isTaken);
	let rest = '';
	socket.on('data', (chunk: string) => {
		const lines = (rest + chunk).split('\r\n');
		rest = lines.pop() ?? '';
		let said = '';
		for (const line of lines) {
			if (line === 'QUIT') return void socket.end('221 2.0.0 Bye\r\n');
			const reply = replyTo(line, limits);
			said += `${reply}\r\n`;
			if (reply === HAD_ENOUGH) return say(said, true);
		}
		if (said !== '') say(said, false);
	});
}

function replyTo(line: string, limits: OperatorLimits | null): string {
	if (line.startsWith('EHLO')) return '250-mx\r\n250-PIPELINING\r\n250 ENHANCEDSTATUSCODES';
	if (!line.startsWith('RCPT')) return '250 2.1.0 Ok';
	if (limits?.isAsked(Date.now()) === false) return HAD_ENOUGH;
	return line.includes(`<${MAILBOX}`) ? '250 2.1.5 Ok' : '550 5.1.1 No such user';
}
