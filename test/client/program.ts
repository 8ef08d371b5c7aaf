import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { inject, onTestFinished } from 'vitest';
import { Mailsonar } from '../../clients/typescript/src/index.ts';
import { newTestKey } from '../contract/operator.ts';
import { makeAccount } from '../support/service.ts';

// The built program against the running service, and who uses it.

const PROGRAM = path.join(import.meta.dirname, '../../clients/typescript/dist/mailsonar.js');

// What Node 20, the oldest that the program takes, does not have.
const NEWER = [
	'Map.groupBy Object.groupBy Promise.withResolvers Promise.try Array.fromAsync RegExp.escape globalThis.Iterator',
	'Set.prototype.difference Set.prototype.intersection Set.prototype.isSubsetOf Set.prototype.union',
].flatMap((names) => names.split(' '));
const AS_NODE_20 = `data:text/javascript,${NEWER.map((name) => `delete ${name}`).join(';')}`;

interface Ended {
	readonly code: number | null;
	readonly out: string;
	readonly err: string;
}

/** Whose key it is, with a client for it, and the key for the program. */
const armed = <T extends { readonly apiKey: string }>(whose: T) => ({
	...whose,
	client: new Mailsonar({ baseUrl: `${inject('service').url}/v1`, apiKey: whose.apiKey }),
	env: { MAILSONAR_API_KEY: whose.apiKey },
});

/** An account of its own. */
export const newCustomer = async (credits = 100) => armed(await makeAccount(inject('service'), credits));

/** A customer whose key is answered by the words of its addresses. */
export const newTester = async () => armed(await newTestKey());

/** A folder that is gone after the test. */
export function newFolder(): string {
	const folder = mkdtempSync(path.join(tmpdir(), 'mailsonar-client-'));
	onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
	return folder;
}

/** Starts the program. Its home is empty, unless `env` says otherwise. */
export function start(args: readonly string[], env: Record<string, string> = {}, cwd = newFolder()) {
	const child = spawn(process.execPath, ['--import', AS_NODE_20, PROGRAM, ...args], {
		cwd,
		env: {
			...process.env,
			MAILSONAR_API_KEY: '',
			XDG_CONFIG_HOME: cwd,
			HOME: cwd,
			MAILSONAR_BASE_URL: inject('service').url,
			...env,
		},
	});
	onTestFinished(() => void child.kill('SIGKILL'));
	let [out, err] = ['', ''];
	child.stdout.on('data', (text) => (out += String(text)));
	child.stderr.on('data', (text) => (err += String(text)));
	const ended = new Promise<Ended>((resolve) => {
		child.on('close', (code) => resolve({ code, out, err }));
	});
	return { child, ended };
}

/** Runs the program to its end. */
export async function run(
	args: readonly string[],
	{ input = '', env = {}, cwd }: { input?: string; env?: Record<string, string>; cwd?: string } = {},
): Promise<Ended> {
	const { child, ended } = start(args, env, cwd);
	child.stdin.end(input);
	return ended;
}
