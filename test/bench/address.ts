import type { Answer } from './contenders/contender.ts';
import { PEERS } from './contenders/peers.ts';
import { BARE } from './contenders/protocol.ts';
import { startRunner } from './contenders/runner-process.ts';
import type { Runner } from './contenders/runner-process.ts';
import type { Bench, BenchSettings } from './section.ts';
import { startBenchService } from './service.ts';
import { median, spread } from './statistics.ts';
import { goal, table } from './table.ts';
import type { BenchDomain, Delays } from './world.ts';
import { domainName, nobody, somebody, startBenchWorld } from './world.ts';

// One address: what a caller waits for, in a world whose every round trip is known.

const DELAYS: Delays = { dnsMs: 10, proxyMs: 10, replyMs: 50 };
const RUNS = 15;
const RUNS_QUICK = 3;
const WARM_UPS = 3;
const COLD_MAX = 1.05;
const WARM_MAX = 1.1;

const SITUATIONS = ['valid', 'unknown user', 'catch-all'] as const;
type Situation = (typeof SITUATIONS)[number];
const RIGHT: Readonly<Record<Situation, Answer>> = {
	valid: 'valid',
	'unknown user': 'invalid',
	'catch-all': 'catch_all',
};

const { dnsMs, proxyMs, replyMs } = DELAYS;
// Greeting, EHLO, and one group of MAIL and both RCPT (RFC 2920).
const COLD_REPLIES = 3;
const FLOOR = {
	direct: { cold: 2 * dnsMs + COLD_REPLIES * replyMs, warm: replyMs },
	// Method and credentials while DNS is asked; CONNECT after it.
	socks: { cold: Math.max(2 * dnsMs, 2 * proxyMs) + proxyMs + COLD_REPLIES * replyMs, warm: replyMs },
} as const;

/** One row of a table: somebody, at one temperature. */
interface Row {
	readonly title: string;
	/** The name in the runner. */
	readonly contender: string;
	readonly way: BenchDomain['way'];
	/** `cold`: a domain that nobody knows. `own`: one asked before; `shared`: at an operator of many domains. */
	readonly kind: 'cold' | 'own' | 'shared';
}

interface Step {
	readonly row: Row;
	readonly situation: Situation;
	readonly email: string;
	readonly isMeasured: boolean;
}

const OURS = { direct: 'Mailsonar', socks: 'Mailsonar by SOCKS5' } as const;
// Names of Google's hosts, so that whoever treats shared operators in a way of its own does it here.
const SHARED_HOST = { direct: 'aspmx.l.google.com', socks: 'alt1.aspmx.l.google.com' } as const;

const bare = (name: keyof typeof BARE, kind: Row['kind']): Row => {
	return { title: 'bare client', contender: name, way: BARE[name].way, kind };
};
const ours = (way: BenchDomain['way'], kind: Row['kind'], title = '**Mailsonar**'): Row => {
	return { title, contender: OURS[way], way, kind };
};
const peers = (kind: Row['kind']): readonly Row[] =>
	Object.keys(PEERS).map((name) => ({ title: name, contender: name, way: 'direct', kind }));

const TABLES: readonly { title: string; floorMs: number; rows: readonly Row[] }[] = [
	{
		title: 'Cold, direct',
		floorMs: FLOOR.direct.cold,
		rows: [bare('bare client, direct', 'cold'), ours('direct', 'cold'), ...peers('cold')],
	},
	{
		title: 'Warm, direct: the domain was asked about a moment ago',
		floorMs: FLOOR.direct.warm,
		rows: [
			bare('bare client, direct, kept connection', 'shared'),
			ours('direct', 'shared', '**Mailsonar**, shared operator'),
			ours('direct', 'own', '**Mailsonar**, mail host of its own'),
			...peers('shared'),
		],
	},
	{
		title: 'Cold, through SOCKS5 with password (no peer can)',
		floorMs: FLOOR.socks.cold,
		rows: [bare('bare client, SOCKS5', 'cold'), ours('socks', 'cold')],
	},
	{
		title: 'Warm, through SOCKS5',
		floorMs: FLOOR.socks.warm,
		rows: [
			bare('bare client, SOCKS5, kept connection', 'shared'),
			ours('socks', 'shared', '**Mailsonar**, shared operator'),
			ours('socks', 'own', '**Mailsonar**, mail host of its own'),
		],
	},
];

/** Times and answers of a row in a situation. */
type Taken = Map<string, { readonly ms: number[]; wrong: number }>;

/** POST /v1/verify over HTTP beside the peers' own functions, interleaved run by run. */
export const benchAddress: Bench = async (settings) => {
	const steps = plan(settings.quick ? RUNS_QUICK : RUNS);
	const world = await startBenchWorld(DELAYS, domainsOf(steps));
	const services = await Promise.all([
		startBenchService(world.vars('direct')),
		startBenchService(world.vars('socks')),
	]);
	const [direct, socks] = services;
	const runner = startRunner({ world, services: { [OURS.direct]: direct, [OURS.socks]: socks } });
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
				steps.push({ row, situation, email: make(run + WARM_UPS, domain), isMeasured: run >= 0 });
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
	for (const [index, { row, situation, email, isMeasured }] of steps.entries()) {
		if (index % 100 === 0) say(`address: ${index} of ${steps.length} questions`);
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

function keyOf({ contender, kind }: Row, situation: Situation): string {
	return `${contender}, ${kind}, ${situation}`;
}

function render(taken: Taken): string {
	const of = (row: Row, situation: Situation) => taken.get(keyOf(row, situation)) ?? { ms: [], wrong: 0 };
	const valid = (row: Row | undefined): number =>
		row === undefined ? Number.NaN : median(of(row, 'valid').ms);
	const tables = TABLES.map(({ title, floorMs, rows }) => {
		const bestPeer = Math.min(...rows.filter(({ contender }) => contender in PEERS).map(valid));
		const body = rows.map((row) => [
			row.title,
			...SITUATIONS.map((situation) => {
				const { ms, wrong } = of(row, situation);
				return `${spread(ms)}${wrong === 0 ? '' : ` ✗${wrong}`}`;
			}),
			(valid(row) / floorMs).toFixed(2),
			Number.isFinite(bestPeer) ? (valid(row) / bestPeer).toFixed(2) : '–',
		]);
		const head = ['', ...SITUATIONS.map((situation) => `${situation}, ms`), '× floor', '× best peer'];
		const floor = ['floor (computed)', ...SITUATIONS.map(() => String(floorMs)), '1.00', ''];
		return `**${title}**\n\n${table([head, floor, ...body])}`;
	});
	const goals = TABLES.map(({ title, floorMs, rows }) => {
		const mine = rows.find(({ contender }) => contender === OURS.direct || contender === OURS.socks);
		const max = mine?.kind === 'cold' ? COLD_MAX : WARM_MAX;
		const found = valid(mine) / floorMs;
		const name = title.replace(/[:(].*/, '').trim();
		return `- ${goal(`${name}: at most ${max} × the floor`, `${found.toFixed(2)} ×`, found <= max)}`;
	});
	return [
		`Median (least–most) of ${of(TABLES[0]!.rows[0]!, 'valid').ms.length} runs each, interleaved. DNS ${dnsMs} ms, each reply of the proxy ${proxyMs} ms, ` +
			`each reply of a mail server ${replyMs} ms. ✗n: n of the answers were wrong (a catch-all domain's mailbox called valid).`,
		...tables,
		goals.join('\n'),
	].join('\n\n');
}
