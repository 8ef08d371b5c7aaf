import { createServer } from 'node:net';
import type { Behaviour } from './behaviour.ts';
import type { Counters } from './counters.ts';
import { increment, makeCounters } from './counters.ts';
import type { Listener } from './listener.ts';
import { openListener } from './listener.ts';
import { SmtpDialogue } from './smtp-dialogue.ts';
import { SmtpSession } from './smtp-session.ts';
import type { Transcript } from './transcript.ts';
import { TranscriptLog } from './transcript.ts';

/** What a mail server is started with. */
export interface SmtpServerOptions {
	readonly host: string;
	readonly name: string;
	readonly behaviour: Behaviour;
	readonly counters: Counters['smtp'];
	readonly transcripts: TranscriptLog;
	readonly replyDelayMs: () => number;
	readonly now: () => number;
	readonly serves: (domain: string) => boolean;
	readonly port?: number;
	/** Left out: `LOOPBACK`. */
	readonly address?: `127.${string}`;
}

/** A running mail server. */
export interface SmtpServer extends Listener {
	/** Makes it forget whom it has greylisted. */
	forget(): void;
}

/** Starts one mail server that plays one behaviour. */
export async function startSmtpServer(options: SmtpServerOptions): Promise<SmtpServer> {
	const { host, name, behaviour, counters, replyDelayMs, now, serves } = options;
	const firstSeen = new Map<string, number>();
	const onRecipient = (address: string) => increment(counters.recipients, address.toLowerCase());
	const server = createServer((socket) => {
		const dialogue = new SmtpDialogue(behaviour, { host, now, firstSeen, serves, onRecipient });
		const transcript = options.transcripts.open(host, name);
		void new SmtpSession(socket, { host, behaviour, dialogue, counters, transcript, replyDelayMs }).run();
	});
	return { ...(await openListener(server, options.port, options.address)), forget: () => firstSeen.clear() };
}

/** Starts a plain mail server on a port of its own, which takes any domain for one of its own. */
export async function startMailServer(): Promise<SmtpServer & { transcripts(): readonly Transcript[] }> {
	const transcripts = new TranscriptLog();
	const server = await startSmtpServer({
		host: 'mx.sandbox.test',
		name: 'plain',
		behaviour: {},
		counters: makeCounters().smtp,
		transcripts,
		replyDelayMs: () => 0,
		now: () => performance.now(),
		serves: () => true,
	});
	return { ...server, transcripts: () => transcripts.find(() => true) };
}
