import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startWranglerDev } from '../../tools/wrangler-dev.ts';
import { watchRuntime } from './processes.ts';
import type { Bench } from './section.ts';
import { startBenchService } from './service.ts';
import type { BenchService } from './service.ts';
import { median } from './statistics.ts';
import { goal, table } from './table.ts';
import { startBenchWorld } from './world.ts';

// The HTTP path: what of a request's time is ours, and what is the runtime's.

const CONNECTIONS = 20;
const SECONDS = 5;
const SECONDS_QUICK = 2;
const ROUNDS = 5;
const ROUNDS_QUICK = 1;
const WARM_UP_SECONDS = 2;
const CREDITS_MIN = 0.9;
// On the bundled list: decided without DNS and SMTP.
const DISPOSABLE = 'ada@mailinator.com';
const NO_DELAYS = { dnsMs: 0, proxyMs: 0, replyMs: 0 };

interface Route {
	readonly title: string;
	readonly url: string;
	readonly method: 'GET' | 'POST';
	readonly headers: Readonly<Record<string, string>>;
	readonly body?: string;
	/** Whose workerd it is. */
	readonly process: number;
}

interface Round {
	readonly rps: number;
	readonly p50: number;
	readonly p99: number;
	readonly cpuMs: number | null;
}

const BARE = 'Hono, nothing else';
const WRITE = 'Hono and one object write';
const CREDITS = 'GET /v1/credits';
const VERIFY = 'POST /v1/verify, disposable';

/** Bounded load on four routes in turn: a bare one, one with a write, and two of ours, each in its own `wrangler dev`. */
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
		const routes = routesOf(bare.url, bare.process.pid ?? 0, service);
		for (const route of routes) await load(route, WARM_UP_SECONDS);
		const taken = new Map<string, Round[]>(routes.map(({ title }) => [title, []]));
		for (let round = 0; round < (quick ? ROUNDS_QUICK : ROUNDS); round += 1) {
			for (const route of routes)
				taken.get(route.title)?.push(await load(route, quick ? SECONDS_QUICK : SECONDS));
			say(`http: round ${round + 1}`);
		}
		return render(taken);
	} finally {
		await bare.stop();
		await service.remove();
		await world.close();
		rmSync(stateFolder, { recursive: true, force: true });
	}
};

function routesOf(bareUrl: string, barePid: number, service: BenchService): readonly Route[] {
	const headers = { authorization: `Bearer ${service.apiKey}`, 'content-type': 'application/json' };
	const servicePid = service.process.pid ?? 0;
	const body = JSON.stringify({ email: DISPOSABLE });
	const bare = { method: 'GET', headers: {}, process: barePid } as const;
	return [
		{ ...bare, title: BARE, url: `${bareUrl}/bare` },
		{ ...bare, title: WRITE, url: `${bareUrl}/write` },
		{ title: CREDITS, url: `${service.url}/v1/credits`, method: 'GET', headers, process: servicePid },
		{ title: VERIFY, url: `${service.url}/v1/verify`, method: 'POST', headers, body, process: servicePid },
	];
}

async function load({ process, title, ...request }: Route, seconds: number): Promise<Round> {
	const { default: autocannon } = await import('autocannon');
	const { result, used } = await watchRuntime(process, () =>
		autocannon({ ...request, connections: CONNECTIONS, duration: seconds }),
	);
	if (result.non2xx + result.errors + result.timeouts > 0)
		throw new Error(
			`${title}: ${result.non2xx} refused, ${result.errors} errors, ${result.timeouts} timeouts`,
		);
	return {
		rps: result.requests.average,
		p50: result.latency.p50,
		p99: result.latency.p99,
		cpuMs: used === null ? null : used.cpuMs / result.requests.total,
	};
}

function render(taken: ReadonlyMap<string, readonly Round[]>): string {
	const of = (title: string, pick: (round: Round) => number): number =>
		median((taken.get(title) ?? []).map(pick));
	const rps = (title: string): number => of(title, (round) => round.rps);
	const rows = [...taken.keys()].map((title) => [
		title,
		rps(title).toFixed(0),
		of(title, (round) => round.p50).toFixed(0),
		of(title, (round) => round.p99).toFixed(0),
		of(title, (round) => round.cpuMs ?? Number.NaN).toFixed(2),
		(rps(title) / rps(BARE)).toFixed(2),
		(rps(title) / rps(WRITE)).toFixed(2),
	]);
	const ratio = rps(CREDITS) / rps(WRITE);
	const head = ['', 'requests/s', 'p50, ms', 'p99, ms', 'CPU of workerd, ms each', '× bare', '× one write'];
	return [
		`${CONNECTIONS} connections, all to one account (one object), ${SECONDS} s each, in turn; medians of ${taken.get(BARE)?.length} rounds. ` +
			'The same `wrangler dev` with the same settings for all; the load comes from the same machine.',
		table([head, ...rows]),
		`- ${goal(`GET /v1/credits at least ${CREDITS_MIN} × Hono and one object write`, `${ratio.toFixed(2)} ×`, ratio >= CREDITS_MIN)}`,
	].join('\n\n');
}
