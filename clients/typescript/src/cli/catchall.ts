import { inCredits, PRICE } from '../../../../src/core/credits/price.ts';
import { thousands } from '../../../../src/lib/text.ts';
import type { CatchAllTask } from '../types.ts';
import { text, textOption, toggle, UsageError, wordOption } from './command.ts';
import type { Command, Context } from './command.ts';
import { save } from './files.ts';
import { Progress, visible } from './terminal.ts';

const VERDICTS = ['valid', 'invalid'] as const;

export const catchall: Command = {
	usage: 'JOB',
	says: `Verify the catch-all addresses of a completed job more deeply: ${inCredits(PRICE.catchall)} each, none for an unknown.`,
	options: {
		output: { ...text('FILE', 'write the rows there as CSV: Email, Score, Verdict'), short: 'o' },
		only: text('VERDICT', 'only rows with this verdict: valid, invalid'),
		'callback-url': text('URL', 'told when the task ends'),
		again: toggle('another task, although this job had one from here; it costs again'),
	},
	run,
};

/** Starts the task and waits for it. */
async function run({ words, options, terminal, signal, connect }: Context): Promise<void> {
	const [jobId, ...more] = words;
	if (jobId === undefined || more.length > 0) throw new UsageError('Which job? mailsonar catchall job_…');
	const output = textOption(options, 'output');
	const verdict = wordOption(options, 'only', VERDICTS);
	const { catchall: tasks } = connect().client;
	// A command that is repeated after an interruption finds the same task, and pays once.
	const idempotencyKey = options['again'] === true ? undefined : `mailsonar-cli-catchall-${jobId}`;
	const callbackUrl = textOption(options, 'callback-url');
	const { taskId, totalEmails } = await tasks.start(jobId, { signal, idempotencyKey, callbackUrl });
	const progress = new Progress(terminal, totalEmails);
	const onProgress = ({ processedEmails }: CatchAllTask): void => progress.show(processedEmails);
	const { meta: _, ...task } = await tasks.wait(taskId, { signal, onProgress }).finally(() => progress.end());
	if (output !== undefined) await save(output, await tasks.download(taskId, { signal, verdict }));
	if (options['json'] === true) await terminal.answer(task, '');
	else if (output === undefined)
		for await (const row of tasks.results(taskId, { signal, verdict }))
			await terminal.write(
				`${visible(row.verdict).padEnd(7)}  ${String(row.score).padStart(3)}  ${visible(row.email)}\n`,
			);
	const { valid, invalid, unknown } = task.verdictCounts;
	terminal.note(
		`${visible(taskId)}: ${thousands(valid)} valid, ${thousands(invalid)} invalid, ${thousands(unknown)} unknown; ${thousands(task.creditsUsed)} credits\n`,
	);
}
