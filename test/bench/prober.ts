import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { createServer } from 'node:net';
import type { Server, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startLocalProber } from '../../tools/local-prober.ts';
import type { LocalProber } from '../../tools/local-prober.ts';
import { PROBER_PATH, VERSION } from '../../src/wire/prober.ts';
import type { Question, SentAnswer } from '../../src/wire/prober.ts';
import { percentile } from '../support/giants/percentile.ts';
import { IDENTITY } from './contenders/peers.ts';
import type { ProcessUsed } from './prober-watch.ts';
import type { Bench } from './section.ts';
import { goal, table } from './table.ts';

// What a question costs the prober alone, beside mail servers that are always the same: each domain has a machine of its
// own, one mailbox in four does not exist, and one domain in five takes everybody.

const QUESTIONS = 2_000;
// The program is as fast as it gets by then.
const WARM_UPS = 1_000;
const MACHINES = QUESTIONS + WARM_UPS;
const AT_ONCE = 50;
const SLOW_REPLY_MS = 1_000;
/** How long each number of open questions is held. */
const HELD_MS = 10_000;
const OPEN = [300, 1_000] as const;
const GOALS = { cpuMs: 0.8, aSecond: 600, megabytes: 150, lateMs: 20 } as const;

interface Run {
	readonly what: string;
	readonly questions: number;
	readonly failed: number;
	readonly openMost: number;
	readonly used: ProcessUsed;
}

/** The prober's processor time, memory and lateness a question, new connections and kept ones. */
export const benchProber: Bench = async ({ quick, say }) => {
	const scale = quick ? 5 : 1;
	const world = await startMachines(MACHINES / scale);
	const runs: Run[] = [];
	try {
		// Each start but the first finds its sources compiled.
		await withProber(world, () => Promise.resolve());
		await withProber(world, async (ask) => {
			await ask.all(WARM_UPS / scale, 'warm-up');
			for (const what of ['new connections', 'kept connections']) {
				say(`prober: ${what}`);
				runs.push(await ask.all(QUESTIONS / scale, what));
			}
		});
		for (const open of OPEN) {
			say(`prober: ${open} open`);
			await withProber(world, async (ask) => {
				world.replyMs = 0;
				await ask.all(WARM_UPS / scale, 'warm-up');
				world.replyMs = SLOW_REPLY_MS;
				runs.push(await ask.holding(open / scale, HELD_MS / scale));
			});
		}
	} finally {
		await world.close();
	}
	return render(runs);
};

/** Mail servers on loopback addresses of their own, which is what makes them machines of their own. */
interface Machines {
	readonly port: number;
	readonly count: number;
	replyMs: number;
	close(): Promise<void>;
}

async function startMachines(count: number): Promise<Machines> {
	const servers: Server[] = [];
	const sockets = new Set<Socket>();
	const close = async (): Promise<void> => {
		for (const socket of sockets) socket.destroy();
		await Promise.all(servers.map((server) => once(server.close(), 'close')));
	};
	const world = { port: 0, count, replyMs: 0, close };
	for (let n = 0; n < count; n += 1) {
		const server = createServer((socket) => {
			sockets.add(socket.once('close', () => sockets.delete(socket)));
			converse(socket, world);
		});
		servers.push(server);
		await once(server.listen(world.port, addressOf(n)), 'listening');
		const address = server.address();
		if (world.port === 0 && typeof address === 'object') world.port = address?.port ?? 0;
	}
	return world;
}

/** Each in a network of its own. */
function addressOf(machine: number): string {
	return `127.${1 + Math.floor(machine / 250)}.${machine % 250}.1`;
}

function converse(socket: Socket, world: Machines): void {
	const say = (text: string): void => {
		const now = (): void => void (socket.destroyed || socket.write(text));
		if (world.replyMs === 0) now();
		else setTimeout(now, world.replyMs);
	};
	let rest = '';
	socket.setNoDelay(true).setEncoding('latin1');
	socket.on('error', () => {});
	socket.on('data', (chunk: string) => {
		const lines = (rest + chunk).split('\r\n');
		rest = lines.pop() ?? '';
		if (lines.includes('QUIT')) socket.end('221 2.0.0 Bye\r\n');
		else if (lines.length > 0) say(lines.map(replyTo).join(''));
	});
	say('220 mx.bench.test ESMTP\r\n');
}

function replyTo(line: string): string {
	if (line.startsWith('EHLO')) return '250-mx.bench.test\r\n250-PIPELINING\r\n250 ENHANCEDSTATUSCODES\r\n';
	if (!line.startsWith('RCPT')) return '250 2.1.0 Ok\r\n';
	return /<ada\.|@takes-all-/.test(line) ? '250 2.1.5 Ok\r\n' : '550 5.1.1 No such user here\r\n';
}

interface Asking {
	/** So many questions, some at once. */
	all(questions: number, what: string): Promise<Run>;
	/** So many open ones for a while, each about a machine of its own. */
	holding(open: number, forMs: number): Promise<Run>;
}

async function withProber(world: Machines, work: (ask: Asking) => Promise<unknown>): Promise<void> {
	const stateFolder = mkdtempSync(join(tmpdir(), 'mailsonar-bench-'));
	const prober = await startLocalProber(
		{
			SMTP_EGRESS: 'direct',
			SMTP_PORT: String(world.port),
			ALLOW_PRIVATE_MX: 'true',
			HELO_NAME: IDENTITY.heloName,
			MAIL_FROM: IDENTITY.mailFrom,
		},
		{ stateFolder, output: 'show', execArgv: ['--import', watchIn(stateFolder), ...profiling()] },
	);
	try {
		await work(askingOf(prober, world));
	} finally {
		await prober.stop();
		rmSync(stateFolder, { recursive: true, force: true });
	}
}

/** The watch without its types: Node's reader of TypeScript would be part of the prober's memory. */
function watchIn(folder: string): string {
	const file = join(folder, 'watch.mjs');
	writeFileSync(file, stripTypeScriptTypes(readFileSync('test/bench/prober-watch.ts', 'utf8')));
	return file;
}

/** With PROFILE=folder, V8 writes there which functions took the time. */
function profiling(): readonly string[] {
	const folder = process.env['PROFILE'] ?? '';
	return folder === '' ? [] : ['--cpu-prof', `--cpu-prof-dir=${folder}`];
}

function askingOf(prober: LocalProber, world: Machines): Asking {
	const counts = { asked: 0, open: 0, openMost: 0, failed: 0 };
	const next = async (): Promise<void> => {
		const n = (counts.asked += 1);
		counts.openMost = Math.max(counts.openMost, (counts.open += 1));
		if (!(await isAnswered(prober, questionOf(n, world.count)))) counts.failed += 1;
		counts.open -= 1;
	};
	const measured = async (what: string, work: () => Promise<void>): Promise<Run> => {
		const before = counts.asked;
		Object.assign(counts, { openMost: 0, failed: 0 });
		await usedBy(prober);
		await work();
		const { asked, failed, openMost } = counts;
		return { what, questions: asked - before, failed, openMost, used: await usedBy(prober) };
	};
	return {
		all: (questions, what) =>
			measured(what, async () => {
				const each = async (): Promise<void> => {
					for (let n = 0; n < questions / AT_ONCE; n += 1) await next();
				};
				await Promise.all(Array.from({ length: AT_ONCE }, each));
			}),
		holding: (most, forMs) =>
			measured(`${most} open`, async () => {
				const begun = performance.now();
				const running: Promise<void>[] = [];
				while (performance.now() - begun < forMs) {
					const due = ((performance.now() - begun) * most) / (SLOW_REPLY_MS * REPLIES);
					for (let n = running.length; n < due && counts.open < most; n += 1) running.push(next());
					await pause(1);
				}
				await Promise.all(running);
			}),
	};
}

// Greeting, EHLO, and the recipients.
const REPLIES = 3;

async function usedBy({ process }: LocalProber): Promise<ProcessUsed> {
	const told = once(process, 'message');
	process.send('used');
	const [used]: unknown[] = await told;
	return used as ProcessUsed;
}

function questionOf(n: number, machines: number): Question {
	const domain = `${n % 5 === 0 ? 'takes-all-' : ''}d${n}.bench.test`;
	return {
		domain,
		hosts: [{ name: `mx.${domain}`, addresses: [addressOf(n % machines)], failed: false }],
		implicit: false,
		targets: [`${n % 4 === 0 ? 'eve' : 'ada'}.n${n}@${domain}`],
		needsSmtputf8: false,
		invented: {
			first: `qzxwvkjhgfdsapoi@${domain}`,
			further: [`qwzxk.plmoknij@${domain}`, `zxcvbnmlk2@${domain}`],
		},
		deep: 'catch_all',
		fresh: false,
		class: 'single',
		asker: `acc_${n % 20}`,
		deadline: Date.now() + 15_000,
	};
}

async function isAnswered({ url, token }: LocalProber, question: Question): Promise<boolean> {
	try {
		const response = await fetch(`${url}${PROBER_PATH}`, {
			method: 'POST',
			headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
			body: JSON.stringify({ version: VERSION, sentAt: Date.now(), tells: false, question }),
		});
		const answer = await response.json<Partial<SentAnswer>>();
		return answer.answers?.[0]?.kind === 'heard';
	} catch {
		return false;
	}
}

function render(runs: readonly Run[]): string {
	const [cold] = runs;
	const [few, many] = runs.slice(-OPEN.length);
	if (cold === undefined || few === undefined || many === undefined) throw new Error('a run is missing');
	const cpuMs = (run: Run): number => run.used.cpuMs / run.questions;
	const late = (run: Run): number => percentile(run.used.ownMs, 0.99);
	const failed = runs.reduce((sum, run) => sum + run.failed, 0);
	const rows = runs.map((run) => [
		run.what,
		String(run.questions),
		String(run.openMost),
		String(run.failed),
		cpuMs(run).toFixed(2),
		(1000 / cpuMs(run)).toFixed(0),
		run.used.peakMb.toFixed(0),
		late(run).toFixed(1),
		percentile(run.used.lateMs, 0.99).toFixed(0),
	]);
	const perCore = 1000 / cpuMs(cold);
	return [
		`One prober on loopback, asked by one client; mail servers on ${MACHINES.toLocaleString('en')} addresses. Processor time is the prober's own ` +
			`(\`process.cpuUsage\`), its memory is that of the whole process. Its loop is looked at every 10 ms: late by its own work, and in all, other programs of the machine included. In the last rows a reply takes ${SLOW_REPLY_MS / 1000} s.`,
		table([
			[
				'',
				'questions',
				'open at most',
				'failed',
				'CPU, ms each',
				'a second and core',
				'memory, MB',
				'loop late by own work, p99, ms',
				'and in all',
			],
			...rows,
		]),
		[
			`- ${goal(`at most ${GOALS.cpuMs} ms of processor a question`, `${cpuMs(cold).toFixed(2)} ms`, cpuMs(cold) <= GOALS.cpuMs)}`,
			`- ${goal(`at least ${GOALS.aSecond} questions a second and core`, perCore.toFixed(0), perCore >= GOALS.aSecond)}`,
			`- ${goal(`at most ${GOALS.megabytes} MB with ${OPEN[0]} open`, `${few.used.peakMb.toFixed(0)} MB`, few.used.peakMb <= GOALS.megabytes)}`,
			`- ${goal(`${OPEN[1].toLocaleString('en')} open without an error`, `${failed} failed, ${many.openMost} open`, failed === 0)}`,
			`- ${goal(`with them, its own work makes the loop at most ${GOALS.lateMs} ms late (p99)`, `${late(many).toFixed(1)} ms`, late(many) <= GOALS.lateMs)}`,
		].join('\n'),
	].join('\n\n');
}
