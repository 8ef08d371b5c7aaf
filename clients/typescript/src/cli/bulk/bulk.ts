import { createHash, randomUUID } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import { ACTIONS } from '../../../../../src/core/verification/sub-status.ts';
import { thousands } from '../../../../../src/lib/text.ts';
import { MailsonarError } from '../../error.ts';
import type { Mailsonar } from '../../client.ts';
import type { Job, Verification } from '../../types.ts';
import { text, textOption, toggle, UsageError } from '../command.ts';
import type { Command, Connection, Context } from '../command.ts';
import { readLines, save, saveInPrivate, withInputAsFile } from '../files.ts';
import { Progress, visible } from '../terminal.ts';
import { RowWriter } from './cells.ts';
import type { Ending } from './cells.ts';
import { emailOf, keyOf, openList, partsOf, rowsOf } from './list.ts';
import type { List } from './list.ts';
import { readState } from './state.ts';
import type { Part, State } from './state.ts';

/** The statuses of rows in the output. */
const ROW_STATUSES = ['deliverable', 'undeliverable', 'risky', 'unknown', 'malformed'] as const;
/** What `--only` takes: rows go by their status, or by what to do with the address. */
const ROW_WORDS: readonly string[] = [...ROW_STATUSES, ...ACTIONS];

export const bulk: Command = {
	usage: 'FILE | -',
	says: 'Verify a CSV file, or the input with -, as jobs, and write it again with our columns after its own.',
	options: {
		column: text('NAME', 'the column of addresses by its name, or by its number from 1; else we find it'),
		output: { ...text('FILE', 'where to; by default FILE-verified.csv'), short: 'o' },
		only: {
			...text('WORD', `only rows with this status or action: ${ROW_WORDS.join(', ')}; may be repeated`),
			multiple: true,
		},
		catchall: toggle('resolve catch-all addresses, too'),
		'callback-url': text('URL', 'told when each of the jobs ends'),
		'dry-run': toggle('only count the addresses, and say what they cost at most'),
		name: text('TEXT', 'the name of the list in the dashboard; by default that of the file'),
		resume: toggle('go on with a run that was broken off'),
		force: toggle('overwrite the output, and forget a run that was broken off'),
	},
	run,
};

/** Verifies the list as jobs, and writes the file again with our columns. */
async function run(context: Context): Promise<void> {
	const { words, options, signal } = context;
	const [file, ...more] = words;
	if (file === undefined || more.length > 0) throw new UsageError('Which file? mailsonar bulk list.csv');
	const isDry = options['dry-run'] === true;
	if (file !== '-') return isDry ? quote(context, file) : verifyFile(context, file, path.resolve(file));
	if (isDry) return withInputAsFile(signal, async (copy) => quote(context, copy));
	if (options['output'] === undefined) throw new UsageError('Where to? mailsonar bulk - -o verified.csv');
	return withInputAsFile(signal, async (copy) => verifyFile(context, copy, '-'));
}

/** Says what the list holds, and what it costs at most. */
async function quote({ options, terminal, signal, connect }: Context, input: string): Promise<void> {
	const list = await openList(input, textOption(options, 'column'));
	const { client } = connect();
	const total = { acceptedEmails: 0, invalidEmails: 0, maxCredits: 0 };
	for await (const emails of partsOf(list, new Set())) {
		const part = await orNull(client.dryRunBatch(emails, { signal }));
		total.acceptedEmails += part?.acceptedEmails ?? 0;
		total.invalidEmails += part?.invalidEmails ?? emails.length;
		total.maxCredits += part?.maxCredits ?? 0;
	}
	const { acceptedEmails, invalidEmails, maxCredits } = total;
	await terminal.answer(
		total,
		`${thousands(acceptedEmails)} different addresses, ${thousands(invalidEmails)} malformed: at most ${thousands(maxCredits)} credits`,
	);
}

/** @param name of the input in the state: its path, or `-` */
async function verifyFile(context: Context, input: string, name: string): Promise<void> {
	const begun = await prepare(context, input, name);
	const { parts, keys } = await submit(begun).catch((error: unknown) => noteRefusal(begun, error));
	const jobs = await waitForAll(begun, parts);
	const endings = await collect(begun, jobs, keys);
	const counts = await write(begun, endings);
	rmSync(begun.stateFile, { force: true });
	await summarize(begun, jobs, counts);
}

interface Run {
	readonly context: Context;
	readonly connection: Connection;
	readonly list: List;
	readonly output: string;
	readonly only: ReadonlySet<string>;
	readonly stateFile: string;
	readonly state: State;
}

async function prepare(context: Context, input: string, inputName: string): Promise<Run> {
	const { options } = context;
	const output = path.resolve(
		textOption(options, 'output') ?? input.replace(/(?:\.[A-Za-z]+)?$/, '-verified.csv'),
	);
	if (output === path.resolve(input)) throw new UsageError('The output is the input.');
	// The option may be repeated, and one value may be several.
	const given = options['only'] as readonly string[] | undefined;
	const only = new Set(given?.flatMap((value) => value.split(',')).map((word) => word.trim()));
	if (![...only].every((word) => ROW_WORDS.includes(word)))
		throw new UsageError(`--only is one of ${ROW_WORDS.join(', ')}.`);
	const stateFile = `${output}.mailsonar.json`;
	const [resume, force] = [options['resume'] === true, options['force'] === true];
	const before = resume || (existsSync(stateFile) && !force) ? readState(stateFile) : null;
	if (before !== null && !resume && !before.lacksCredits)
		throw new UsageError(
			'A run was broken off here. --resume goes on with it, --force forgets it and pays again.',
		);
	if (existsSync(output) && !force) throw new UsageError(`${output} exists. --force overwrites it.`);
	const list = await openList(input, textOption(options, 'column'));
	const connection = context.connect();
	const asked: State = {
		version: 1,
		runId: randomUUID(),
		baseUrl: connection.baseUrl,
		input: inputName,
		column: list.column,
		catchall: options['catchall'] === true,
		name: textOption(options, 'name') ?? path.basename(inputName === '-' ? output : input),
		callbackUrl: textOption(options, 'callback-url'),
		lacksCredits: false,
		parts: [],
	};
	const state = before === null ? asked : resumed(before, asked);
	saveInPrivate(stateFile, state);
	return { context, connection, list, output, only, stateFile, state };
}

/** The state of the run that was broken off, if it is about the same thing. */
function resumed(state: State, asked: State): State {
	for (const [fact, what] of [
		['baseUrl', 'another service'],
		['input', 'another file'],
		['column', 'another column'],
		['catchall', 'other options'],
		['callbackUrl', 'other options'],
	] as const)
		if (state[fact] !== asked[fact])
			throw new UsageError(`The run that was broken off is about ${what}. --force forgets it.`);
	return { ...state, lacksCredits: false };
}

/** Sends the list in parts. What was sent before a kill is only compared: its key would find the same job anyway. */
async function submit({ context, connection, list, stateFile, state: begun }: Run): Promise<{
	parts: readonly Part[];
	keys: ReadonlySet<string>;
}> {
	const known = begun.parts;
	const sent: Part[] = [];
	const keys = new Set<string>();
	for await (const emails of partsOf(list, keys)) {
		context.signal.throwIfAborted();
		const digest = createHash('sha256').update(JSON.stringify(emails)).digest('hex');
		const before = known[sent.length];
		if (before !== undefined && before.digest !== digest) throw changed();
		const { runId, name, catchall, callbackUrl } = begun;
		const start = async (): Promise<Part> => {
			const job = await orNull(
				connection.client.verifyBatch(emails, {
					signal: context.signal,
					name,
					callbackUrl,
					...(catchall ? { validationFlags: { auto_catchall_rescue: true } } : {}),
					idempotencyKey: `${runId}-${sent.length}`,
				}),
			);
			return { sent: emails.length, digest, jobId: job?.jobId ?? null };
		};
		sent.push(before ?? (await start()));
		saveInPrivate(stateFile, { ...begun, parts: [...sent, ...known.slice(sent.length)] });
	}
	if (sent.length < known.length) throw changed();
	if (sent.length === 0) throw new UsageError('The column of addresses is empty.');
	return { parts: sent, keys };
}

/** After a 402 the same command goes on, with the same keys. */
function noteRefusal({ stateFile }: Run, error: unknown): never {
	if (!(error instanceof MailsonarError) || error.status !== 402) throw error;
	saveInPrivate(stateFile, { ...readState(stateFile), lacksCredits: true });
	const next = 'Add credits, then run the same command again: it pays for nothing twice.';
	throw new MailsonarError(`${error.message}. ${next}`, error);
}

/** The answer about a part; null: none of it is an address. */
async function orNull<T>(answering: Promise<T>): Promise<T | null> {
	return answering.catch((error: unknown) => {
		if (error instanceof MailsonarError && error.code === 'no_valid_emails') return null;
		throw error;
	});
}

/** The completed jobs of the parts. */
async function waitForAll({ context, connection }: Run, parts: readonly Part[]): Promise<readonly Job[]> {
	const { terminal, signal } = context;
	const total = parts.reduce((sum, { sent }) => sum + sent, 0);
	const progress = new Progress(terminal, total);
	const jobs: Job[] = [];
	let before = 0;
	try {
		for (const { jobId, sent } of parts) {
			const onProgress = ({ processedEmails, rejectedEmails }: Job): void =>
				progress.show(before + Math.min(sent, processedEmails + rejectedEmails));
			if (jobId !== null) jobs.push(await connection.client.jobs.wait(jobId, { signal, onProgress }));
			before += sent;
			progress.show(before);
		}
		return jobs;
	} finally {
		progress.end();
	}
}

/** What the rows of each address end with. */
async function collect(
	{ context, connection: { client }, list }: Run,
	jobs: readonly Job[],
	keys: ReadonlySet<string>,
): Promise<ReadonlyMap<string, Ending>> {
	const writer = new RowWriter(list);
	const malformed = writer.malformed();
	// An address without an answer is malformed: the service left it out of its job.
	const endings = new Map(Array.from(keys, (key) => [key, malformed]));
	for (const { jobId, acceptedEmails } of jobs) {
		let found = 0;
		for await (const result of resultsOf(client, jobId, context.signal)) {
			const key = keyOf(result.email);
			if (endings.get(key) === malformed) found += 1;
			endings.set(key, writer.found(result));
		}
		// Else an address that we did not find again would pass for a malformed one.
		if (found !== acceptedEmails)
			throw new Error(`the results of ${jobId} are not those of the addresses that were sent`);
	}
	return endings;
}

/** The rows of a job in one request: its pages would use up the window of a long list. */
async function* resultsOf(
	client: Mailsonar,
	jobId: string,
	signal: AbortSignal,
): AsyncGenerator<Verification, void, undefined> {
	const body = await client.jobs.download(jobId, { format: 'jsonl', signal });
	try {
		for await (const line of readLines(body)) if (line !== '') yield JSON.parse(line) as Verification;
	} catch (cause) {
		signal.throwIfAborted();
		throw new MailsonarError('The connection broke while the rows came. --resume goes on.', {
			code: 'network_error',
			cause,
		});
	}
}

/** Writes the output, which is there as a whole or not at all; counts its rows by status. */
async function write(
	{ list, output, only }: Run,
	endings: ReadonlyMap<string, Ending>,
): Promise<ReadonlyMap<string, number>> {
	const writer = new RowWriter(list);
	const counts = new Map<string, number>();
	const lines = async function* (): AsyncGenerator<string, void, undefined> {
		yield writer.header();
		for await (const row of rowsOf(list)) {
			const key = keyOf(emailOf(row, list.column));
			const ending = key === '' ? writer.empty() : endings.get(key);
			if (ending === undefined) throw changed();
			const { status, action } = ending;
			counts.set(status, (counts.get(status) ?? 0) + 1);
			if (only.size === 0 || only.has(status) || only.has(action ?? '')) yield writer.row(row.cells, ending);
		}
	};
	await save(output, lines());
	return counts;
}

async function summarize(
	{ context, output }: Run,
	jobs: readonly Job[],
	counts: ReadonlyMap<string, number>,
): Promise<void> {
	const { options, terminal } = context;
	const rows = Object.fromEntries(ROW_STATUSES.map((status) => [status, counts.get(status) ?? 0]));
	if (options['json'] === true)
		await terminal.answer({ output, rows, jobs: jobs.map(({ jobId }) => jobId) }, '');
	const words = Object.entries(rows).flatMap(([status, number]) =>
		number === 0 ? [] : [`${thousands(number)} ${status}`],
	);
	terminal.note(`${visible(output)}: ${words.join(', ')}\n`);
}

function changed(): UsageError {
	return new UsageError('The list has changed since the run began.');
}
