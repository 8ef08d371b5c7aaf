#!/usr/bin/env node
import { parseArgs } from 'node:util';
import { Mailsonar } from '../client.ts';
import { MailsonarError } from '../error.ts';
import { VERSION } from '../version.ts';
import { EXIT, exitCodeOf, textOption, UsageError } from './command.ts';
import type { Connection, ExitCode } from './command.ts';
import { COMMANDS, COMMON, help, helpOf } from './commands.ts';
import { findCredentials } from './credentials.ts';
import { json, Terminal, visible } from './terminal.ts';

// The library runs on older ones.
const NODE_MIN = 20;
// A person at a terminal would rather wait than start again.
const MAX_RETRY_WAIT_MS = 20 * 60_000;

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
	process.once(signal, () => stop.abort(new Error(signal)));
// What is written to a reader that has gone is not missed.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
	if (error.code === 'EPIPE') process.exit(EXIT.done);
});
if (Number.parseInt(process.versions.node, 10) < NODE_MIN) {
	process.stderr.write(`mailsonar needs Node ${NODE_MIN} or newer; this is ${process.versions.node}.\n`);
	process.exit(EXIT.usage);
}
// An input that is a terminal would keep the process alive.
void main(process.argv.slice(2), stop.signal).then((code) => process.exit(code));

/** Runs the program; gives its exit code. */
async function main(argv: readonly string[], signal: AbortSignal): Promise<ExitCode> {
	try {
		return await run(argv, signal);
	} catch (error) {
		if (signal.aborted) return EXIT.interrupted;
		// The reader of our answers has gone, as `head` does.
		if ((error as { code?: unknown }).code === 'EPIPE') return EXIT.done;
		const text = argv.includes('--json') ? json(objectOf(error)) : textOf(error);
		if (text !== '') new Terminal().say(`${text}\n`);
		return exitCodeOf(error);
	}
}

async function run([name = '', ...rest]: readonly string[], signal: AbortSignal): Promise<ExitCode> {
	if (name === '--version') return print(`${VERSION}\n`);
	if (name === '--help' || name === '-h' || name === 'help') return print(help());
	if (name === '') {
		new Terminal().say(help());
		return EXIT.usage;
	}
	const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
	if (command === undefined)
		throw new UsageError(`There is no command ${name}. mailsonar --help names them.`);
	const { positionals: words, values: options } = parsed({ ...command.options, ...COMMON }, rest);
	if (options['help'] === true) return print(helpOf(name, command));
	const connect = (): Connection => {
		const { apiKey, baseUrl } = findCredentials(process.env, textOption(options, 'base-url'));
		const userAgent = `mailsonar-cli/${VERSION}`;
		const client = new Mailsonar({ apiKey, baseUrl, userAgent, maxRetryWaitMs: MAX_RETRY_WAIT_MS });
		return { client, baseUrl };
	};
	const terminal = new Terminal({ isJson: options['json'] === true, isQuiet: options['quiet'] === true });
	return (await command.run({ words, options, terminal, signal, connect })) ?? EXIT.done;
}

async function print(text: string): Promise<ExitCode> {
	await new Terminal().write(text);
	return EXIT.done;
}

function parsed(options: (typeof COMMANDS)[string]['options'], args: readonly string[]) {
	try {
		return parseArgs({ args: [...args], options, allowPositionals: true });
	} catch (error) {
		// Its message says what is wrong, and sometimes more in further sentences.
		throw new UsageError(error instanceof Error ? (error.message.split('. ')[0] ?? '') : String(error));
	}
}

function textOf(error: unknown): string {
	if (error instanceof MailsonarError) {
		const id = error.requestId === null ? '' : ` (${error.requestId})`;
		return visible(`mailsonar: ${error.message}${id}`);
	}
	if (error instanceof UsageError) return error.message === '' ? '' : visible(`mailsonar: ${error.message}`);
	return `mailsonar failed: ${visible(error instanceof Error ? (error.stack ?? error.message) : String(error))}`;
}

function objectOf(error: unknown): object {
	if (error instanceof MailsonarError) {
		const { message, code, status, requestId, details } = error;
		return { error: message, code, status, requestId, ...details };
	}
	return {
		error: error instanceof Error ? error.message : String(error),
		code: error instanceof UsageError ? 'usage' : 'internal',
	};
}
