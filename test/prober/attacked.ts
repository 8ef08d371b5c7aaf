import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { PROBER_PATH, sentAnswer, TARGETS_MAX, VERSION } from '../../src/wire/prober.ts';
import type { Question } from '../../src/wire/prober.ts';
import type { ProberBudgets } from '../../tools/arguments.ts';
import { startLocalProber } from '../../tools/local-prober.ts';
import type { LocalProber } from '../../tools/local-prober.ts';
import { openListener } from '../sandbox/listener.ts';
import type { Listener } from '../sandbox/listener.ts';
import { startSocksServer } from '../sandbox/socks-server.ts';
import { makeQuestion } from '../support/unit/question.ts';

// A real prober with production's budgets, and real mail servers on loopback, each at an address of its own behind a proxy.

/** A recipient's reply, without its line end. */
export type RecipientReply = (recipient: string) => string;

/** A mail server, and what it saw. */
export interface AttackedServer {
	/** The address under which the prober reaches it. */
	readonly address: string;
	/** What it says to each RCPT from now on. */
	says: RecipientReply;
	/** When it was asked about each recipient, by `performance.now()`. */
	readonly recipients: { readonly name: string; readonly at: number }[];
	readonly connections: number[];
	/** The most connections that it held at one moment. */
	mostOpen: number;
}

export const TAKES_ALL: RecipientReply = () => '250 2.1.5 Ok';
export const KNOWS_NOBODY: RecipientReply = (recipient) => `550 5.1.1 <${recipient}>: User unknown`;
/** Mailboxes whose names begin with `ada` exist. */
export const KNOWS_ADA: RecipientReply = (recipient) =>
	recipient.startsWith('ada') ? TAKES_ALL(recipient) : KNOWS_NOBODY(recipient);

export interface AttackedWorld extends AsyncDisposable {
	/** Adds a mail server at the address. */
	server(address: string, says?: RecipientReply): Promise<AttackedServer>;
	/** Puts a question, and returns the kind of result for each target. */
	ask(question: AskedQuestion): Promise<readonly string[]>;
}

export type AskedQuestion = Pick<Question, 'domain' | 'targets' | 'asker'> &
	Partial<Question> & {
		readonly at: readonly string[];
		readonly host?: string;
		/** Until the deadline, and until `paysUntil`. */
		readonly budgetMs?: number;
		readonly paysMs?: number;
	};

interface WorldOptions {
	/** `lifted` for attacks on anything but the budgets. */
	readonly budgets?: ProberBudgets;
	/** Mail operators know the source address for long. */
	readonly isWarm?: boolean;
	readonly vars?: Readonly<Record<string, string>>;
	/** The one mail server, which is dialled without a proxy. */
	readonly only?: AttackedServer & Listener;
}

/** A mail server, which holds a connection until it has answered QUIT. */
export async function startAttackedServer(
	address: string,
	says: RecipientReply,
	goodbyeMs = 0,
): Promise<AttackedServer & Listener> {
	const server: AttackedServer = { address, says, recipients: [], connections: [], mostOpen: 0 };
	let open = 0;
	const listening = createServer({ allowHalfOpen: true }, (socket) => {
		server.connections.push(performance.now());
		server.mostOpen = Math.max(server.mostOpen, (open += 1));
		const leave = (): void => {
			open -= 1;
			socket.end('221 2.0.0 Bye\r\n');
		};
		const isOver = converse(socket, server);
		isOver.catch(() => {}).finally(() => setTimeout(leave, goodbyeMs));
	});
	return Object.assign(server, await openListener(listening));
}

/** Starts a prober that nobody has asked anything so far. */
export async function startAttackedWorld({
	budgets = 'production',
	isWarm = true,
	vars = {},
	only,
}: WorldOptions = {}): Promise<AttackedWorld> {
	const stateFolder = mkdtempSync(join(tmpdir(), 'mailsonar-attacked-'));
	const routes = new Map<string, Listener>();
	const socks = await startSocksServer({ routes });
	const listeners: Listener[] = only === undefined ? [socks] : [socks, only];
	const prober = await startLocalProber(
		{
			...(only === undefined
				? { SMTP_EGRESS: socks.url, ALLOW_PRIVATE_MX: '198.18.0.0/15' }
				: { SMTP_EGRESS: 'direct', ALLOW_PRIVATE_MX: '127.0.0.1/32', SMTP_PORT: String(only.port) }),
			...(isWarm ? { PROBER_WARM: 'all' } : {}),
			...vars,
		},
		{ stateFolder, output: 'hide', budgets },
	);
	return {
		server: async (address, says = TAKES_ALL) => {
			const server = await startAttackedServer(address, says);
			listeners.push(server);
			routes.set(address, server);
			return server;
		},
		ask: (question) => putQuestion(prober, question),
		[Symbol.asyncDispose]: async () => {
			await prober.stop();
			await Promise.all(listeners.map((listener) => listener.close()));
			rmSync(stateFolder, { recursive: true, force: true });
		},
	};
}

/** Puts as many questions to the prober as the targets need, at once, and returns the kind of result for each target. */
async function putQuestion(
	prober: Pick<LocalProber, 'url' | 'token'>,
	{ targets, ...question }: AskedQuestion,
): Promise<readonly string[]> {
	const parts = Array.from({ length: Math.ceil(targets.length / TARGETS_MAX) }, (_, n) =>
		targets.slice(n * TARGETS_MAX, (n + 1) * TARGETS_MAX),
	);
	return (await Promise.all(parts.map((part) => putOne(prober, { ...question, targets: part })))).flat();
}

async function putOne(
	{ url, token }: Pick<LocalProber, 'url' | 'token'>,
	{ at, host, budgetMs = 15_000, paysMs, ...question }: AskedQuestion,
): Promise<readonly string[]> {
	const sentAt = Date.now();
	const hosts = [{ name: host ?? `mx.${question.domain}`, addresses: [...at], failed: false }];
	const response = await fetch(`${url}${PROBER_PATH}`, {
		method: 'POST',
		headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
		body: JSON.stringify({
			version: VERSION,
			sentAt,
			tells: false,
			question: makeQuestion({
				invented: null,
				deadline: sentAt + budgetMs,
				...(paysMs === undefined ? {} : { paysUntil: sentAt + paysMs }),
				hosts,
				...question,
			}),
		}),
	});
	const answered: unknown = await response.json();
	const { answers } = sentAnswer.parse(answered);
	return answers.map((result) => result?.kind ?? 'nothing');
}

/** Until the client says QUIT, or is gone. */
async function converse(socket: Socket, server: AttackedServer): Promise<void> {
	socket.setNoDelay(true).on('error', () => {});
	socket.write('220 mx ESMTP\r\n');
	for await (const line of createInterface(socket)) {
		if (line === 'QUIT') return;
		socket.write(`${replyTo(line, server)}\r\n`);
	}
}

function replyTo(line: string, server: AttackedServer): string {
	if (line.startsWith('EHLO')) return '250-mx\r\n250-PIPELINING\r\n250 ENHANCEDSTATUSCODES';
	const [, recipient] = /^RCPT TO:<([^>]*)>/i.exec(line) ?? [];
	if (recipient === undefined) return '250 2.1.0 Ok';
	server.recipients.push({ name: recipient, at: performance.now() });
	return server.says(recipient);
}

/** As many words as wanted, each made of its number. */
export function times(count: number, word: (n: number) => string): string[] {
	return Array.from({ length: count }, (_, n) => word(n));
}

/** The most that happened within any so many milliseconds. */
export function mostWithin(moments: readonly number[], ms: number): number {
	const sorted = moments.toSorted((a, b) => a - b);
	let [most, first] = [0, 0];
	for (const [last, at] of sorted.entries()) {
		while ((sorted[first] ?? at) <= at - ms) first += 1;
		most = Math.max(most, last - first + 1);
	}
	return most;
}
