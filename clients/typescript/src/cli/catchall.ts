import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { Readable } from 'node:stream';
import type { ReadableStream as NodeStream } from 'node:stream/web';
import type { Mailsonar } from '../client.ts';
import type { Answer, CatchAllTask } from '../types.ts';
import { textOption } from './context.ts';
import type { Context } from './context.ts';
import { EXIT, UsageError } from './exit-code.ts';
import type { ExitCode } from './exit-code.ts';
import { renameInto } from './files.ts';
import { count, Progress } from './progress.ts';
import { json, visible } from './visible.ts';

/** `mailsonar catchall JOB`: starts the task and waits for it. */
export async function catchAll(context: Context): Promise<ExitCode> {
	const { words, options, terminal, signal } = context;
	const [jobId, ...more] = words;
	if (jobId === undefined || more.length > 0) throw new UsageError('Which job? mailsonar catchall job_…');
	const output = textOption(options, 'output');
	const verdict = verdictOf(textOption(options, 'only'));
	const { client } = context.connect();
	// A command that is repeated after an interruption finds the same task, and pays once.
	const idempotencyKey = options['again'] === true ? undefined : `mailsonar-cli-catchall-${jobId}`;
	const callbackUrl = textOption(options, 'callback-url');
	const started = await client.catchall.start(jobId, { signal, idempotencyKey, callbackUrl });
	const task = await waitFor(context, client, started);
	if (output !== undefined) await save(context, client, { taskId: task.taskId, output, verdict });
	const { meta: _, ...rest } = task;
	if (options['json'] === true) await terminal.write(`${json(rest)}\n`);
	else if (output === undefined) await writeRows(context, client, { taskId: task.taskId, verdict });
	if (options['quiet'] !== true) terminal.say(summaryOf(task));
	return EXIT.done;
}

async function waitFor(
	{ options, terminal, clock, signal }: Context,
	client: Mailsonar,
	{ taskId, totalEmails }: CatchAllTask,
): Promise<Answer<CatchAllTask>> {
	const progress = options['quiet'] === true ? null : new Progress(terminal, clock, totalEmails);
	try {
		return await client.catchall.wait(taskId, {
			signal,
			onProgress: ({ processedEmails }) => progress?.show(processedEmails),
		});
	} finally {
		progress?.end();
	}
}

type Verdict = 'valid' | 'invalid' | undefined;

async function save(
	{ signal }: Context,
	client: Mailsonar,
	{ taskId, output, verdict }: { taskId: string; output: string; verdict: Verdict },
): Promise<void> {
	const body = await client.catchall.download(taskId, { signal, verdict });
	await renameInto(output, async (part) =>
		pipeline(Readable.fromWeb(body as NodeStream<Uint8Array>), createWriteStream(part)),
	);
}

async function writeRows(
	{ terminal, signal }: Context,
	client: Mailsonar,
	{ taskId, verdict }: { taskId: string; verdict: Verdict },
): Promise<void> {
	for await (const row of client.catchall.results(taskId, { signal, verdict }))
		await terminal.write(
			`${visible(row.verdict).padEnd(7)}  ${String(row.score).padStart(3)}  ${visible(row.email)}\n`,
		);
}

function summaryOf({
	taskId,
	verdictCounts: { valid, invalid, unknown },
	creditsUsed,
}: CatchAllTask): string {
	return `${visible(taskId)}: ${count(valid)} valid, ${count(invalid)} invalid, ${count(unknown)} unknown; ${count(creditsUsed)} credits\n`;
}

function verdictOf(text: string | undefined): Verdict {
	if (text === undefined || text === 'valid' || text === 'invalid') return text;
	throw new UsageError('--only is one of valid, invalid.');
}
