import { createServer } from 'node:net';
import type { Behaviour } from './behaviour.ts';
import { BEHAVIOURS } from './behaviours.ts';
import type { BehaviourName } from './behaviours.ts';
import type { Counters } from './counters.ts';
import { increment, makeCounters } from './counters.ts';
import type { Listener } from './listener.ts';
import { LOOPBACK, openListener } from './listener.ts';
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

/** A mail server of its own, for tests that dial SMTP directly. */
export interface MailServer extends Listener {
	readonly hostname: string;
	readonly counters: Counters['smtp'];
	transcripts(): Transcript[];
}

/** Starts a mail server on its own loopback port. It takes any domain for one of its own. */
export async function startMailServer(
	behaviour: BehaviourName | Behaviour = 'plain',
	options: { host?: string; port?: number; replyDelayMs?: number; now?: () => number } = {},
): Promise<MailServer> {
	const named = typeof behaviour === 'string';
	const counters = makeCounters().smtp;
	const transcripts = new TranscriptLog();
	const server = await startSmtpServer({
		host: options.host ?? 'mx.sandbox.test',
		name: named ? behaviour : 'custom',
		behaviour: named ? BEHAVIOURS[behaviour] : behaviour,
		counters,
		transcripts,
		replyDelayMs: () => options.replyDelayMs ?? 0,
		now: options.now ?? (() => performance.now()),
		serves: () => true,
		port: options.port ?? 0,
	});
	return { ...server, hostname: LOOPBACK, counters, transcripts: () => transcripts.find(() => true) };
}
