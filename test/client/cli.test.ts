import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, inject, test } from 'vitest';
import { patient } from '../contract/jobs-api.ts';
import { grant } from '../contract/operator.ts';
import { newCustomer, newFolder, newTester, run, start } from './program.ts';
import { eventually } from '../support/patience.ts';

// The program as it is installed, against the real service.

const at = (word: string): string => `${word}@test.mailsonar.example`;

/** Begins a list, and breaks it off once its job is noted; gives the path of the note, and how the program ended. */
async function brokenOff(env: Record<string, string>, cwd: string, signal: NodeJS.Signals) {
	const note = path.join(cwd, 'out.csv.mailsonar.json');
	const { child, ended } = start(['bulk', 'list.csv', '-o', 'out.csv'], env, cwd);
	await eventually(() => expect(readFileSync(note, 'utf8')).toContain('job_'));
	child.kill(signal);
	return { note, ...(await ended) };
}

const bulk = (env: Record<string, string>, cwd: string, ...more: readonly string[]) =>
	run(['bulk', 'list.csv', ...more], { env, cwd });

/** A folder with this list in it. */
function folderWith(list: string): string {
	const cwd = newFolder();
	writeFileSync(path.join(cwd, 'list.csv'), list);
	return cwd;
}

describe('verify', () => {
	test.each([
		['0 where all are deliverable', 'accepted_email', 0, 'deliverable'],
		['1 where one may not be', 'timeout', 1, 'unknown'],
	])('prints a line for each address in their order, and ends with %s', async (_, word, code, status) => {
		const { env } = await newTester();
		const ended = await run(['verify', at('deliverable'), at(word)], { env });
		expect(ended).toMatchObject({ code, err: '' });
		expect(ended.out).toMatch(/^deliverable +deliverable@.* accepted_email .*\n.*\n$/);
		expect(ended.out).toMatch(new RegExp(`\\n${status} +${word}@.*\\n$`));
	});

	test('reads addresses from its input, and answers in JSON; a malformed one is an answer, too', async () => {
		const { env } = await newTester();
		const input = `${at('valid')}\r\n\nnobody\n${at('disposable')}`;
		const { code, out } = await run(['verify', '-', '--json'], { env, input });
		expect(code).toBe(1);
		const lines = out.trim().split('\n');
		expect(lines.map((line) => (JSON.parse(line) as { status: string }).status)).toEqual([
			'deliverable',
			'malformed',
			'undeliverable',
		]);
	});
});

test('verify --quick asks no mail server, and --explain shows the steps', async () => {
	const { env } = await newCustomer();
	const quick = await run(['verify', '--quick', 'ada@inbox.test'], { env });
	expect(quick).toMatchObject({ code: 1, out: expect.stringMatching(/^unknown .* not_asked /) });
	const explained = await run(['verify', '--explain', 'nobody@inbox.test'], { env });
	expect(explained.out).toMatch(/^undeliverable .*\n(?: +\d+ ms  \w+ .*\n)*? +\d+ ms  rcpt +.*550.*\n/);
});

test('domains prints a line for each domain, named or from the input', async () => {
	const { env } = await newTester();
	const input = 'invalid-domain.example.com\n\ndns-error.example.com\n';
	const { code, out } = await run(['domains', 'proofpoint.example.com', '-'], { env, input });
	expect([code, out]).toEqual([
		0,
		'mail       proofpoint.example.com  proofpoint  tells mailboxes\nnone       invalid-domain.example.com  -\nno answer  dns-error.example.com  -\n',
	]);
	const { out: json } = await run(['domains', '--json', 'catch-all.example.com'], { env });
	expect(JSON.parse(json)).toMatchObject({ domain: 'catch-all.example.com', catch_all: true });
});

describe('a list', () => {
	const LIST = `Name;Mail;Note\r\n"Ada; L";${at('deliverable')};+43 1 2345\r\nBob;${at('rejected_email+2')};=1+1\r\nAda;${at('DELIVERABLE')};\r\nNobody;;x\r\nOdd;not an address;y\r\n`;

	test('comes back with every row and column of its own and ours after them', async () => {
		const { env } = await newTester();
		const cwd = folderWith(LIST);
		const ended = await bulk(env, cwd, '--column', 'mail', '-o', 'out.csv');
		expect(ended).toMatchObject({ code: 0, out: '' });
		expect(ended.err).toContain('2 deliverable, 1 undeliverable, 1 malformed');
		const lines = readFileSync(path.join(cwd, 'out.csv'), 'utf8').split('\r\n');
		expect(lines.map((line) => line.split(';').slice(0, 6).join(';'))).toEqual([
			'Name;Mail;Note;status;sub_status;score',
			`"Ada; L";${at('deliverable')};+43 1 2345;deliverable;accepted_email`,
			`Bob;${at('rejected_email+2')};'=1+1;undeliverable;rejected_email;2`,
			`Ada;${at('DELIVERABLE')};;deliverable;accepted_email;97`,
			'Nobody;;x;;;',
			'Odd;not an address;y;malformed;malformed;',
			'',
		]);
		expect(readdirSync(cwd).toSorted()).toEqual(['list.csv', 'out.csv']);
	});

	test('is only counted with --dry-run, from a file or the input', async () => {
		const { env, client } = await newCustomer(10);
		const cwd = folderWith('email\nada@inbox.test\nADA@inbox.test\nbob@inbox.test\nx\n');
		const { code, out } = await bulk(env, cwd, '--dry-run');
		expect([code, out]).toEqual([0, '2 different addresses, 1 malformed: at most 2 credits\n']);
		const counted = ['bulk', '-', '--dry-run', '--column', '1', '--json'];
		const none = await run(counted, { env, cwd, input: 'x\ny\n' });
		expect(JSON.parse(none.out)).toEqual({ acceptedEmails: 0, invalidEmails: 2, maxCredits: 0 });
		expect(readdirSync(cwd)).toEqual(['list.csv']);
		expect(await client.credits()).toMatchObject({ availableCredits: 10, reservedCredits: 0 });
	});

	test('comes back with some rows only, and what was done as JSON', async () => {
		const { env } = await newTester();
		const cwd = folderWith(LIST);
		const { code, out } = await bulk(env, cwd, '--only', 'drop,malformed', '--json');
		expect(code).toBe(0);
		expect(JSON.parse(out)).toMatchObject({
			output: path.join(cwd, 'list-verified.csv'),
			rows: { deliverable: 2, undeliverable: 1, risky: 0, unknown: 0, malformed: 1 },
			jobs: [expect.stringMatching(/^job_/)],
		});
		const lines = readFileSync(path.join(cwd, 'list-verified.csv'), 'utf8').trim().split('\r\n');
		expect(lines.map((line) => line.split(';')[0])).toEqual(['Name', 'Bob', 'Odd']);
	});

	// The second kill is between the service's answer and our note of it: its Idempotency-Key is all there is then.
	test('killed before or after its job was noted goes on with --resume: one job, paid once', async () => {
		const resume = async (isNoted: boolean): Promise<void> => {
			const { env, client } = await newCustomer(10);
			const cwd = folderWith(`email\n${patient()}\nada@inbox.test\nnobody@inbox.test\n`);
			const { note } = await brokenOff(env, cwd, 'SIGKILL');
			expect(readdirSync(cwd)).not.toContain('out.csv');
			const noted = JSON.parse(readFileSync(note, 'utf8')) as { parts: { jobId: string }[] };
			if (!isNoted) writeFileSync(note, JSON.stringify({ ...noted, parts: [] }));
			const refused = { code: 2, err: expect.stringContaining('--resume') };
			expect(await bulk(env, cwd, '-o', 'out.csv')).toMatchObject(refused);
			const { code, out } = await bulk(env, cwd, '-o', 'out.csv', '--resume', '--json');
			expect(code).toBe(0);
			expect(JSON.parse(out)).toMatchObject({ jobs: [noted.parts[0]?.jobId] });
			const { totalConsumed, reservedCredits } = await client.credits();
			expect([totalConsumed <= 3, reservedCredits]).toEqual([true, 0]);
			expect(readdirSync(cwd).toSorted()).toEqual(['list.csv', 'out.csv']);
		};
		// Most of each is the wait of a mailbox that answers later.
		await Promise.all([resume(true), resume(false)]);
	});

	test('that changed since it was broken off is not mixed with its answers', async () => {
		const { env } = await newCustomer();
		const cwd = folderWith(`email\n${patient()}\n`);
		expect(await brokenOff(env, cwd, 'SIGINT')).toMatchObject({ code: 130 });
		writeFileSync(path.join(cwd, 'list.csv'), `email\n${at('deliverable')}\n`);
		const refused = { code: 2, err: expect.stringContaining('has changed') };
		expect(await bulk(env, cwd, '-o', 'out.csv', '--resume')).toMatchObject(refused);
	});

	test('is not written over a file that is there', async () => {
		const { env } = await newTester();
		const cwd = newFolder();
		for (const name of ['list.csv', 'out.csv']) writeFileSync(path.join(cwd, name), LIST);
		for (const more of [['out.csv'], ['list.csv', '--force']])
			expect(await bulk(env, cwd, '-o', ...more)).toMatchObject({ code: 2 });
		expect(readFileSync(path.join(cwd, 'out.csv'), 'utf8')).toBe(LIST);
		expect(await bulk(env, cwd, '-o', 'out.csv', '--force')).toMatchObject({ code: 0 });
	});

	test('without credits ends with 4, and goes on once there are some', async () => {
		const { accountId, env, client } = await newCustomer(0);
		const cwd = folderWith('email\nada@inbox.test\n');
		const err = expect.stringContaining('run the same command again: it pays for nothing twice');
		expect(await bulk(env, cwd)).toMatchObject({ code: 4, err });
		await grant(accountId, { id: 'grant_cli', credits: 1 });
		expect(await bulk(env, cwd, '--resume')).toMatchObject({ code: 0 });
		expect(readFileSync(path.join(cwd, 'list-verified.csv'), 'utf8')).toContain('ada@inbox.test,deliverable');
		expect((await client.credits()).totalConsumed).toBe(1);
	});

	test('of two jobs whose second finds no credits goes on without paying for the first again', async () => {
		const { accountId, env, client } = await newCustomer(1);
		// So much text that the second address is in a job of its own.
		const padding = Array.from({ length: 4_400 }, (_, n) => `${n}${'x'.repeat(990)}`);
		const cwd = folderWith(`email\nada@inbox.test\n${padding.join('\n')}\njane@inbox.test\n`);
		expect(await bulk(env, cwd)).toMatchObject({ code: 4 });
		const [{ jobId } = { jobId: '' }] = await client.jobs.list().toArray();
		await grant(accountId, { id: 'grant_cli_second', credits: 1 });
		const { code, out } = await bulk(env, cwd, '--json');
		const jobs = [jobId, expect.stringMatching(/^job_/)];
		expect([code, JSON.parse(out)]).toMatchObject([0, { jobs }]);
		expect((await client.credits()).totalConsumed).toBe(2);
	});

	test('is read from the input, which needs a name for the output', async () => {
		const { env } = await newTester();
		const cwd = newFolder();
		expect(await run(['bulk', '-'], { env, cwd, input: LIST })).toMatchObject({ code: 2 });
		expect(await run(['bulk', '-', '-o', 'out.csv'], { env, cwd, input: LIST })).toMatchObject({ code: 0 });
		expect(readFileSync(path.join(cwd, 'out.csv'), 'utf8')).toContain(';+43 1 2345;deliverable;');
		expect(readdirSync(cwd)).toEqual(['out.csv']);
	});

	test('is among the jobs of the account afterwards', async () => {
		const { env, client } = await newTester();
		const emails = [at('deliverable'), at('undeliverable'), 'nobody'];
		const { jobId } = await client.verifyBatch(emails, { name: 'July\u001B[2J' });
		await client.jobs.wait(jobId, { pollMs: 500 });
		const { out } = await run(['jobs'], { env });
		expect(out).toMatch(new RegExp(`^${jobId} +completed +2 of 2 .* July\\\\x1b\\[2J\n$`));
		const details = await run(['jobs', jobId], { env });
		expect(details.out).toMatch(/^status +completed$/m);
		expect(JSON.parse((await run(['jobs', '--limit', '1', '--json'], { env })).out)).toMatchObject({ jobId });
		// What the program does not ask of the client.
		expect(await client.jobs.rejected(jobId).toArray()).toMatchObject([{ index: 2, reason: 'malformed' }]);
		const options = { format: 'jsonl', status: 'undeliverable' } as const;
		const rows = await new Response(await client.jobs.download(jobId, options)).text();
		expect(JSON.parse(rows)).toMatchObject({ email: at('undeliverable') });
		await client.jobs.delete(jobId);
		const gone = { code: 'results_expired', status: 410 };
		await expect(client.jobs.results(jobId).page(1)).rejects.toMatchObject(gone);
	});
});

test('catchall verifies the rows of a job, once however often it is called', async () => {
	const { env, client } = await newTester();
	const { jobId } = await client.verifyBatch(['valid', 'invalid'].map(at));
	await client.jobs.wait(jobId, { pollMs: 500 });
	const cwd = newFolder();
	const first = await run(['catchall', jobId], { env, cwd });
	const err = expect.stringContaining('1 valid, 1 invalid, 0 unknown; 0 credits');
	expect(first).toMatchObject({ code: 0, err });
	expect(first.out).toMatch(/^valid +\d+ +valid@.*\ninvalid +\d+ +invalid@.*\n$/);
	const again = await run(['catchall', jobId, '-o', 'rows.csv', '--only', 'valid', '--json'], { env, cwd });
	const { taskId } = JSON.parse(again.out) as { taskId: string };
	expect(first.err).toContain(taskId);
	expect(readFileSync(path.join(cwd, 'rows.csv'), 'utf8')).toMatch(
		/^Email,Score,Verdict\r\nvalid@.*,valid\r\n$/,
	);
	expect(await run(['catchall', 'job_none'], { env })).toMatchObject({ code: 6 });
});

describe('login', () => {
	test('stores a key that the service knows, which is used from then on', async () => {
		const { apiKey } = await newCustomer(7);
		const cwd = newFolder();
		const { url } = inject('service');
		const ended = await run(['login', '--base-url', `${url}/v1`], { input: `${apiKey}\n`, cwd });
		expect(ended).toMatchObject({ code: 0, out: '', err: expect.stringContaining('7 credits available') });
		expect(ended.err).not.toContain(apiKey);
		const used = await run(['credits', '--json'], { cwd, env: { MAILSONAR_BASE_URL: '' } });
		expect(JSON.parse(used.out)).toMatchObject({ availableCredits: 7 });
	});

	test('stores no key that the service refuses', async () => {
		const cwd = newFolder();
		expect(await run(['login'], { input: 'ms_live_wrong\n', cwd })).toMatchObject({ code: 3 });
		expect(readdirSync(cwd)).toEqual([]);
	});
});

// Of every error: test/unit/client/cli.test.ts.
describe('the exit code', () => {
	const key = { MAILSONAR_API_KEY: 'ms_live_wrong' };
	test.each([
		['of help is 0', ['--help'], {}, 0],
		['of no command is 2', [], {}, 2],
		['of an unknown command is 2', ['fly'], {}, 2],
		['of a file that is missing is 2', ['bulk', 'none.csv'], key, 2],
		['without a key is 3', ['credits'], {}, 3],
	])('%s', async (_, args, env, code) => {
		expect(await run(args, { env: { ...env } })).toMatchObject({ code });
	});

	test('where nobody listens is 5, and the error is JSON if that was asked for', async () => {
		const env = { ...key, MAILSONAR_BASE_URL: 'http://127.0.0.1:9' };
		const { code, err } = await run(['credits', '--json'], { env });
		expect([code, JSON.parse(err)]).toMatchObject([5, { code: 'network_error', status: null }]);
	});
});
