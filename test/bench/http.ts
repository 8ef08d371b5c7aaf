import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startWranglerDev } from '../../tools/wrangler-dev.ts';
import { runtimeUrl, watchRuntime } from './processes.ts';
import type { Bench } from './report.ts';
import { startBenchService } from './service.ts';
import { median } from '../support/statistics.ts';
import { goal, table } from './report.ts';
import { DISPOSABLE, NO_DELAYS, startBenchWorld } from './world.ts';

// The HTTP path: what of a request's time is ours, and what is the runtime's.

const CONNECTIONS = 20;
const SECONDS = 5;
const SECONDS_QUICK = 2;
const ROUNDS = 5;
const ROUNDS_QUICK = 1;
const WARM_UP_SECONDS = 2;
const CREDITS_MIN = 1;

/** A route by one of the two ways. */
interface Route {
	readonly title: string;
	readonly url: string;
	readonly method?: 'POST';
	readonly headers?: Readonly<Record<string, string>>;
	readonly body?: string;
	/** Whose workerd it is. */
	readonly process: number;
}

type Round = Awaited<ReturnType<typeof load>>;

const BARE = 'Hono, nothing else';
const WRITE = 'Hono and one object write';
const CREDITS = 'GET /v1/credits';
const VERIFY = 'POST /v1/verify, disposable';

/**
 * Bounded load on four routes in turn, a bare one, one with a write, and two of ours, each in its own `wrangler dev`:
 * through wrangler's Worker, and around it.
 */
export const benchHttp: Bench = async ({ quick, say }) => {
	const world = await startBenchWorld(NO_DELAYS, []);
	const service = await startBenchService(world.vars('socks'));
	const stateFolder = mkdtempSync(join(tmpdir(), 'mailsonar-bench-'));
	const bare = await startWranglerDev({
		config: 'test/bench/worker/wrangler.toml',
		port: 0,
		persistTo: stateFolder,
		more: ['--log-level', 'error'],
		output: 'hide',
	});
	try {
		const pid = bare.process.pid ?? 0;
		const headers = { authorization: `Bearer ${service.apiKey}`, 'content-type': 'application/json' };
		const routesOf = (bareUrl: string, ourUrl: string): readonly Route[] => {
			const ours = { headers, process: service.process.pid ?? 0 };
			const body = JSON.stringify({ email: DISPOSABLE });
			return [
				{ title: BARE, url: `${bareUrl}/bare`, process: pid },
				{ title: WRITE, url: `${bareUrl}/write`, process: pid },
				{ ...ours, title: CREDITS, url: `${ourUrl}/v1/credits` },
				{ ...ours, title: VERIFY, url: `${ourUrl}/v1/verify`, method: 'POST', body },
			];
		};
		const runtime = await runtimeUrl(bare.url, pid, '/bare');
		const ways = [
			{ way: 'Through `wrangler dev`', routes: routesOf(bare.url, service.url) },
			{ way: 'The runtime alone', routes: routesOf(runtime, service.runtimeUrl) },
		];
		const [rounds, seconds] = quick ? [ROUNDS_QUICK, SECONDS_QUICK] : [ROUNDS, SECONDS];
		const taken = new Map<Route, Round[]>();
		for (const route of ways.flatMap(({ routes }) => routes)) {
			await load(route, WARM_UP_SECONDS);
			taken.set(route, []);
		}
		for (let round = 0; round < rounds; round += 1) {
			for (const [route, all] of taken) all.push(await load(route, seconds));
			say(`http: round ${round + 1}`);
		}
		const parts = ways.map(({ way, routes }) =>
			renderWay(way, new Map(routes.map((route) => [route.title, taken.get(route) ?? []]))),
		);
		return [
			`${CONNECTIONS} connections, all to one account (one object), ${seconds} s each, in turn; medians of ${rounds} rounds. ` +
				'The same `wrangler dev` with the same settings for all; the load comes from the same machine.',
			...parts.map(({ text }) => text),
			parts.map(({ verdict }) => verdict).join('\n'),
		].join('\n\n');
	} finally {
		await bare.stop();
		await service.remove();
		await world.close();
		rmSync(stateFolder, { recursive: true, force: true });
	}
};

async function load({ process, title, ...request }: Route, duration: number) {
	const { default: autocannon } = await import('autocannon');
	const { result, used } = await watchRuntime(process, () =>
		autocannon({ ...request, connections: CONNECTIONS, duration }),
	);
	if (result.non2xx + result.errors + result.timeouts > 0)
		throw new Error(
			`${title}: ${result.non2xx} refused, ${result.errors} errors, ${result.timeouts} timeouts`,
		);
	const cpuMs = used.cpuMs / result.requests.total;
	return { rps: result.requests.average, p50: result.latency.p50, p99: result.latency.p99, cpuMs };
}

function renderWay(way: string, rounds: ReadonlyMap<string, readonly Round[]>) {
	const of = (title: string, figure: keyof Round): number =>
		median((rounds.get(title) ?? []).map((round) => round[figure]));
	const rows = [...rounds.keys()].map((title) => [
		title,
		...(['rps', 'p50', 'p99'] as const).map((figure) => of(title, figure).toFixed(0)),
		of(title, 'cpuMs').toFixed(2),
		...[BARE, WRITE].map((other) => (of(title, 'rps') / of(other, 'rps')).toFixed(2)),
	]);
	const ratio = of(CREDITS, 'rps') / of(WRITE, 'rps');
	const head = ['', 'requests/s', 'p50, ms', 'p99, ms', 'CPU of workerd, ms each', '× bare', '× one write'];
	const name = `${way}: GET /v1/credits at least ${CREDITS_MIN} × Hono and one object write`;
	return {
		text: `**${way}**\n\n${table([head, ...rows])}`,
		verdict: goal(name, `${ratio.toFixed(2)} ×`, ratio >= CREDITS_MIN),
	};
}
