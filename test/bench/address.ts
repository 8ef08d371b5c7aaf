import { PEERS } from './contenders/peers.ts';
import type { Answer } from './contenders/peers.ts';
import { startRunner } from './contenders/runner.ts';
import type { Runner } from './contenders/runner.ts';
import type { Bench, BenchSettings } from './report.ts';
import { startBenchService } from './service.ts';
import { median, spread } from '../support/statistics.ts';
import { atMost, table } from './report.ts';
import type { BenchDomain, Delays } from './world.ts';
import { domainName, nobody, somebody, startBenchWorld } from './world.ts';

// One address: what a caller waits for, in a world whose every round trip is known.

const RUNS = 15;
const RUNS_QUICK = 3;
const WARM_UPS = 3;
// Numbers of mailboxes that are asked about to warm up only: an address that comes alone is dialled from the Worker, and
// the next one's connection is kept.
const NEIGHBOURS = [1_000, 2_000];
const DELAYS: Delays = { dnsMs: 10, proxyMs: 10, replyMs: 50 };
const COLD_MAX = 1.08;
// A kept connection, and all that goes through a proxy or asks once more.
const MORE_MAX = 1.2;
const CATCH_ALL_MAX = 1.03;

/** The right answer to each situation. */
const RIGHT = {
	valid: 'valid',
	'unknown user': 'invalid',
	'catch-all': 'catch_all',
} as const satisfies Readonly<Record<string, Answer>>;
type Situation = keyof typeof RIGHT;
const SITUATIONS = Object.keys(RIGHT) as readonly Situation[];

const { dnsMs, proxyMs, replyMs } = DELAYS;
// Greeting, EHLO, and one group of MAIL and both RCPT (RFC 2920).
const COLD_REPLIES = 3;
const COLD_DIRECT_MS = 2 * dnsMs + COLD_REPLIES * replyMs;
// Method and credentials while DNS is asked; CONNECT after it.
const COLD_SOCKS_MS = Math.max(2 * dnsMs, 2 * proxyMs) + proxyMs + COLD_REPLIES * replyMs;

/** One row of a table: somebody, at one temperature. */
interface Row {
	readonly title: string;
	/** The name in the runner. */
	readonly contender: string;
	readonly way: BenchDomain['way'];
	/** `cold`: a domain that nobody knows. `own`: one asked about just before; `shared`: at an operator of many domains. */
	readonly kind: 'cold' | 'own' | 'shared';
}

/** Our names in the runner. */
const OURS = { direct: 'Mailsonar', socks: 'Mailsonar by SOCKS5' } as const;
// Names of Google's hosts, so that a verifier that treats shared operators in a way of its own does it here.
const SHARED_HOST = { direct: 'aspmx.l.google.com', socks: 'alt1.aspmx.l.google.com' } as const;

const ours = (way: BenchDomain['way'], kind: Row['kind']): Row => {
	const where = { cold: '', shared: ', shared operator', own: ', mail host of its own' }[kind];
	return { title: `**Mailsonar**${where}`, contender: OURS[way], way, kind };
};
const peers = (kind: Row['kind']): readonly Row[] =>
	Object.keys(PEERS).map((name) => ({ title: name, contender: name, way: 'direct', kind }));

/** In the order of the document. The goal is that of a table's first row. */
const TABLES: readonly { title: string; floorMs: number; max: number; rows: readonly [Row, ...Row[]] }[] = [
	{
		title: 'Cold, direct',
		floorMs: COLD_DIRECT_MS,
		max: COLD_MAX,
		rows: [ours('direct', 'cold'), ...peers('cold')],
	},
	{
		title: 'Warm, direct',
		floorMs: replyMs,
		max: MORE_MAX,
		rows: [ours('direct', 'shared'), ours('direct', 'own'), ...peers('shared')],
	},
	{
		title: 'Cold, through SOCKS5 with password',
		floorMs: COLD_SOCKS_MS,
		max: MORE_MAX,
		rows: [ours('socks', 'cold')],
	},
	{
		title: 'Warm, through SOCKS5',
		floorMs: replyMs,
		max: MORE_MAX,
		rows: [ours('socks', 'shared'), ours('socks', 'own')],
	},
];

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
		},
	});
	try {
		return render(await take(runner, steps, settings));
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

type Measured = Step & { readonly ms: number; readonly isRight: boolean };

async function take(
	runner: Runner,
	steps: readonly Step[],
	{ say }: BenchSettings,
): Promise<readonly Measured[]> {
	const taken: Measured[] = [];
	for (const [index, step] of steps.entries()) {
		const { contender } = step.row;
		if (index % 100 === 0) say(`address: ${index} of ${steps.length} questions`);
		for (const neighbour of step.before) await runner.measure({ contender, emails: [neighbour] });
		const { ms, answers } = await runner.measure({ contender, emails: [step.email] });
		if (step.isMeasured) taken.push({ ...step, ms, isRight: answers[0] === RIGHT[step.situation] });
	}
	return taken;
}

/** All tables in Markdown, and whether the goals are met. */
function render(taken: readonly Measured[]): string {
	const of = (row: Row, situation: Situation): readonly Measured[] =>
		taken.filter((one) => one.row === row && one.situation === situation);
	const msOf = (row: Row, situation: Situation): number[] => of(row, situation).map(({ ms }) => ms);
	const valid = (row: Row): number => median(msOf(row, 'valid'));
	const head = ['', ...SITUATIONS.map((situation) => `${situation}, ms`), '× floor', '× best peer'];
	const tables = TABLES.map(({ title, floorMs, rows }) => {
		const bestPeer = Math.min(...rows.filter(({ contender }) => contender in PEERS).map(valid));
		const body = rows.map((row) => [
			row.title,
			...SITUATIONS.map((situation) => {
				const wrong = of(row, situation).filter(({ isRight }) => !isRight).length;
				return `${spread(msOf(row, situation))}${wrong === 0 ? '' : ` ✗${wrong}`}`;
			}),
			(valid(row) / floorMs).toFixed(2),
			Number.isFinite(bestPeer) ? (valid(row) / bestPeer).toFixed(2) : '–',
		]);
		const floor = ['floor (computed)', ...SITUATIONS.map(() => String(floorMs)), '1.00', ''];
		return `**${title}**\n\n${table([head, floor, ...body])}`;
	});
	const goals = TABLES.map(({ title, floorMs, max, rows: [first] }) => {
		return atMost(`${title}: at most # × the floor`, max, valid(first) / floorMs, ' ×', 2);
	});
	// A catch-all is asked two more invented recipients once it has shown itself: one round trip more.
	const [cold] = TABLES[0]!.rows;
	const catchAllFloorMs = COLD_DIRECT_MS + replyMs;
	const found = median(msOf(cold, 'catch-all')) / catchAllFloorMs;
	const name = `Catch-all, cold, direct: at most # × its own floor of ${catchAllFloorMs} ms`;
	return [
		`Median (least–most) of ${of(cold, 'valid').length} runs each, interleaved. DNS ${dnsMs} ms, each reply of the proxy ${proxyMs} ms, ` +
			`each reply of a mail server ${replyMs} ms. ✗n: n of the answers were wrong (a catch-all domain's mailbox called valid).`,
		...tables,
		[...goals, atMost(name, CATCH_ALL_MAX, found, ' ×', 2)].join('\n'),
	].join('\n\n');
}
