import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, existsSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs, stripVTControlCharacters } from 'node:util';
import { secretsProblem } from './deployment/checks.ts';
import { deploy } from './deployment/deploy.ts';
import { rollBack } from './deployment/rollback.ts';
import { ENVIRONMENTS, readTarget } from './deployment/target.ts';
import type { Environment } from './deployment/target.ts';
import { Refusal } from './deployment/world.ts';
import type { Said, World, WranglerRecord } from './deployment/world.ts';
import { WRANGLER } from './wrangler-dev.ts';

// `npm run deploy -- …`: brings a commit to an environment, or an environment back.

const USAGE = `Usage: npm run deploy -- staging|production [rollback [VERSION]]

  --tested              the tests of this commit have passed elsewhere; else they are run
  --first               the first deploy: makes database, bucket and queues
  --secrets-file FILE   with --first: KEY_SIGNING_SECRET, OPERATOR_TOKEN, PROBERS
  --objects             object classes are made, renamed or deleted: no trial, no way back
  --anyway              rollback: though the database lacks what that version needs
  --wrangler FILE       instead of the project's own, a script

SMOKE_KEY is a test key of the environment. It may be given again at any point: what is done is not done twice.`;

const OPTIONS = {
	tested: { type: 'boolean', default: false },
	first: { type: 'boolean', default: false },
	'secrets-file': { type: 'string' },
	objects: { type: 'boolean', default: false },
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

function run(program: string, args: readonly string[], output: 'keep' | 'show', env = {}): Promise<Said> {
	return new Promise((resolve, reject) => {
		const child = spawn(program, args, {
			// Without a terminal Wrangler asks nothing and takes what it would propose.
			stdio: ['ignore', output === 'show' ? 'inherit' : 'pipe', output === 'show' ? 'inherit' : 'pipe'],
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

/** Runs Wrangler, and reads what it notes for programs. */
async function runWrangler(script: string, args: readonly string[]): Promise<Said> {
	const folder = mkdtempSync(path.join(tmpdir(), 'deploy-'));
	const notes = path.join(folder, 'notes.ndjson');
	try {
		const said = await run(process.execPath, [script, ...args], 'keep', {
			WRANGLER_OUTPUT_FILE_PATH: notes,
			WRANGLER_SEND_METRICS: 'false',
		});
		const lines = existsSync(notes) ? readFileSync(notes, 'utf8').trim().split('\n') : [];
		const records = lines.filter((line) => line !== '').map((line) => JSON.parse(line) as WranglerRecord);
		return { ...said, records };
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

function worldWith(script: string): World {
	return {
		wrangler: (args) => runWrangler(script, args),
		run: (program, args, output) => run(program, args, output),
		fetch: (url, init) => fetch(url, init),
		now: () => Date.now(),
		sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
		say: (line) => console.log(line),
	};
}

function requireSecrets(file: string): void {
	const problem = existsSync(file) ? secretsProblem(readFileSync(file, 'utf8')) : 'is not there';
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
	const [name = '', verb, version, ...rest] = positionals;
	const environment = ENVIRONMENTS.find((one) => one === name);
	if (environment === undefined) throw new UsageError(`Name an environment: ${ENVIRONMENTS.join(' or ')}`);
	if (rest.length > 0 || (verb !== undefined && verb !== 'rollback'))
		throw new UsageError(`There is no command \`${positionals.join(' ')}\``);
	await act(environment, verb === 'rollback' ? { version: version ?? null } : null, values);
}

async function act(
	environment: Environment,
	back: { readonly version: string | null } | null,
	values: ReturnType<typeof readWords>['values'],
): Promise<void> {
	const testKey = testKeyOf(process.env);
	const world = worldWith(values.wrangler);
	const secretsFile = values['secrets-file'];
	if (values.first !== (secretsFile !== undefined))
		throw new UsageError('--first and --secrets-file go together');
	if (secretsFile !== undefined) requireSecrets(secretsFile);
	const target = await readTarget(environment);
	if (back !== null) return rollBack(world, target, { ...back, anyway: values.anyway, testKey });
	const first = secretsFile === undefined ? null : { secretsFile };
	await deploy(world, target, { first, objects: values.objects, isTested: values.tested, testKey });
}

try {
	await main();
} catch (error) {
	if (error instanceof UsageError) console.error(`${error.message}\n\n${USAGE}`);
	else if (error instanceof Refusal) console.error(`✗ ${error.message}\n${error.advice}`);
	else throw error;
	process.exitCode = 1;
}
