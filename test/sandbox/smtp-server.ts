import { createServer } from 'node:net';
import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { createSecureContext, TLSSocket } from 'node:tls';
import type { SecureContext } from 'node:tls';
import type { Behaviour } from './behaviour.ts';
import { makeCertificate } from './certificate.ts';
import type { Counters } from './counters.ts';
import { makeCounters } from './counters.ts';
import type { Listener } from './listener.ts';
import { openListener } from './listener.ts';
import { SmtpDialogue } from './smtp-dialogue.ts';
import { SmtpSession } from './smtp-session.ts';
import type { SessionParts } from './smtp-session.ts';
import { TranscriptLog } from './transcript.ts';

/** What a mail server is started with. */
export interface SmtpServerOptions {
	readonly host: string;
	readonly behaviour: Behaviour;
	readonly counters: Counters['smtp'];
	readonly transcripts: TranscriptLog;
	/** Left out: it replies at once. */
	readonly replyDelayMs?: () => number;
	/** Left out: whatever it is asked for is a domain of its own. */
	readonly serves?: (domain: string) => boolean;
	readonly port?: number;
	/** Left out: `LOOPBACK`. */
	readonly address?: `127.${string}`;
}

/** Starts one mail server that plays one behaviour. */
export async function startSmtpServer(options: SmtpServerOptions): Promise<Listener> {
	const { host, behaviour, counters, replyDelayMs = () => 0, serves = () => true } = options;
	const time = { now: () => performance.now(), sleep: pauseUntil };
	const firstSeen = new Map<string, number>();
	const server = createServer((socket) => {
		const dialogue = new SmtpDialogue(behaviour, { host, now: time.now, firstSeen, serves });
		const transcript = options.transcripts.open(host);
		serveOver(socket, { host, behaviour, dialogue, counters, transcript, replyDelayMs, time });
	});
	return openListener(server, options.port, options.address);
}

const pauseUntil = (ms: number, signal: AbortSignal): Promise<void> => pause(ms, undefined, { signal });

// One certificate is enough for all mail servers of the sandbox: nobody checks whose it is.
let secureContext: SecureContext | null = null;

function serveOver(plain: Socket, parts: SessionParts): void {
	let socket = plain.setNoDelay(true);
	const session = new SmtpSession(
		{
			write: async (bytes) => {
				if (!socket.write(bytes)) await new Promise((room) => socket.once('drain', room));
			},
			secure() {
				plain.removeAllListeners('data');
				secureContext ??= createSecureContext(makeCertificate());
				socket = listenTo(new TLSSocket(plain, { isServer: true, secureContext }));
			},
			end: () => void socket.end(),
		},
		parts,
	);
	listenTo(plain);

	function listenTo(one: Socket): Socket {
		one.on('error', () => undefined); // A client that vanishes is not an event here.
		one.on('end', () => session.isLeft()).on('close', () => session.close());
		return one.setEncoding('utf8').on('data', (chunk: string) => session.receive(chunk));
	}
}

/** Starts a mail server on a port of its own, a plain one unless it behaves otherwise. */
export async function startMailServer(
	behaviour: Behaviour = {},
): Promise<Listener & { readonly transcripts: TranscriptLog; readonly counters: Counters['smtp'] }> {
	const transcripts = new TranscriptLog();
	const counters = makeCounters().smtp;
	const server = await startSmtpServer({ host: 'mx.sandbox.test', behaviour, counters, transcripts });
	return { ...server, transcripts, counters };
}
