import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureDevVars, operatorToken } from '../../tools/dev-vars.ts';
import { readSoakArguments } from './arguments.ts';
import type { SoakArguments } from './arguments.ts';
import { callOperator } from '../../tools/operator-client.ts';
import { figuresOf } from './memory.ts';
import { Processes } from './processes.ts';
import { reckon, reckonPerson } from './reckoning.ts';
import { endpointTable, killTable, memoryTable } from './report.ts';
import { SMALL_LIMIT, Soak, WINDOW_SECONDS } from './soak.ts';
import type { Service } from './soak.ts';
import type { Cast } from './traffic.ts';
import { lookAtWindows } from './windows.ts';
import type { WindowedAnswer } from './windows.ts';

// `npm run soak -- [--minutes 30] [--seed N] [--rate 20] [--kill-every 180]`: mixed traffic of twenty customers against the
// whole service, while its processes are killed one after the other. Exit code 1: a promise was broken.

// A Worker that does not compile answers nobody.
const READY_WITHIN_MS = 60_000;

const given = readSoakArguments(process.argv.slice(2), Date.now());
const stateFolder = mkdtempSync(join(tmpdir(), 'mailsonar-soak-'));
const processes = new Processes(stateFolder, {
	RATE_WINDOW_SECONDS: String(WINDOW_SECONDS),
	RETRY_DELAYS_SECONDS: '2,4,8',
	REDRIVE_AFTER_SECONDS: '5',
	SIGN_UP_REFUSES_DISPOSABLE: 'false',
});

let ending: Promise<void> | null = null;
function end(): Promise<void> {
	ending ??= processes.end().then(() => rmSync(stateFolder, { recursive: true, force: true }));
	return ending;
}
for (const [signal, code] of [
	['SIGINT', 130],
	['SIGTERM', 143],
	['SIGHUP', 129],
] as const)
	process.once(signal, () => void end().finally(() => process.exit(code)));

try {
	process.exitCode = (await soak(given)) ? 0 : 1;
} catch (error) {
	if (ending === null) console.error(error);
	process.exitCode = 1;
} finally {
	await end();
}
// Whatever a dead process left open must not keep us.
process.exit();

async function soak(settings: SoakArguments): Promise<boolean> {
	console.log(`npm run soak -- ${commandOf(settings)}`);
	// Before the Worker reads them.
	const token = operatorToken(ensureDevVars());
	for (const who of ['sandbox', 'prober', 'worker'] as const) await processes.start(who);
	const service: Service = { url: processes.url, token };
	const health = await fetch(`${service.url}/healthz`, { signal: AbortSignal.timeout(READY_WITHIN_MS) });
	if (!health.ok) throw new Error(`/healthz: ${health.status} ${await health.text()}`);
	const run = new Soak(processes, settings);
	const cast = await run.cast(service);
	const startedAt = Date.now();
	await run.run(cast);
	console.log(`\n${endpointTable(run.requests.endpoints)}\n`);
	console.log(`${memoryTable(run.memory.lives)}\n`);
	if (run.outages.length > 0) console.log(`${killTable(run.outages, startedAt)}\n`);
	console.log(
		`${run.requests.count} requests, ${run.heldBack} steps not begun since too many were under way.`,
	);
	console.log('Waiting for jobs, and for what the dead had reserved (up to eight minutes).\n');
	const verdicts = await judge(run, cast, service);
	for (const { promise, faults, seen } of verdicts) {
		console.log(`${faults.length === 0 ? '✓' : '✗'} ${promise}${seen === undefined ? '' : ` (${seen})`}`);
		for (const fault of faults) console.log(`    ${fault}`);
	}
	return verdicts.every(({ faults }) => faults.length === 0);
}

interface Verdict {
	readonly promise: string;
	readonly faults: readonly string[];
	readonly seen?: string;
}

async function judge(run: Soak, cast: Cast, service: Service): Promise<readonly Verdict[]> {
	const { customers, limited, people, limitedAnswers } = cast;
	const books = await Promise.all([
		...[...customers, limited].map((customer) => named(customer.name, reckon(service, customer))),
		...people.map((person) => named(person.accountId, reckonPerson(service, person))),
	]);
	const answers = limitedAnswers.filter(({ status }) => status === 200 || status === 429).map(windowed);
	const windows = lookAtWindows(answers, SMALL_LIMIT, WINDOW_SECONDS * 1000);
	const checks = await Promise.all(
		[...customers, limited, ...people].map(({ accountId }) =>
			named(accountId, contradictions(service, accountId)),
		),
	);
	const works = customers.map(({ jobs, tasks }) => [jobs.size, tasks.size] as const);
	const [jobs, tasks] = [0, 1].map((kind) => works.reduce((total, counts) => total + (counts[kind] ?? 0), 0));
	const uploads = people.reduce((total, person) => total + person.jobs.size, 0);
	const calls = customers.reduce((total, customer) => total + customer.calls.length, 0);
	return [
		{ promise: 'no 5xx, no silence and no surprise but in a kill’s seconds', faults: run.requests.broken },
		{ promise: 'the run itself went well', faults: run.faults },
		{
			promise: 'jobs and tasks are finished, and every credit is where the answers say',
			seen: `${calls} single calls, ${jobs} jobs, ${tasks} tasks, ${uploads} uploads started`,
			faults: books.flat(),
		},
		{
			promise: `windows are exact: ${SMALL_LIMIT} requests in ${WINDOW_SECONDS} s`,
			seen: `${windows.windows} windows, ${windows.admitted} let in, ${windows.refused} refused`,
			faults: windows.faults,
		},
		{
			promise: 'memory is flat over eight minutes and more',
			faults: run.memory.lives.flatMap((life) => {
				const { fault } = figuresOf(life);
				return fault === null ? [] : [`${life.owner} (${life.pid}) ${fault}`];
			}),
		},
		{ promise: 'the books of each account add up', faults: checks.flat() },
	];
}

/** What contradicts itself in the books of an account. */
async function contradictions(service: Service, accountId: string): Promise<readonly string[]> {
	const path = `/accounts/${accountId}`;
	return (await callOperator<{ check: readonly string[] }>(service, 'GET', path)).check;
}

/** Faults under a name; that they could not be looked for is one. */
async function named(name: string, faults: Promise<readonly string[]>): Promise<readonly string[]> {
	const found = await faults.catch((error: unknown) => [String(error)]);
	return found.map((fault) => `${name}: ${fault}`);
}

function windowed({ status, headers, ended }: Cast['limitedAnswers'][number]): WindowedAnswer {
	const number = (name: string): number => Number(headers.get(name) ?? Number.NaN);
	const retryAfter = headers.get('retry-after');
	return {
		status: status ?? 0,
		receivedAt: ended,
		limit: number('ratelimit-limit'),
		remaining: number('ratelimit-remaining'),
		resetSeconds: number('ratelimit-reset'),
		retryAfter: retryAfter === null ? null : Number(retryAfter),
	};
}

function commandOf({ minutes, seed, rate, killEvery }: SoakArguments): string {
	return `--minutes ${minutes} --seed ${seed} --rate ${rate} --kill-every ${killEvery}`;
}
