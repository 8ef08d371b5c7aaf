import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs, stripVTControlCharacters } from 'node:util';
import { deploy, showStatus } from './deployment/deploy.ts';
import { Platform } from './deployment/platform.ts';
import { rollBack } from './deployment/rollback.ts';
import { ENVIRONMENTS, SECRETS, readTarget, secretsProblem } from './deployment/target.ts';
import type { Target } from './deployment/target.ts';
import { Refusal } from './deployment/world.ts';
import type { Said, World, WranglerRecord } from './deployment/world.ts';
import { WRANGLER } from './wrangler-dev.ts';

// `npm run deploy -- …`: brings the current commit to an environment, or returns the environment to an earlier version.

const USAGE = `Usage: npm run deploy -- staging|production [check | status | secret NAME | rollback [VERSION]]

  check                 builds the Worker with your settings, and changes nothing
  status                says which commit answers
  secret NAME           asks for the new value of a secret, and deploys the commit that answers with it
  --settings FILE       your names; deploy/staging.env or deploy/production.env if left out
  --tested              the tests of this commit have passed elsewhere; otherwise they run first
  --first               the first deploy: makes database, bucket and queues
  --secrets-file FILE   with --first: KEY_SIGNING_SECRET, OPERATOR_TOKENS, PROBERS
  --objects             object classes are made, renamed or deleted: no trial, no rollback
  --takes-away          the code that answers no longer uses what the new migrations take away
  --anyway              rollback: although the database lacks what that version needs
  --wrangler FILE       a script to run instead of the project's wrangler

SMOKE_KEY holds a test key of the environment. The same command continues a deploy that broke off.`;

const OPTIONS = {
	settings: { type: 'string' },
	tested: { type: 'boolean', default: false },
	first: { type: 'boolean', default: false },
	'secrets-file': { type: 'string' },
	objects: { type: 'boolean', default: false },
	'takes-away': { type: 'boolean', default: false },
	anyway: { type: 'boolean', default: false },
	wrangler: { type: 'string', default: WRANGLER },
	help: { type: 'boolean', default: false },
} as const;

/** The command line is invalid: the usage is shown. */
class UsageError extends Error {
	override readonly name = 'UsageError';
}

function readWords() {
	try {
		return parseArgs({ args: process.argv.slice(2), options: OPTIONS, allowPositionals: true });
	} catch (error) {
		throw new UsageError((error as Error).message);
	}
}

function run(
	program: string,
	args: readonly string[],
	output: 'keep' | 'show' | 'ask',
	env = {},
): Promise<Said> {
	return new Promise((resolve, reject) => {
		const printed = output === 'keep' ? 'pipe' : 'inherit';
		const child = spawn(program, args, {
			// Without a terminal Wrangler asks nothing and takes its own proposals.
			stdio: [output === 'ask' ? 'inherit' : 'ignore', printed, printed],
			env: { ...process.env, ...env },
		});
		let all = '';
		let stdout = '';
		child.stdout?.on('data', (chunk: Buffer) => {
			all += chunk.toString();
			stdout += chunk.toString();
		});
		child.stderr?.on('data', (chunk: Buffer) => void (all += chunk.toString()));
		child.once('error', reject);
		child.once('close', (code) =>
			resolve({ status: code ?? 1, output: stripVTControlCharacters(all), stdout, records: [] }),
		);
	});
}

/** Runs Wrangler, and reads its notes for programs. */
async function runWrangler(script: string, args: readonly string[], asks: boolean): Promise<Said> {
	const folder = mkdtempSync(path.join(tmpdir(), 'deploy-'));
	const notes = path.join(folder, 'notes.ndjson');
	try {
		const result = await run(process.execPath, [script, ...args], asks ? 'ask' : 'keep', {
			WRANGLER_OUTPUT_FILE_PATH: notes,
			WRANGLER_SEND_METRICS: 'false',
		});
		const lines = existsSync(notes) ? readFileSync(notes, 'utf8').trim().split('\n') : [];
		const records = lines.filter((line) => line !== '').map((line) => JSON.parse(line) as WranglerRecord);
		return { ...result, records };
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

function worldWith(script: string): World {
	return {
		wrangler: (args, asks) => runWrangler(script, args, asks),
		run: (program, args, output) => run(program, args, output),
		fetch: (url, init) => fetch(url, init),
		now: () => Date.now(),
		sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
		say: (line) => console.log(line),
	};
}

function requireSecrets(file: string, { settings }: Target): void {
	const problem = existsSync(file) ? secretsProblem(readFileSync(file, 'utf8'), settings) : 'does not exist';
	if (problem !== null) throw new UsageError(`${file} ${problem}`);
}

function testKeyOf(env: NodeJS.ProcessEnv): string | null {
	const key = env['SMOKE_KEY'] ?? '';
	if (key === '') return null;
	if (!key.startsWith('ms_test_'))
		throw new UsageError('SMOKE_KEY is no test key: a live one would be charged');
	return key;
}

async function main(): Promise<void> {
	const { values, positionals } = readWords();
	if (values.help) return console.log(USAGE);
	const [name = '', verb = 'deploy', word = null, ...rest] = positionals;
	const environment = ENVIRONMENTS.find((one) => one === name);
	if (environment === undefined) throw new UsageError(`Name an environment: ${ENVIRONMENTS.join(' or ')}`);
	const known = word === null ? ['deploy', 'check', 'status', 'rollback'] : ['secret', 'rollback'];
	if (rest.length > 0 || !known.includes(verb))
		throw new UsageError(`There is no command \`${positionals.join(' ')}\``);
	if (verb === 'secret' && !SECRETS.includes(word ?? ''))
		throw new UsageError(`${word} is no secret of the Worker`);
	const testKey = testKeyOf(process.env);
	const secretsFile = values['secrets-file'] ?? null;
	if (values.first !== (secretsFile !== null)) throw new UsageError('--first and --secrets-file go together');
	if (values.first && verb === 'secret') throw new UsageError('--first has a file of secrets');
	const target = await readTarget(environment, values.settings ?? `deploy/${environment}.env`);
	if (secretsFile !== null) requireSecrets(secretsFile, target);
	const world = worldWith(values.wrangler);
	const migrations = 'migrations';
	const { objects, anyway, tested: isTested, 'takes-away': takesAway } = values;
	const secret = verb === 'secret' ? word : null;
	if (verb === 'check') await check(world, target);
	else if (verb === 'status') await showStatus(world, target);
	else if (verb === 'rollback') await rollBack(world, target, { version: word, anyway, testKey, migrations });
	else
		await deploy(world, target, { secretsFile, secret, objects, takesAway, isTested, testKey, migrations });
}

/** Builds the Worker as a deploy would. Changes nothing, and needs no login. */
async function check(world: World, target: Target): Promise<void> {
	const result = await new Platform(world, target).run(['deploy', '--dry-run'], 'This cannot be deployed');
	console.log(result.output);
}

try {
	await main();
} catch (error) {
	if (error instanceof UsageError) console.error(`${error.message}\n\n${USAGE}`);
	else if (error instanceof Refusal) console.error(`✗ ${error.message}\n${error.advice}`);
	else throw error;
	process.exitCode = 1;
}
