import { DELAYS, LISTS, renderBulk } from './bulk-tables.ts';
import type { List, PeerResult, Result, Run } from './bulk-tables.ts';
import { PEERS } from './contenders/peers.ts';
import { startRunner } from './contenders/runner.ts';
import { runJob } from './jobs.ts';
import { watchRuntime } from './processes.ts';
import type { Bench, BenchSettings } from './section.ts';
import { startBenchService } from './service.ts';
import { median } from './statistics.ts';
import type { BenchDomain, BenchWorld } from './world.ts';
import { domainName, nobody, somebody, startBenchWorld } from './world.ts';

// Lists: what an address costs in time and connections when many are asked about at once.

const QUICK_EMAILS_MAX = 5_000;
const PEER_RUNS = 5;
// The first job of a service starts its queue, its bucket and its database.
const WARM_UP_EMAILS = 20;
const PATIENCE_MS = 15 * 60_000;
const SAID_EVERY_MS = 15_000;

/** Jobs over HTTP through SOCKS5, and the peers' own lists for the smallest. */
export const benchBulk: Bench = async (settings) => {
	const results: Result[] = [];
	for (const list of LISTS) {
		if (settings.quick && list.emails > QUICK_EMAILS_MAX) continue;
		results.push(await measureList(list, settings));
	}
	return renderBulk(results, await measurePeers(settings));
};

/** A service of its own for each list, so that its peak of memory is this list's. */
async function measureList(list: List, { say, quick }: BenchSettings): Promise<Result> {
	const runs = quick ? 1 : list.runs;
	const domains = Array.from({ length: runs }, (_, run) => domainsOf(list, run, 'socks'));
	const warmUp: BenchDomain[] = domainsOf({ domains: 1 }, runs, 'socks');
	const world = await startBenchWorld(DELAYS, [...domains.flat(), ...warmUp]);
	const service = await startBenchService(world.vars('socks'));
	try {
		await runJob(service, emailsOf(WARM_UP_EMAILS, warmUp), PATIENCE_MS, () => undefined);
		const done: Run[] = [];
		for (const some of domains) {
			let saidAt = performance.now();
			const before = countsOf(world);
			const { result: job, used } = await watchRuntime(service.process.pid ?? 0, () =>
				runJob(service, emailsOf(list.emails, some), PATIENCE_MS, (processed) => {
					if (performance.now() - saidAt < SAID_EVERY_MS) return;
					saidAt = performance.now();
					say(`bulk: ${processed} of ${list.emails}`);
				}),
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

async function measurePeers({ say, quick }: BenchSettings): Promise<readonly PeerResult[]> {
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
