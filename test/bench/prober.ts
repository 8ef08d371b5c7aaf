import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startLocalProber } from '../../tools/local-prober.ts';
import type { LocalProber } from '../../tools/local-prober.ts';
import { PROBER_PATH, VERSION } from '../../src/wire/prober.ts';
import type { Question, SentAnswer } from '../../src/wire/prober.ts';
import { sum } from '../support/statistics.ts';
import { makeQuestion } from '../support/unit/question.ts';
import type { Bench } from './report.ts';
import { atMost, goal, table } from './report.ts';
import { domainName, NO_DELAYS, nobody, somebody, startBenchWorld } from './world.ts';
import type { BenchWorld } from './world.ts';

// What a question costs the prober alone, beside mail servers that are always the same: each domain has a machine of its
// own, one mailbox in four does not exist, and one domain in five takes everybody.

const QUESTIONS = 2_000;
// The program is as fast as it gets by then.
const WARM_UPS = 1_000;
const MACHINES = QUESTIONS + WARM_UPS;
const AT_ONCE = 50;
const SLOW_REPLY_MS = 1_000;
// Greeting, EHLO, and the recipients.
const REPLIES = 3;
/** How long each number of open questions is held. */
const HELD_MS = 10_000;
const OPEN = [300, 1_000] as const;

/** The prober's processor time, memory and lateness a question, new connections and kept ones. */
export const benchProber: Bench = async ({ quick, say }) => {
	const scale = quick ? 5 : 1;
	const delays = { ...NO_DELAYS };
	const domains = Array.from({ length: MACHINES / scale }, (_, n) => ({
		name: nameOf(n),
		mailHost: `mx.${nameOf(n)}`,
		way: 'direct' as const,
	}));
	const world = await startBenchWorld(delays, domains);
	const runs: Run[] = [];
	try {
		// Each start but the first finds its sources compiled.
		await withProber(world, () => Promise.resolve());
		await withProber(world, async (asking) => {
			await asking.all(WARM_UPS / scale, 'warm-up');
			for (const what of ['new connections', 'kept connections']) {
				say(`prober: ${what}`);
				runs.push(await asking.all(QUESTIONS / scale, what));
			}
		});
		for (const open of OPEN) {
			say(`prober: ${open} open`);
			await withProber(world, async (asking) => {
				delays.replyMs = 0;
				await asking.all(WARM_UPS / scale, 'warm-up');
				delays.replyMs = SLOW_REPLY_MS;
				runs.push(await asking.holding(open / scale, HELD_MS / scale));
			});
		}
	} finally {
		await world.close();
	}
	return render(runs);
};

function nameOf(n: number): string {
	return domainName(`d${n}`, 'test', n % 5 === 0);
}

async function withProber(
	world: BenchWorld,
	work: (asking: ReturnType<typeof askingOf>) => Promise<unknown>,
): Promise<void> {
	const stateFolder = mkdtempSync(join(tmpdir(), 'mailsonar-bench-'));
	const execArgv = ['--import', join(import.meta.dirname, 'prober-watch.js')];
	const prober = await startLocalProber(world.vars('direct'), { stateFolder, output: 'show', execArgv });
	try {
		await work(askingOf(prober, world));
	} finally {
		await prober.stop();
		rmSync(stateFolder, { recursive: true, force: true });
	}
}

function askingOf(prober: LocalProber, world: BenchWorld) {
	const counts = { asked: 0, open: 0, openMost: 0, failed: 0 };
	const askNext = async (): Promise<void> => {
		counts.asked += 1;
		counts.open += 1;
		counts.openMost = Math.max(counts.openMost, counts.open);
		if (!(await isAnswered(prober, questionOf(counts.asked - 1, world)))) counts.failed += 1;
		counts.open -= 1;
	};
	const measure = async (what: string, work: () => Promise<unknown>) => {
		const before = counts.asked;
		Object.assign(counts, { openMost: 0, failed: 0 });
		await usedSinceThen(prober);
		await work();
		const { asked, failed, openMost } = counts;
		return { what, questions: asked - before, failed, openMost, used: await usedSinceThen(prober) };
	};
	return {
		/** So many questions, some at once. */
		all(questions: number, what: string) {
			const each = async (): Promise<void> => {
				for (let n = 0; n < questions / AT_ONCE; n += 1) await askNext();
			};
			return measure(what, () => Promise.all(Array.from({ length: AT_ONCE }, each)));
		},
		/** So many open ones for a while, each about a machine of its own. */
		holding: (most: number, forMs: number) =>
			measure(`${most} open`, async () => {
				const begun = performance.now();
				const running: Promise<void>[] = [];
				while (performance.now() - begun < forMs) {
					const due = ((performance.now() - begun) * most) / (SLOW_REPLY_MS * REPLIES);
					for (let n = running.length; n < due && counts.open < most; n += 1) running.push(askNext());
					await pause(1);
				}
				await Promise.all(running);
			}),
	};
}

type Run = Awaited<ReturnType<ReturnType<typeof askingOf>['holding']>>;

/** What `prober-watch.js` tells; `lateMs`: how late the event loop was, the 99th percentile. */
async function usedSinceThen({ process }: LocalProber) {
	const told = once(process, 'message');
	process.send('used');
	const [used]: unknown[] = await told;
	return used as { readonly cpuMs: number; readonly peakMb: number; readonly lateMs: number };
}

function questionOf(n: number, world: BenchWorld): Question {
	const domain = nameOf(n);
	return makeQuestion({
		domain,
		hosts: [{ name: `mx.${domain}`, addresses: [world.addressOf(n)], failed: false }],
		targets: [(n % 4 === 0 ? nobody : somebody)(n, domain)],
		invented: {
			first: `qzxwvkjhgfdsapoi@${domain}`,
			further: [`qwzxk.plmoknij@${domain}`, `zxcvbnmlk2@${domain}`],
		},
		deep: 'catch_all',
		asker: `acc_${n % 20}`,
		deadline: Date.now() + 15_000,
	});
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
	const failed = sum(runs.map((run) => run.failed));
	const perCore = 1000 / cpuMs(cold);
	const rows = runs.map((run) => [
		run.what,
		...[run.questions, run.openMost, run.failed].map(String),
		cpuMs(run).toFixed(2),
		(1000 / cpuMs(run)).toFixed(0),
		run.used.peakMb.toFixed(0),
		run.used.lateMs.toFixed(1),
	]);
	const head =
		',questions,open at most,failed,CPU ms each,a second and core,memory MB,loop late (p99) ms'.split(',');
	return [
		`One prober on loopback, asked by one client; mail servers on ${MACHINES.toLocaleString('en')} addresses. Processor time is the prober's own ` +
			`(\`process.cpuUsage\`), its memory is that of the whole process, its loop is looked at every 10 ms. In the last rows a reply takes ${SLOW_REPLY_MS / 1000} s.`,
		table([head, ...rows]),
		[
			atMost('at most # ms of processor a question', 0.8, cpuMs(cold), ' ms', 2),
			goal('at least 600 questions a second and core', perCore.toFixed(0), perCore >= 600),
			atMost(`at most # MB with ${OPEN[0]} open`, 150, few.used.peakMb, ' MB'),
			goal('1,000 open without an error', `${failed} failed, ${many.openMost} open`, failed === 0),
			atMost('with them, the loop is at most # ms late (p99)', 20, many.used.lateMs, ' ms', 1),
		].join('\n'),
	].join('\n\n');
}
