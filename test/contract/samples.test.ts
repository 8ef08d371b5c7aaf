import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { LANGUAGES, examplesOf } from '../../src/dashboard/parts/code-examples.ts';
import type { ExampleCall, Language } from '../../src/dashboard/parts/code-examples.ts';
import { listProgram } from '../../tools/docs/inserts.ts';
import { apiCalls } from '../../tools/docs/reference.ts';
import { Receiver } from '../support/receiver.ts';
import { completed, finished, startedTask, submitted } from './jobs-api.ts';
import { addWebhook, deliveriesOf, until, webhooks } from './webhooks-api.ts';
import { newTestKey } from './operator.ts';

// The examples of the documentation, run as a reader would who has put a test key into them: the first in one language,
// and with the long tests all in all of them.

const run = promisify(execFile);
const service = inject('service');
const IS_LONG = process.env['LONG'] === 'yes';
const RUN_LANGUAGES = IS_LONG ? LANGUAGES : LANGUAGES.filter((name) => name === 'TypeScript');

/** How a program is run, and how to see whether it can be. */
const PROGRAMS: Readonly<
	Record<Language, { file: string; run: readonly string[]; needs: readonly (readonly string[])[] }>
> = {
	curl: {
		file: 'sample.sh',
		run: ['sh'],
		needs: [
			['curl', '--version'],
			['jq', '--version'],
		],
	},
	TypeScript: { file: 'sample.mjs', run: [process.execPath], needs: [] },
	Python: { file: 'sample.py', run: ['python3'], needs: [['python3', '-c', 'import requests']] },
};

let folder = '';
let apiKey = '';
const receiver = new Receiver();
beforeAll(async () => {
	folder = mkdtempSync(path.join(tmpdir(), 'mailsonar-samples-'));
	({ apiKey } = await newTestKey());
	await receiver.start();
});
afterAll(async () => {
	rmSync(folder, { recursive: true });
	await receiver.kill();
});

/** One of everything that a call can name, by the beginnings of their ids. */
async function thingsOf(key: string): Promise<Map<string, string>> {
	const { data: job } = await submitted(key, ['catch_all@example.com', 'not an address']);
	await completed(key, job.jobId);
	const task = await startedTask(key, job.jobId);
	await finished(key, task.taskId);
	const { webhookId } = await addWebhook(key, receiver.url);
	await webhooks(key, 'POST', `/${webhookId}/test`);
	const delivery = await until(async () => {
		const [latest] = await deliveriesOf(key, webhookId);
		expect(latest?.status).toBe('delivered');
		return latest;
	});
	return new Map([
		['job', job.jobId],
		['cat', task.taskId],
		['whk', webhookId],
		['evt', delivery?.eventId ?? ''],
	]);
}

/** Null: the machine has what the language needs. */
async function lackOf(language: Language): Promise<string | null> {
	for (const [program = '', ...args] of PROGRAMS[language].needs) {
		try {
			await run(program, args);
		} catch {
			return `this machine has no ${[program, ...args].join(' ')}`;
		}
	}
	return null;
}

/** Runs a program in a folder of its own; an exit code other than 0 is no failure here. */
async function outcomeOf(
	language: Language,
	code: string,
	key = apiKey,
): Promise<{ code: number; out: string; said: string }> {
	const { file, run: command } = PROGRAMS[language];
	const here = mkdtempSync(path.join(folder, 'run-'));
	writeFileSync(path.join(here, file), code.replaceAll('YOUR_API_KEY', key));
	const [program, ...args] = [...command, file];
	try {
		const { stdout, stderr } = await run(program, args, { cwd: here });
		return { code: 0, out: stdout, said: stderr };
	} catch (error) {
		const { code: exit, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
		return { code: exit, out: stdout, said: stderr };
	}
}

function example(language: Language, request: ExampleCall): string {
	const found = examplesOf(service.url, request).find((one) => one.language === language);
	if (found === undefined) throw new Error(`There is no example in ${language}`);
	return found.code;
}

const verify = (email: string): ExampleCall => ({ method: 'POST', path: '/v1/verify', body: { email } });

describe.each(RUN_LANGUAGES)('the examples in %s', async (language) => {
	const lack = await lackOf(language);
	if (lack !== null) console.log(`The examples in ${language} are not run: ${lack}`);

	test.skipIf(lack !== null)('print an answer, and say why there is none', async () => {
		const requests: [ExampleCall, isAnswered: boolean, words: string][] = [
			[verify('mailbox_full@example.com'), true, 'risky'],
			[verify('429@example.com'), false, 'Developer API rate limit exceeded'],
			[verify('402@example.com'), false, 'Insufficient credits'],
			[{ method: 'GET', path: '/v1/credits' }, true, 'availableCredits'],
		];
		for (const [request, isAnswered, words] of requests) {
			const { code, out, said } = await outcomeOf(language, example(language, request));
			expect(code === 0, said).toBe(isAnswered);
			expect(isAnswered ? out : out + said).toContain(words);
		}
	});

	test.skipIf(lack !== null)('send a list, wait for it and read its results', async () => {
		const code = listProgram(language, service.url);
		const { code: exit, out, said } = await outcomeOf(language, code);
		expect(exit, said).toBe(0);
		const lines = out.trim().split(/\s*\n\s*/);
		expect(lines).toEqual(['deliverable', 'undeliverable'].map((word) => `${word}@example.com ${word}`));
	});

	test.skipIf(lack !== null)('end with the reason at an error that waiting does not cure', async () => {
		const code = listProgram(language, service.url).replaceAll('undeliverable@', '402@');
		const { code: exit, out, said } = await outcomeOf(language, code);
		expect(exit).not.toBe(0);
		expect(out + said).toContain('Insufficient credits');
	});

	// A program for each call.
	if (!IS_LONG) return;
	test.skipIf(lack !== null)('work for every call of the reference', async () => {
		const { apiKey: key } = await newTestKey();
		const ids = await thingsOf(key);
		// What ends a job or a webhook comes last.
		const order = (method: string): number => (method === 'DELETE' ? 1 : 0);
		const calls = apiCalls().toSorted((a, b) => order(a.method) - order(b.method));
		for (const { operationId: id, method, example: request } of calls) {
			const code = example(language, request).replaceAll(
				/\b(job|cat|whk|evt)_[0-9a-z]+/g,
				(name, kind: string) => ids.get(kind) ?? name,
			);
			const { code: exit, out, said } = await outcomeOf(language, code, key);
			expect(exit, `${id}: ${out}${said}`).toBe(0);
			if (method !== 'DELETE') expect(out.trim(), id).not.toBe('');
		}
	});
});
