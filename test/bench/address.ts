import {
	DELAYS,
	keyOf,
	OURS,
	renderAddress,
	RIGHT,
	SHARED_HOST,
	SITUATIONS,
	TABLES,
} from './address-tables.ts';
import type { Offline, Row, Situation, Taken } from './address-tables.ts';
import { PEERS } from './contenders/peers.ts';
import { startRunner } from './contenders/runner-process.ts';
import type { Runner } from './contenders/runner-process.ts';
import type { Bench, BenchSettings } from './section.ts';
import { startBenchService } from './service.ts';
import type { BenchDomain } from './world.ts';
import { DISPOSABLE, domainName, nobody, somebody, startBenchWorld } from './world.ts';

// One address: what a caller waits for, in a world whose every round trip is known.

const RUNS = 15;
const RUNS_QUICK = 3;
const WARM_UPS = 3;
// Numbers of mailboxes that are asked about to warm up only: whoever comes alone is dialled from the Worker, and the next
// one's connection is kept.
const NEIGHBOURS = [1_000, 2_000];
const BY_WRANGLER = 'Mailsonar through wrangler';

interface Step {
	readonly row: Row;
	readonly situation: Situation;
	readonly email: string;
	/** Of the same domain, asked about just before. */
	readonly before: readonly string[];
	readonly isMeasured: boolean;
}

/** POST /v1/verify over HTTP beside the peers' own functions, interleaved run by run. */
export const benchAddress: Bench = async (settings) => {
	const steps = plan(settings.quick ? RUNS_QUICK : RUNS);
	const world = await startBenchWorld(DELAYS, domainsOf(steps));
	const services = await Promise.all([
		startBenchService(world.vars('direct')),
		startBenchService(world.vars('socks')),
	]);
	const [direct, socks] = services;
	const runner = startRunner({
		world,
		services: {
			[OURS.direct]: { ...direct, url: direct.runtimeUrl },
			[OURS.socks]: { ...socks, url: socks.runtimeUrl },
			[BY_WRANGLER]: direct,
		},
	});
	try {
		const taken = await take(runner, steps, settings);
		return renderAddress(taken, await takeOffline(runner, settings.quick ? RUNS_QUICK : RUNS));
	} finally {
		runner.end();
		await Promise.all(services.map((service) => service.remove()));
		await world.close();
	}
};

/** Every question in its order: all rows and situations in turn, run after run, so that noise meets all alike. */
function plan(runs: number): readonly Step[] {
	const rows = TABLES.flatMap((one) => one.rows);
	const steps: Step[] = [];
	for (let run = -WARM_UPS; run < runs; run += 1) {
		for (const [i, situation] of SITUATIONS.entries())
			for (const [j, row] of rows.entries()) {
				const takesAll = situation === 'catch-all';
				const topLevel = row.contender in PEERS ? 'com' : 'test';
				const label = row.kind === 'cold' ? `c${i}-${j}-${run + WARM_UPS}` : `w${i}-${j}`;
				const domain = domainName(label, topLevel, takesAll);
				const make = situation === 'unknown user' ? nobody : somebody;
				const email = make(run + WARM_UPS, domain);
				const before = row.kind === 'cold' ? [] : NEIGHBOURS.map((n) => somebody(run + WARM_UPS + n, domain));
				steps.push({ row, situation, email, before, isMeasured: run >= 0 });
			}
	}
	return steps;
}

function domainsOf(steps: readonly Step[]): readonly BenchDomain[] {
	const domains = steps.map(({ email, row: { kind, way } }): BenchDomain => {
		const name = email.slice(email.indexOf('@') + 1);
		return { name, way, mailHost: kind === 'shared' ? SHARED_HOST[way] : `mx.${name}` };
	});
	return [...new Map(domains.map((domain) => [domain.name, domain])).values()];
}

async function take(runner: Runner, steps: readonly Step[], { say }: BenchSettings): Promise<Taken> {
	const taken: Taken = new Map();
	for (const [index, { row, situation, email, before, isMeasured }] of steps.entries()) {
		if (index % 100 === 0) say(`address: ${index} of ${steps.length} questions`);
		for (const neighbour of before) await runner.measure({ contender: row.contender, emails: [neighbour] });
		const { ms, answers } = await runner.measure({ contender: row.contender, emails: [email] });
		if (!isMeasured) continue;
		const key = keyOf(row, situation);
		const soFar = taken.get(key) ?? { ms: [], wrong: 0 };
		soFar.ms.push(ms);
		if (answers[0] !== RIGHT[situation]) soFar.wrong += 1;
		taken.set(key, soFar);
	}
	return taken;
}

/** The same call where no network is needed: key, ledger, answer; around wrangler's Worker and through it. */
async function takeOffline(runner: Runner, runs: number): Promise<Offline> {
	const taken: Record<keyof Offline, number[]> = { runtime: [], wrangler: [] };
	for (let run = -WARM_UPS; run < runs; run += 1)
		for (const [way, contender] of [
			['runtime', OURS.direct],
			['wrangler', BY_WRANGLER],
		] as const) {
			const { ms } = await runner.measure({ contender, emails: [DISPOSABLE] });
			if (run >= 0) taken[way].push(ms);
		}
	return taken;
}
