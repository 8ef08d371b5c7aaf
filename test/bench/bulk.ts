import { setTimeout as pause } from 'node:timers/promises';
import { PEERS } from './contenders/peers.ts';
import { callApi, startRunner } from './contenders/runner.ts';
import { watchRuntime } from './processes.ts';
import { atMost, goal, table } from './report.ts';
import type { Bench, BenchSettings } from './report.ts';
import { startBenchService } from './service.ts';
import type { BenchService } from './service.ts';
import { median } from '../support/statistics.ts';
import type { BenchDomain, BenchWorld, Delays } from './world.ts';
import { domainName, nobody, somebody, startBenchWorld } from './world.ts';

// Lists: what an address costs in time and connections when many are asked about at once.

/** The distances of the world. */
const DELAYS: Delays = { dnsMs: 10, proxyMs: 10, replyMs: 50 };
/** What is asked for, and how often. */
const LISTS = [
	{ emails: 50, domains: 1, runs: 5 },
	{ emails: 500, domains: 1, runs: 3 },
	{ emails: 5_000, domains: 500, runs: 1 },
	{ emails: 50_000, domains: 5_000, runs: 1 },
] as const;
type List = (typeof LISTS)[number];
const SMALL_GOAL_MS = 5;
const LARGE_GOAL_MS = 0.65;
const GROWTH_MAX = 1.1;
const QUICK_EMAILS_MAX = 5_000;
const PEER_RUNS = 5;
// The first job of a service starts its queue, its bucket and its database.
const WARM_UP_EMAILS = 20;
const PATIENCE_MS = 15 * 60_000;
const SAID_EVERY_MS = 15_000;
const POLL_MS = 100;

/** Jobs over HTTP through SOCKS5, and the peers' own lists for the smallest. */
export const benchBulk: Bench = async (settings) => {
	const results: Result[] = [];
	for (const list of LISTS)
		if (!settings.quick || list.emails <= QUICK_EMAILS_MAX) results.push(await measureList(list, settings));
	return renderBulk(results, await measurePeers(settings));
};

/** All jobs of one list. */
type Result = Awaited<ReturnType<typeof measureList>>;

/** A service of its own for each list, so that its peak of memory is this list's. */
async function measureList(list: List, { say, quick }: BenchSettings) {
	const runs = quick ? 1 : list.runs;
	const domains = Array.from({ length: runs }, (_, run) => domainsOf(list, run, 'socks'));
	const warmUp = domainsOf({ domains: 1 }, runs, 'socks');
	const world = await startBenchWorld(DELAYS, [...domains.flat(), ...warmUp]);
	const service = await startBenchService(world.vars('socks'));
	try {
		await runJob(service, emailsOf(WARM_UP_EMAILS, warmUp), say);
		const done = [];
		for (const some of domains) {
			const before = countsOf(world);
			const { result: job, used } = await watchRuntime(service.process.pid ?? 0, () =>
				runJob(service, emailsOf(list.emails, some), say),
			);
			const after = countsOf(world);
			const connections = after.connections - before.connections;
			done.push({ job, used, connections, recipients: after.recipients - before.recipients });
			say(`bulk: ${list.emails} over ${list.domains}: ${(job.ms / list.emails).toFixed(2)} ms an address`);
		}
		return { list, runs: done };
	} finally {
		await service.remove();
		await world.close();
	}
}

interface Job {
	readonly jobId: string;
	readonly status: string;
	readonly processedEmails: number;
	readonly statusCounts: Readonly<Record<string, number>>;
}

/** Has a list verified as a customer does, from the request to the first answer that says `completed`; gives up after a while. */
async function runJob(service: BenchService, emails: readonly string[], say: BenchSettings['say']) {
	const begun = performance.now();
	let saidAt = begun;
	let job = await callApi<Job>(service, 'POST', '/v1/verify-batch', { emails });
	while (job.status === 'processing' && performance.now() - begun < PATIENCE_MS) {
		await pause(POLL_MS);
		job = await callApi<Job>(service, 'GET', `/v1/jobs/${job.jobId}`);
		if (performance.now() - saidAt < SAID_EVERY_MS) continue;
		saidAt = performance.now();
		say(`bulk: ${job.processedEmails} of ${emails.length}`);
	}
	return { ...job, ms: performance.now() - begun };
}

/** The medians of each peer's runs. */
async function measurePeers({ say, quick }: BenchSettings) {
	const [list] = LISTS;
	const runs = quick ? 1 : PEER_RUNS;
	const names = Object.keys(PEERS);
	// Names of com: some of them believe in no other. A domain for each run, since they remember answers.
	const domains = [...names.keys()].map((i) =>
		Array.from({ length: runs }, (_, run) => domainsOf(list, i * runs + run, 'direct', 'com')),
	);
	const world = await startBenchWorld(DELAYS, domains.flat(2));
	const runner = startRunner({ world, services: {} });
	try {
		const taken = names.map((name) => ({ name, ms: [] as number[], connections: [] as number[] }));
		for (let run = 0; run < runs; run += 1) {
			for (const [i, one] of taken.entries()) {
				const before = countsOf(world).connections;
				const emails = emailsOf(list.emails, domains[i]?.[run] ?? []);
				one.ms.push((await runner.measure({ contender: one.name, emails })).ms);
				one.connections.push(countsOf(world).connections - before);
			}
			say(`bulk: peers, run ${run + 1} of ${runs}`);
		}
		return taken.map(({ name, ms, connections }) => {
			return { name, ms: median(ms), connections: median(connections) };
		});
	} finally {
		runner.end();
		await world.close();
	}
}

function countsOf({ counters: { smtp } }: BenchWorld): { connections: number; recipients: number } {
	return { connections: smtp.connections, recipients: smtp.commands.get('RCPT') ?? 0 };
}

function domainsOf(
	{ domains }: { readonly domains: number },
	run: number,
	way: BenchDomain['way'],
	topLevel: 'com' | 'test' = 'test',
): BenchDomain[] {
	return Array.from({ length: domains }, (_, i) => {
		const name = domainName(`list-${run}-${i}`, topLevel);
		return { name, mailHost: `mx.${name}`, way };
	});
}

/** Half of them exist; evenly over the domains. */
function emailsOf(count: number, domains: readonly BenchDomain[]): string[] {
	return Array.from({ length: count }, (_, n) => {
		const { name } = domains[n % domains.length]!;
		return (Math.floor(n / domains.length) % 2 === 0 ? somebody : nobody)(n, name);
	});
}

/** All tables in Markdown, and whether the goals are met. */
function renderBulk(results: readonly Result[], peers: Awaited<ReturnType<typeof measurePeers>>): string {
	const perAddress = ({ list, runs }: Result): number => median(runs.map(({ job }) => job.ms)) / list.emails;
	const rows = results.map((result) => {
		const { emails, domains } = result.list;
		const of = (pick: (run: Result['runs'][number]) => number): number => median(result.runs.map(pick));
		const used = result.runs.map((run) => run.used);
		const { status = 'none', statusCounts = {} }: Partial<Job> = result.runs.at(-1)?.job ?? {};
		const isRight =
			status === 'completed' &&
			['deliverable', 'undeliverable'].every((half) => statusCounts[half] === emails / 2);
		return [
			`${emails} over ${domains}`,
			(of((run) => run.job.ms) / 1000).toFixed(1),
			perAddress(result).toFixed(2),
			String(of((run) => run.connections)),
			(of((run) => run.recipients) / emails).toFixed(2),
			`${Math.max(...used.map((one) => one.peakMb)).toFixed(0)} (${used[0]?.idleMb.toFixed(0)})`,
			(median(used.map((one) => one.cpuMs)) / emails).toFixed(2),
			isRight ? 'all right' : `${status}: ${JSON.stringify(statusCounts)}`,
		];
	});
	const head = [
		...['addresses over domains', 'seconds', 'ms per address', 'connections', 'RCPT per address'],
		...['peak memory of workerd, MB (before)', 'CPU of workerd, ms per address', 'answers'],
	];
	const find = (emails: number): number => {
		const result = results.find(({ list }) => list.emails === emails);
		return result === undefined ? Number.NaN : perAddress(result);
	};
	const [small, large] = [find(50), find(50_000)];
	const growth = large / find(5_000);
	const best = Math.min(...peers.map(({ ms }) => ms / LISTS[0].emails));
	const peerRows = peers.map(({ name, ms, connections }) => [
		name,
		(ms / LISTS[0].emails).toFixed(1),
		String(connections),
	]);
	const ours = String(median(results[0]?.runs.map((run) => run.connections) ?? []));
	return [
		`Jobs over HTTP, through SOCKS5; DNS ${DELAYS.dnsMs} ms, proxy ${DELAYS.proxyMs} ms a reply, mail servers ${DELAYS.replyMs} ms a reply; ` +
			'half of the mailboxes exist; every domain has a mail host of its own. Seconds run from the request to `completed`.',
		table([head, ...rows]),
		`The same 50 on one domain, by the peers' own lists (five at a time, or their own pool), without a proxy:`,
		table([['', 'ms per address', 'connections'], ['**Mailsonar**', small.toFixed(1), ours], ...peerRows]),
		[
			goal(
				`50 on one domain: at most ${SMALL_GOAL_MS} ms an address, and below the best peer`,
				`${small.toFixed(1)} ms, best peer ${best.toFixed(1)} ms`,
				small <= SMALL_GOAL_MS && small < best,
			),
			...(Number.isNaN(growth)
				? ['- 50,000 addresses were not tried in this run.']
				: [
						atMost('50,000 over 5,000 domains: at most # ms an address', LARGE_GOAL_MS, large, ' ms', 2),
						atMost('an address of 50,000 takes at most # × one of 5,000', GROWTH_MAX, growth, ' ×', 2),
					]),
		].join('\n'),
	].join('\n\n');
}
