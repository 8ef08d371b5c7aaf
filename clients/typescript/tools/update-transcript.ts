import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { callOperator } from '../../../tools/operator-client.ts';
import { startTemporaryService } from '../../../tools/temporary-service.ts';
import { shopAddresses } from '../../../test/sandbox/shops.ts';
import { buildClient } from './build.ts';

// `npm run update -- transcript`: runs the program in a terminal against the sandbox, and puts what it said into the
// README. Needs `script` of util-linux, which gives a program a terminal.

const HOME = path.join(import.meta.dirname, '..');
const README = path.join(HOME, 'README.md');
const PLACE = /(<!-- transcript -->\n)[\s\S]*?(<!-- end of the transcript -->)/;
const COLUMNS = 100;
const LIST_LENGTH = 2_000;

let status = 0;

await buildClient();
const service = await startTemporaryService();
const folder = mkdtempSync(path.join(tmpdir(), 'mailsonar-transcript-'));
try {
	const request = { email: 'transcript@example.com', credits: 5_000 };
	const { apiKey } = await callOperator<{ apiKey: string }>(service, 'POST', '/accounts', request);
	const rows = shopAddresses(LIST_LENGTH).map(({ address }, n) => `${n + 1},${address}`);
	const list = ['id,email', ...rows, `${LIST_LENGTH + 1},jane@catch-all.test`, `${LIST_LENGTH + 2},nobody`];
	writeFileSync(path.join(folder, 'list.csv'), `${list.join('\n')}\n`);
	const lines = [
		'mailsonar verify ada@inbox.test nobody@inbox.test',
		'echo $?',
		'head -n 2 list.csv',
		'mailsonar bulk list.csv --column email -o out.csv',
		'cut -d, -f1-6 out.csv | head -n 3',
		'mailsonar credits',
	];
	let session = '';
	for (const line of lines) session += `$ ${line}\n${await run(line, apiKey)}`;
	const text = readFileSync(README, 'utf8');
	if (!PLACE.test(text)) throw new Error('the README has no place for the transcript');
	writeFileSync(
		README,
		text.replace(PLACE, (_, begin: string, end: string) => `${begin}\`\`\`console\n${session}\`\`\`\n${end}`),
	);
} finally {
	rmSync(folder, { recursive: true, force: true });
	await service.remove();
}

/** What a line of a session prints in a terminal of its own, as it stands there in the end. */
async function run(line: string, apiKey: string): Promise<string> {
	if (line === 'echo $?') return `${status}\n`;
	const program = `"${process.execPath}" "${path.join(HOME, 'dist/mailsonar.js')}"`;
	const command = `stty cols ${COLUMNS}; ${line.replace(/^mailsonar/, program)}`;
	const env = {
		...process.env,
		MAILSONAR_API_KEY: apiKey,
		MAILSONAR_BASE_URL: service.url,
		NO_COLOR: '1',
		TERM: 'xterm',
	};
	// The sandbox is in this process, so it must not be blocked.
	const output = await new Promise<string>((resolve) => {
		const child = execFile('script', ['-qec', command, '/dev/null'], { cwd: folder, env }, (error, out) => {
			status = typeof error?.code === 'number' ? error.code : error === null ? 0 : 1;
			resolve(out);
		});
		child.stdin?.end();
	});
	return output
		.replaceAll('\r\n', '\n')
		.split('\n')
		.map((drawn) => (drawn.split('\r\u001B[K').at(-1) ?? '').replace(`${folder}/`, ''))
		.join('\n');
}
