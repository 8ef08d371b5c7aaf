import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline/promises';
import { stripVTControlCharacters } from 'node:util';
import { readWords, UsageError } from './arguments.ts';
import { Deployment } from './deployment/deployment.ts';
import { ownAddress } from './deployment/first.ts';
import { Refusal } from './deployment/platform.ts';
import type { Said, World } from './deployment/platform.ts';
import { ENVIRONMENTS, SECRETS, readTarget } from './deployment/target.ts';
import { OperatorError } from './operator-client.ts';
import { WRANGLER } from './wrangler-dev.ts';

// `npm run deploy -- …`: brings the current commit to an environment, or returns the environment to an earlier version.

const USAGE = `Usage: npm run deploy -- staging|production [check | status | secret NAME | rollback [VERSION]]

  check                 builds the Worker with your settings, and changes nothing
  status                says which commit answers
  secret NAME           asks for the new value of a secret, and deploys the commit that answers with it
  --settings FILE       your names; deploy/staging.env or deploy/production.env if left out
  --tested              the tests of this commit have passed elsewhere; unless GitHub says so, they run first
  --first               the first deploy: makes secrets, database, bucket, queues, an account and its keys
  --secrets-file FILE   with --first: KEY_SIGNING_SECRET, OPERATOR_TOKENS, PROBERS; made if it does not exist;
                        ../mailsonar.staging.secrets or ../mailsonar.production.secrets if left out
  --objects             object classes are made, renamed or deleted: no trial, no rollback
  --wrangler FILE       a script to run instead of the project's wrangler

SMOKE_KEY holds a test key of the environment. The same command continues a deploy that broke off.`;

const OPTIONS = {
	settings: { type: 'string' },
	tested: { type: 'boolean', default: false },
	first: { type: 'boolean', default: false },
	'secrets-file': { type: 'string' },
	objects: { type: 'boolean', default: false },
	wrangler: { type: 'string', default: WRANGLER },
	help: { type: 'boolean', default: false },
} as const;

function run(program: string, args: readonly string[], output: 'keep' | 'show' | 'ask'): Promise<Said> {
	return new Promise((resolve, reject) => {
		const printed = output === 'keep' ? 'pipe' : 'inherit';
		const child = spawn(program, args, {
			// Without a terminal Wrangler asks nothing and takes its own proposals.
			stdio: [output === 'ask' ? 'inherit' : 'ignore', printed, printed],
			env: { ...process.env, WRANGLER_SEND_METRICS: 'false' },
		});
		let [all, stdout] = ['', ''];
		child.stdout?.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
		for (const stream of [child.stdout, child.stderr])
			stream?.on('data', (chunk: Buffer) => (all += chunk.toString()));
		child.once('error', reject);
		child.once('close', (code) =>
			resolve({ status: code ?? 1, output: stripVTControlCharacters(all), stdout }),
		);
	});
}

async function ask(question: string): Promise<string> {
	const terminal = createInterface({ input: process.stdin, output: process.stdout });
	const answer = await terminal.question(question);
	terminal.close();
	return answer;
}

/** Does what the words of the command line say. */
export async function deploy(given: readonly string[]): Promise<void> {
	const { values, positionals } = readWords(given, OPTIONS);
	if (values.help) return console.log(USAGE);
	const [name = '', verb = 'deploy', word = null, ...rest] = positionals;
	const { first } = values;
	const environment = ENVIRONMENTS.find((one) => one === name);
	if (environment === undefined) throw new UsageError(`Name an environment: ${ENVIRONMENTS.join(' or ')}`);
	const known = word === null ? ['deploy', 'check', 'status', 'rollback'] : ['secret', 'rollback'];
	if (rest.length > 0 || !known.includes(verb))
		throw new UsageError(`There is no command \`${positionals.join(' ')}\``);
	if (verb === 'secret' && !SECRETS.includes(word ?? ''))
		throw new UsageError(`${word} is no secret of the Worker`);
	const testKey = process.env['SMOKE_KEY'] || null;
	if (testKey?.startsWith('ms_test_') === false)
		throw new UsageError('SMOKE_KEY is no test key: a live one would be charged');
	if (!first && values['secrets-file'] !== undefined)
		throw new UsageError('--first and --secrets-file go together');
	if (first && verb === 'secret') throw new UsageError('--first has a file of secrets');
	const target = await readTarget(environment, values.settings ?? `deploy/${environment}.env`);
	if (first && ownAddress(target) === undefined)
		throw new UsageError('CONTACT_ADDRESS is missing in the settings: the first account is its owner’s');
	const world: World = {
		run,
		wrangler: values.wrangler,
		ask,
		sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
		say: (line) => console.log(line),
	};
	const secretsFile = values['secrets-file'] ?? `../mailsonar.${environment}.secrets`;
	const options = { ...values, 'secrets-file': secretsFile, testKey };
	const deployment = new Deployment(world, target, options);
	if (verb === 'check') await deployment.check();
	else if (verb === 'status') await deployment.status();
	else if (verb === 'rollback') await deployment.rollBack(word);
	else await deployment.deploy(verb === 'secret' ? word : null);
}

/** Prints an error that the operator can mend; any other one is ours. */
function tell(error: unknown): void {
	if (error instanceof UsageError) console.error(`${error.message}\n\n${USAGE}`);
	else if (error instanceof Refusal) console.error(`✗ ${error.message}\n${error.advice}`);
	else if (error instanceof OperatorError) console.error(`✗ ${error.message}`);
	else throw error;
	process.exitCode = 1;
}

if (import.meta.main) await deploy(process.argv.slice(2)).catch(tell);
