import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream, existsSync } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { MailsonarError } from '../../error.ts';
import type { Mailsonar } from '../../client.ts';
import type { Job, Verification } from '../../types.ts';
import { ROW_STATUSES, ROW_WORDS } from '../commands.ts';
import { textOption, textsOption } from '../context.ts';
import type { Connection, Context } from '../context.ts';
import { EXIT, UsageError } from '../exit-code.ts';
import type { ExitCode } from '../exit-code.ts';
import { renameInto, withFileOf } from '../files.ts';
import { count, Progress } from '../progress.ts';
import { readLines } from '../read-lines.ts';
import { json, visible } from '../visible.ts';
import { RowWriter } from './cells.ts';
import type { Ending } from './cells.ts';
import { openList, rowsOf } from './open-list.ts';
import type { List } from './open-list.ts';
import { emailOf, keyOf, partsOf } from './parts.ts';
import { StateFile } from './state.ts';
import type { Part, State } from './state.ts';

/** `mailsonar bulk FILE`: the list as jobs, and the file again with our columns. */
export async function bulk(context: Context): Promise<ExitCode> {
	const { words, options, input, signal } = context;
	const [file, ...more] = words;
	if (file === undefined || more.length > 0) throw new UsageError('Which file? mailsonar bulk list.csv');
	const isDry = options['dry-run'] === true;
	if (file !== '-') return isDry ? quote(context, file) : verifyFile(context, file, path.resolve(file));
	if (isDry) return withFileOf(input, signal, async (copy) => quote(context, copy));
	if (options['output'] === undefined) throw new UsageError('Where to? mailsonar bulk - -o verified.csv');
	return withFileOf(input, signal, async (copy) => verifyFile(context, copy, '-'));
}

/** Says what the list holds, and what it costs at most. */
async function quote(context: Context, input: string): Promise<ExitCode> {
	const { options, terminal, signal } = context;
	const list = await openList(input, textOption(options, 'column'));
	const { client } = context.connect();
	const total = { acceptedEmails: 0, invalidEmails: 0, maxCredits: 0 };
	for await (const emails of partsOf(rowsOf(list), list.column, new Set())) {
		const part = await orNull(client.dryRunBatch(emails, { signal }));
		total.acceptedEmails += part?.acceptedEmails ?? 0;
		total.invalidEmails += part?.invalidEmails ?? emails.length;
		total.maxCredits += part?.maxCredits ?? 0;
	}
	const { acceptedEmails, invalidEmails, maxCredits } = total;
	const text = `${count(acceptedEmails)} different addresses, ${count(invalidEmails)} malformed: at most ${count(maxCredits)} credits`;
	await terminal.write(`${options['json'] === true ? json(total) : text}\n`);
	return EXIT.done;
}

/** @param name of the input in the state: its path, or `-` */
async function verifyFile(context: Context, input: string, name: string): Promise<ExitCode> {
	const run = await prepare(context, input, name);
	const { state, seen } = await submit(run).catch((error: unknown) => noteRefusal(run, error));
	await waitForAll(run, state);
	const endings = await collect(run, state, seen);
	const counts = await write(run, endings);
	run.file.remove();
	await summarize(run, state, counts);
	return EXIT.done;
}

interface Run {
	readonly context: Context;
	readonly connection: Connection;
	readonly list: List;
	readonly output: string;
	readonly only: ReadonlySet<string>;
	readonly file: StateFile;
	readonly state: State;
}

async function prepare(context: Context, input: string, inputName: string): Promise<Run> {
	const { options } = context;
	const output = path.resolve(
		textOption(options, 'output') ?? input.replace(/(?:\.[A-Za-z]+)?$/, '-verified.csv'),
	);
	if (output === path.resolve(input)) throw new UsageError('The output is the input.');
	const only = new Set(textsOption(options, 'only'));
	const strange = [...only].find((word) => !ROW_WORDS.some((each) => each === word));
	if (strange !== undefined) throw new UsageError(`--only is one of ${ROW_WORDS.join(', ')}.`);
	const file = new StateFile(output);
	const [resume, force] = [options['resume'] === true, options['force'] === true];
	const before = resume || (file.exists() && !force) ? file.read() : null;
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
	file.write(state);
	return { context, connection, list, output, only, file, state };
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
async function submit({ context, connection, list, file, state: begun }: Run): Promise<{
	state: State;
	seen: readonly Set<string>[];
}> {
	const known = begun.parts;
	const sent: Part[] = [];
	const all = new Set<string>();
	const perPart: Set<string>[] = [];
	for await (const emails of partsOf(rowsOf(list), list.column, all)) {
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
		perPart.push(new Set(emails.map(keyOf)));
		file.write({ ...begun, parts: [...sent, ...known.slice(sent.length)] });
	}
	if (sent.length < known.length) throw changed();
	if (sent.length === 0) throw new UsageError('The column of addresses is empty.');
	return { state: { ...begun, parts: sent }, seen: perPart };
}

/** After a 402 the same command goes on, with the same keys. */
function noteRefusal({ file }: Run, error: unknown): never {
	if (!(error instanceof MailsonarError) || error.status !== 402) throw error;
	file.write({ ...file.read(), lacksCredits: true });
	const next = 'Add credits, then run the same command again: it pays for nothing twice.';
	throw new MailsonarError(`${error.message}. ${next}`, error);
}

/** The answer about a part; null: none of it is an address. */
async function orNull<T>(answering: Promise<T>): Promise<T | null> {
	try {
		return await answering;
	} catch (error) {
		if (error instanceof MailsonarError && error.code === 'no_valid_emails') return null;
		throw error;
	}
}

async function waitForAll({ context, connection }: Run, { parts }: State): Promise<void> {
	const { options, terminal, clock, signal } = context;
	const total = parts.reduce((sum, { sent }) => sum + sent, 0);
	const progress = options['quiet'] === true ? null : new Progress(terminal, clock, total);
	let before = 0;
	try {
		for (const { jobId, sent } of parts) {
			const onProgress = ({ processedEmails, rejectedEmails }: Job): void =>
				progress?.show(before + Math.min(sent, processedEmails + rejectedEmails));
			if (jobId !== null) await connection.client.jobs.wait(jobId, { signal, onProgress });
			before += sent;
			progress?.show(before);
		}
	} finally {
		progress?.end();
	}
}

/** What the rows of each address end with. */
async function collect(
	{ context, connection: { client }, list }: Run,
	{ parts }: State,
	seen: readonly Set<string>[],
): Promise<ReadonlyMap<string, Ending>> {
	const writer = writerOf(list);
	const endings = new Map<string, Ending>();
	const malformed = writer.malformed();
	for (const [index, { jobId, sent }] of parts.entries()) {
		const missing = seen[index] ?? new Set();
		if (jobId !== null) {
			const { acceptedEmails } = await client.jobs.get(jobId, { signal: context.signal });
			for await (const result of resultsOf(client, jobId, context.signal)) {
				const key = keyOf(result.email);
				missing.delete(key);
				endings.set(key, writer.found(result));
			}
			// Else an address that we did not find again would pass for a malformed one.
			if (missing.size !== sent - acceptedEmails)
				throw new Error(`the results of ${jobId} are not those of the addresses that were sent`);
		}
		for (const key of missing) endings.set(key, malformed);
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
	const writer = writerOf(list);
	const counts = new Map<string, number>();
	const lines = async function* (): AsyncGenerator<string, void, undefined> {
		yield writer.header(list.header);
		for await (const row of rowsOf(list)) {
			const key = keyOf(emailOf(row, list.column));
			const ending = key === '' ? writer.empty() : endings.get(key);
			if (ending === undefined) throw changed();
			const { status, action } = ending;
			counts.set(status, (counts.get(status) ?? 0) + 1);
			if (only.size === 0 || only.has(status) || only.has(action ?? '')) yield writer.row(row.cells, ending);
		}
	};
	await renameInto(output, async (part) => pipeline(lines(), createWriteStream(part)));
	return counts;
}

function writerOf({ format, header, column }: List): RowWriter {
	return new RowWriter(format.delimiter === ';' ? ';' : ',', header?.length ?? column + 1);
}

async function summarize(
	{ context, output }: Run,
	{ parts }: State,
	counts: ReadonlyMap<string, number>,
): Promise<void> {
	const { options, terminal } = context;
	const rows = Object.fromEntries(ROW_STATUSES.map((status) => [status, counts.get(status) ?? 0]));
	const jobs = parts.flatMap(({ jobId }) => (jobId === null ? [] : [jobId]));
	if (options['json'] === true) await terminal.write(`${json({ output, rows, jobs })}\n`);
	if (options['quiet'] === true) return;
	const words = Object.entries(rows).flatMap(([status, number]) =>
		number === 0 ? [] : [`${count(number)} ${status}`],
	);
	terminal.say(`${visible(output)}: ${words.join(', ')}\n`);
}

function changed(): UsageError {
	return new UsageError('The list has changed since the run began.');
}
