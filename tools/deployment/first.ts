import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { Mailsonar } from '../../clients/typescript/src/index.ts';
import { callOperator } from '../operator-client.ts';
import { operatorToken } from '../dev-vars.ts';
import { Refusal } from './platform.ts';
import type { World } from './platform.ts';
import { secretsProblem } from './target.ts';
import type { Target } from './target.ts';

// Beside the first deploy alone: secrets before it, an account and a verified address after it.

const CREDITS = 100;
const VERIFY_MS = 60_000;

/**
 * Returns the file with the secrets of the first deploy, outside the checkout; makes it if it does not exist. Beside a
 * Worker that stands it makes none: its accounts hold keys that another KEY_SIGNING_SECRET makes worthless.
 */
export async function makeSecrets(
	world: World,
	{ settings, worker }: Target,
	file: string,
	isStanding: boolean,
): Promise<string> {
	const isMade = existsSync(file);
	if (!isMade && isStanding)
		throw new Refusal(
			`The Worker ${worker} stands already, and ${file} with its secrets does not exist`,
			'Take the file from the safe (--secrets-file FILE), or leave --first out. New secrets would end every key.',
		);
	const text = isMade ? readFileSync(file, 'utf8') : await newSecrets(world);
	const problem = secretsProblem(text, settings);
	if (problem !== null) throw new Refusal(isMade ? `${file} ${problem}` : `That ${problem}`);
	if (!isMade) writeFileSync(file, text, { mode: 0o600, flag: 'wx' });
	world.say(`${isMade ? '–' : '✓'} secrets    ${path.resolve(file)}`);
	return file;
}

async function newSecrets(world: World): Promise<string> {
	const probers = await world.ask(
		'PROBERS, as https://TOKEN@prober1.example.com, several with a space between: ',
	);
	const random = (): string => randomBytes(32).toString('hex');
	return `KEY_SIGNING_SECRET=1:${random()}\nOPERATOR_TOKENS=operator:${random()}\nPROBERS="${probers.trim()}"\n`;
}

/** The operator's address, which owns the first account and is the first that is verified. */
export function ownAddress({ settings }: Target): string | undefined {
	return settings['CONTACT_ADDRESS'] ?? settings['MAIL_SENDER'];
}

/** Makes an account, its key and a test key, verifies the operator's own address, and says what to keep. */
export async function openFirstAccount(world: World, target: Target, file: string): Promise<void> {
	const { url, environment } = target;
	const email = ownAddress(target) ?? '';
	const service = { url, token: operatorToken(parseEnv(readFileSync(file, 'utf8'))) };
	type Created = { readonly accountId: string; readonly apiKey: string };
	const request = { email, credits: CREDITS };
	const { accountId, apiKey } = await callOperator<Created>(service, 'POST', '/accounts', request);
	world.say(`✓ account    ${accountId} of ${email}, with ${CREDITS} credits`);
	world.say(`✓ key        ${apiKey}`);
	const testKeys = `/accounts/${accountId}/test-keys`;
	const test = await callOperator<Created>(service, 'POST', testKeys, { label: 'deploys' });
	world.say(`✓ test key   ${test.apiKey}`);
	const client = new Mailsonar({ baseUrl: url, apiKey, timeoutMs: VERIFY_MS, retries: 0 });
	const verdict = await client.verify(email).then(
		({ status, details }) => `${status} (${details.sub_status})`,
		(error: Error) => `not verified: ${error.message}. Look at the probers: npm run -s ops -- egress`,
	);
	world.say(`✓ verified   ${email} is ${verdict}`);
	world.say(`
Into the safe, since nobody can make them again: ${path.resolve(file)} (without KEY_SIGNING_SECRET every key is
worthless) and the key. The test key is the SMOKE_KEY of later deploys to ${environment}.

  curl ${url}/v1/verify -H 'Authorization: Bearer ${apiKey}' -H 'Content-Type: application/json' -d '{"email":"${email}"}'

  export SMOKE_KEY=${test.apiKey} MAILSONAR_URL=${url}
  export OPERATOR_TOKEN=$(sed -n 's/^OPERATOR_TOKENS=[^:]*://p' ${file})`);
}
