import type { FinishedJob } from './jobs.ts';
import type { Used } from './processes.ts';
import { median } from './statistics.ts';
import { goal, table } from './table.ts';
import type { Delays } from './world.ts';

// Which lists are measured, and how they are told.

/** The distances of the world. */
export const DELAYS: Delays = { dnsMs: 10, proxyMs: 10, replyMs: 50 };
/** What is asked for, and how often. */
export const LISTS = [
	{ emails: 50, domains: 1, runs: 5 },
	{ emails: 500, domains: 1, runs: 3 },
	{ emails: 5_000, domains: 500, runs: 1 },
	{ emails: 50_000, domains: 5_000, runs: 1 },
] as const;
export type List = (typeof LISTS)[number];
const SMALL_GOAL_MS = 5;
const LARGE_GOAL_MS = 0.65;
const GROWTH_MAX = 1.1;

/** One job, and what it took. */
export interface Run {
	readonly job: FinishedJob;
	readonly used: Used | null;
	readonly connections: number;
	readonly recipients: number;
}
/** All jobs of one list. */
export interface Result {
	readonly list: List;
	readonly runs: readonly Run[];
}
/** The median of a peer's runs. */
export interface PeerResult {
	readonly name: string;
	readonly ms: number;
	readonly connections: number;
}

/** All tables in Markdown, and whether the goals are met. */
export function renderBulk(results: readonly Result[], peers: readonly PeerResult[]): string {
	const perAddress = ({ list, runs }: Result): number => median(runs.map(({ job }) => job.ms)) / list.emails;
	const rows = results.map((result) => {
		const { list, runs } = result;
		const last = runs.at(-1);
		const of = (pick: (run: Run) => number): number => median(runs.map(pick));
		const used = runs.map((run) => run.used).filter((one) => one !== null);
		const { job } = last ?? { job: null };
		const isRight =
			job?.status === 'completed' &&
			job.statusCounts['deliverable'] === list.emails / 2 &&
			job.statusCounts['undeliverable'] === list.emails / 2;
		return [
			`${list.emails} over ${list.domains}`,
			(of((run) => run.job.ms) / 1000).toFixed(1),
			perAddress(result).toFixed(2),
			String(of((run) => run.connections)),
			(of((run) => run.recipients) / list.emails).toFixed(2),
			used.length === 0
				? '–'
				: `${Math.max(...used.map((one) => one.peakMb)).toFixed(0)} (${used[0]?.idleMb.toFixed(0)})`,
			used.length === 0 ? '–' : (median(used.map((one) => one.cpuMs)) / list.emails).toFixed(2),
			isRight ? 'all right' : `${job?.status}: ${JSON.stringify(job?.statusCounts)}`,
		];
	});
	const head = [
		'addresses over domains',
		'seconds',
		'ms per address',
		'connections',
		'RCPT per address',
		'peak memory of workerd, MB (before)',
		'CPU of workerd, ms per address',
		'answers',
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
	return [
		`Jobs over HTTP, through SOCKS5; DNS ${DELAYS.dnsMs} ms, proxy ${DELAYS.proxyMs} ms a reply, mail servers ${DELAYS.replyMs} ms a reply; ` +
			'half of the mailboxes exist; every domain has a mail host of its own. Seconds run from the request to `completed`.',
		table([head, ...rows]),
		`The same 50 on one domain, by the peers' own lists (five at a time, or their own pool), without a proxy:`,
		table([
			['', 'ms per address', 'connections'],
			[
				'**Mailsonar**',
				small.toFixed(1),
				String(median(results[0]?.runs.map((run) => run.connections) ?? [])),
			],
			...peerRows,
		]),
		[
			`- ${goal(`50 on one domain: at most ${SMALL_GOAL_MS} ms an address, and below the best peer`, `${small.toFixed(1)} ms, best peer ${best.toFixed(1)} ms`, small <= SMALL_GOAL_MS && small < best)}`,
			...(Number.isNaN(growth)
				? ['- 50,000 addresses were not tried in this run.']
				: [
						`- ${goal(`50,000 over 5,000 domains: at most ${LARGE_GOAL_MS} ms an address`, `${large.toFixed(2)} ms`, large <= LARGE_GOAL_MS)}`,
						`- ${goal(`an address of 50,000 takes at most ${GROWTH_MAX} × one of 5,000`, `${growth.toFixed(2)} ×`, growth <= GROWTH_MAX)}`,
					]),
		].join('\n'),
	].join('\n\n');
}
