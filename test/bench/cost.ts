import { spawnSync } from 'node:child_process';
import { callApi } from '../../tools/api-client.ts';
import { dollarsPerMillion, totalOf } from '../support/billing.ts';
import type { Usage } from '../support/billing.ts';
import { runJob } from './jobs.ts';
import { watchRuntime } from './processes.ts';
import type { Bench, BenchSettings } from './section.ts';
import { startBenchService } from './service.ts';
import { goal, table } from './table.ts';
import type { BenchDomain } from './world.ts';
import { domainName, NO_DELAYS, somebody, startBenchWorld } from './world.ts';

// What a million verifications cost on the platform: operations as the tests count them, CPU as Linux counts it here.

const TESTS = ['verify-costs', 'job-costs'].map((name) => `test/worker/${name}.test.ts`);
const VITEST = 'node_modules/vitest/vitest.mjs';
const DOMAINS = 200;
const SINGLE_CALLS = 400;
const LIST = 2_000;
const WARM_UPS = 20;
const PATIENCE_MS = 5 * 60_000;
// In the order of the columns.
const GOALS = { single: 5, bulk: 1 } as const satisfies Record<Usage['what'], number>;
const COLUMNS = Object.keys(GOALS) as readonly Usage['what'][];

type CpuMs = Readonly<Record<'single' | 'bulk', number | null>>;

/** Counts with the tests that hold the costs, and measures CPU of real verifications. */
export const benchCost: Bench = async (settings) => {
	settings.say('cost: counting operations');
	const usages = countOperations();
	const cpuMs = await measureCpu(settings);
	return render(usages, cpuMs);
};

function countOperations(): readonly Usage[] {
	const { stdout, stderr, status } = spawnSync(
		process.execPath,
		[VITEST, 'run', '--project', 'worker', ...TESTS],
		{ encoding: 'utf8', env: { ...process.env, NO_COLOR: '1' } },
	);
	if (status !== 0) throw new Error(`The tests that count costs failed:\n${stdout}${stderr}`);
	const usages = [...stdout.matchAll(/^COUNTED (\{.*\})$/gm)].map(
		([, text = '']) => JSON.parse(text) as Usage,
	);
	return COLUMNS.map((column) => {
		const usage = usages.find(({ what }) => what === column);
		if (usage === undefined) throw new Error(`No test said what it counted (${column}):\n${stdout}`);
		return usage;
	});
}

/** All of workerd, wrangler's own part of it included: more than a production isolate uses. */
async function measureCpu({ say }: BenchSettings): Promise<CpuMs> {
	const domains = Array.from({ length: DOMAINS }, (_, i): BenchDomain => {
		const name = domainName(`cost-${i}`, 'test');
		return { name, mailHost: `mx.${name}`, way: 'socks' };
	});
	const emails = (count: number, from: number): string[] =>
		Array.from({ length: count }, (_, n) => somebody(from + n, domains[n % DOMAINS]!.name));
	const world = await startBenchWorld(NO_DELAYS, domains);
	const service = await startBenchService(world.vars('socks'));
	const pid = service.process.pid ?? 0;
	const verify = async (email: string): Promise<unknown> => callApi(service, 'POST', '/v1/verify', { email });
	try {
		for (const email of emails(WARM_UPS, 0)) await verify(email);
		say('cost: CPU of single verifications');
		const single = await watchRuntime(pid, async () => {
			for (const email of emails(SINGLE_CALLS, WARM_UPS)) await verify(email);
		});
		say('cost: CPU of a list');
		const bulk = await watchRuntime(pid, () =>
			runJob(service, emails(LIST, WARM_UPS + SINGLE_CALLS), PATIENCE_MS, () => undefined),
		);
		return {
			single: single.used === null ? null : single.used.cpuMs / SINGLE_CALLS,
			bulk: bulk.used === null ? null : bulk.used.cpuMs / LIST,
		};
	} finally {
		await service.remove();
		await world.close();
	}
}

function render(usages: readonly Usage[], cpuMs: CpuMs): string {
	const priced = usages.map((usage) => {
		const cpu = cpuMs[usage.what === 'bulk' ? 'bulk' : 'single'];
		const dollars = dollarsPerMillion(usage, cpu ?? 0);
		return { usage, cpu, dollars, total: totalOf(dollars) };
	});
	const counted: readonly (readonly [string, (usage: Usage) => number])[] = [
		['invocations', (usage) => usage.invocations],
		['rows in objects', (usage) => usage.objectRows],
		['rows in D1', (usage) => usage.databaseRows],
		['object requests', (usage) => usage.objectRequests],
		['object time', (usage) => usage.objectMs / 1000],
		['queue', (usage) => usage.messages],
		['R2', (usage) => usage.bucketWrites + usage.bucketReads],
	];
	const units: Readonly<Record<string, string>> = {
		'object time': ' s',
		queue: ' messages',
		R2: ' operations',
	};
	const rows = Object.keys(priced[0]?.dollars ?? {}).map((name) => [
		name,
		...priced.flatMap(({ usage, cpu, dollars }) => {
			const count = counted.find(([title]) => title === name)?.[1];
			const amount =
				count === undefined
					? `${cpu?.toFixed(2) ?? 'not measured'} ms each`
					: `${perMillion(count(usage), usage)}${units[name] ?? ''}`;
			return [amount, (dollars[name] ?? 0).toFixed(3)];
		}),
	]);
	const totals = priced.flatMap(({ total }) => ['', `**${total.toFixed(2)}**`]);
	const head = ['a million', ...priced.flatMap(({ usage }) => [usage.what, '$'])];
	return [
		'Operations are counted by `verify-costs` and `job-costs` in `test/worker`, prices are those of ' +
			'`test/support/billing.ts`, included amounts are left out, and so are the machines of the probers. CPU is all of ' +
			'workerd here, object time includes the way there and back.',
		table([head, ...rows, ['total', ...totals]]),
		priced
			.map(
				({ usage: { what }, total }) =>
					`- ${goal(`a million verifications (${what}) for at most $${GOALS[what]}`, `$${total.toFixed(2)}`, total <= GOALS[what])}`,
			)
			.join('\n'),
	].join('\n\n');
}

function perMillion(count: number, { addresses }: Usage): string {
	return Math.round((count * 1e6) / addresses).toLocaleString('en-US');
}
