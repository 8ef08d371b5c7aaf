import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureDevVars, operatorToken } from '../../tools/dev-vars.ts';
import { callOperator } from '../../tools/operator-client.ts';
import { sum } from '../support/statistics.ts';
import type { Customer } from './customers.ts';
import { figuresOf } from './memory.ts';
import { Processes, VICTIMS } from './processes.ts';
import { lookAtWindows, reckon, reckonEvents } from './reckoning.ts';
import type { Service } from './reckoning.ts';
import { endpointTable, killTable, memoryTable } from './report.ts';
import { ARGUMENTS, SMALL_LIMIT, Soak, WINDOW_SECONDS } from './soak.ts';
import type { SoakArguments } from './soak.ts';
import type { Cast } from './traffic.ts';

// `npm run soak -- [--minutes 30] [--seed N] [--rate 20] [--kill-every 180]`: mixed traffic of twenty customers against the
// whole service, while its processes are killed one after the other. Exit code 1: a promise was broken.

// A Worker that does not compile answers nobody.
const READY_WITHIN_MS = 60_000;

const given = readArguments();
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
for (const [signal, code] of Object.entries({ SIGINT: 130, SIGTERM: 143, SIGHUP: 129 }))
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

function readArguments(): SoakArguments {
	const names = Object.keys(ARGUMENTS) as (keyof SoakArguments)[];
	const { values } = parseArgs({
		options: Object.fromEntries(names.map((name) => [name, { type: 'string' } as const])),
	});
	const read = (name: keyof SoakArguments): number => {
		const [least, most, usual] = ARGUMENTS[name];
		const value = Number(values[name] ?? usual);
		if (!(value >= least && value <= most)) throw new Error(`--${name} is a number from ${least} to ${most}`);
		return value;
	};
	return Object.fromEntries(names.map((name) => [name, read(name)])) as unknown as SoakArguments;
}

async function soak(settings: SoakArguments): Promise<boolean> {
	const words = Object.entries(settings).map(([name, value]) => `--${name} ${value}`);
	console.log(`npm run soak -- ${words.join(' ')}`);
	// Before the Worker reads them.
	const token = operatorToken(ensureDevVars());
	for (const who of VICTIMS.toReversed()) await processes.start(who);
	const service: Service = { url: processes.url, token };
	const health = await fetch(`${service.url}/healthz`, { signal: AbortSignal.timeout(READY_WITHIN_MS) });
	if (!health.ok) throw new Error(`/healthz: ${health.status} ${await health.text()}`);
	const run = new Soak(processes, settings);
	const cast = await run.cast(service);
	const startedAt = Date.now();
	await run.run(cast);
	console.log(`\n${endpointTable(run.requests.endpoints)}\n`);
	console.log(`${memoryTable(run.lives)}\n`);
	if (run.outages.length > 0) console.log(`${killTable(run.outages, startedAt)}\n`);
	console.log(
		`${run.requests.count} requests, ${run.heldBack} steps not begun since too many were under way.`,
	);
	console.log('Waiting for jobs, and for what the dead had reserved (up to eight minutes).\n');
	const verdicts = await judge(run, cast, service);
	for (const [promise, faults] of verdicts) {
		console.log(`${faults.length === 0 ? '✓' : '✗'} ${promise}`);
		for (const fault of faults) console.log(`    ${fault}`);
	}
	return verdicts.every(([, faults]) => faults.length === 0);
}

/** Each promise, and what breaks it. */
async function judge(
	run: Soak,
	cast: Cast,
	service: Service,
): Promise<readonly (readonly [promise: string, faults: readonly string[]])[]> {
	const { customers, limited, people, limitedAnswers } = cast;
	const all = [...customers, limited, ...people];
	const books = await Promise.all(all.map((one) => named(one.name, reckon(service, one))));
	const events = await reckonEvents(run.receiver, run.webhookSecret, customers[0]?.jobs.keys() ?? []);
	const answers = limitedAnswers.filter(({ status }) => status === 200 || status === 429);
	const windows = lookAtWindows(answers, SMALL_LIMIT, WINDOW_SECONDS * 1000);
	const checks = await Promise.all(all.map((one) => named(one.name, contradictions(service, one))));
	const [calls, jobs, tasks] = (['calls', 'jobs', 'tasks'] as const).map((what) =>
		sum(customers.map((customer) => [...customer[what]].length)),
	);
	const uploads = sum(people.map((person) => person.jobs.size));
	return [
		['no 5xx, no silence and no surprise but in a kill’s seconds', run.requests.broken],
		['the run itself went well', run.faults],
		[
			'jobs and tasks are finished, each address is there once with a true answer, and every credit is where the answers ' +
				`say (${calls} single calls, ${jobs} jobs, ${tasks} tasks, ${uploads} uploads started)`,
			books.flat(),
		],
		[`the end of each job is told, under one id (${run.receiver.received.length} events arrived)`, events],
		[
			`windows are exact: ${SMALL_LIMIT} requests in ${WINDOW_SECONDS} s ` +
				`(${windows.windows} windows, ${windows.admitted} let in, ${windows.refused} refused)`,
			windows.faults,
		],
		[
			'memory is flat over eight minutes and more',
			run.lives.flatMap((life) => {
				const { fault } = figuresOf(life);
				return fault === null ? [] : [`${life.owner} (${life.pid}) ${fault}`];
			}),
		],
		['the books of each account add up', checks.flat()],
	];
}

/** What contradicts itself in the books of an account. */
async function contradictions(service: Service, { accountId }: Customer): Promise<readonly string[]> {
	const path = `/accounts/${accountId}`;
	return (await callOperator<{ check: readonly string[] }>(service, 'GET', path)).check;
}

/** Faults under a name; that they could not be looked for is one. */
async function named(name: string, faults: Promise<readonly string[]>): Promise<readonly string[]> {
	const found = await faults.catch((error: unknown) => [String(error)]);
	return found.map((fault) => `${name}: ${fault}`);
}
