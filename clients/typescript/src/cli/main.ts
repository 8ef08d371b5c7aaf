import { parseArgs } from 'node:util';
import { Mailsonar } from '../client.ts';
import { SYSTEM_CLOCK } from '../clock.ts';
import { MailsonarError } from '../error.ts';
import { VERSION } from '../version.ts';
import { bulk } from './bulk/bulk.ts';
import { catchAll } from './catchall.ts';
import { COMMANDS, COMMON, isCommand, SHELLS } from './commands.ts';
import type { CommandName, CommandWords } from './commands.ts';
import { completion } from './completion.ts';
import { textOption } from './context.ts';
import type { Context, Options } from './context.ts';
import { credits } from './credits.ts';
import { domains } from './domains.ts';
import { findCredentials } from './credentials.ts';
import { EXIT, exitCodeOf, UsageError } from './exit-code.ts';
import type { ExitCode } from './exit-code.ts';
import { help, helpOf } from './help.ts';
import { jobs } from './jobs.ts';
import { login } from './login.ts';
import { systemTerminal } from './terminal.ts';
import type { Terminal } from './terminal.ts';
import { verify } from './verify.ts';
import { json, visible } from './visible.ts';

type Run = (context: Context) => Promise<ExitCode>;

const RUNS: Readonly<Record<CommandName, Run>> = {
	verify,
	bulk,
	domains,
	catchall: catchAll,
	jobs,
	credits,
	login,
	completion: async ({ words, terminal }) => {
		const shell = SHELLS.find((each) => each === words[0]);
		if (shell === undefined) throw new UsageError(`Which shell? ${SHELLS.join(', ')}`);
		await terminal.write(completion(shell));
		return EXIT.done;
	},
};

// A person at a terminal would rather wait than start again.
const MAX_RETRY_WAIT_MS = 20 * 60_000;

/** Runs the program; gives its exit code. */
export async function main(argv: readonly string[], signal: AbortSignal): Promise<ExitCode> {
	const terminal = systemTerminal();
	const isJson = argv.includes('--json');
	try {
		return await run(argv, terminal, signal);
	} catch (error) {
		if (signal.aborted) return EXIT.interrupted;
		// The reader of our answers has gone, as `head` does.
		if ((error as { code?: unknown }).code === 'EPIPE') return EXIT.done;
		const text = isJson ? json(objectOf(error)) : textOf(error);
		if (text !== '') terminal.say(`${text}\n`);
		return exitCodeOf(error);
	}
}

async function run(argv: readonly string[], terminal: Terminal, signal: AbortSignal): Promise<ExitCode> {
	const [name = '', ...rest] = argv;
	if (name === '--version') return print(terminal, `${VERSION}\n`);
	if (name === '--help' || name === '-h' || name === 'help') return print(terminal, help());
	if (name === '') {
		terminal.say(help());
		return EXIT.usage;
	}
	if (!isCommand(name)) throw new UsageError(`There is no command ${name}. mailsonar --help names them.`);
	const { words, options } = parsed(name, rest);
	if (options['help'] === true) return print(terminal, helpOf(name));
	const { env, stdin } = process;
	const connect: Context['connect'] = () => {
		const { apiKey, baseUrl } = findCredentials(env, textOption(options, 'base-url'));
		const userAgent = `mailsonar-cli/${VERSION}`;
		return {
			client: new Mailsonar({ apiKey, baseUrl, userAgent, maxRetryWaitMs: MAX_RETRY_WAIT_MS }),
			baseUrl,
		};
	};
	const quiet = options['quiet'] === true;
	const context: Context = {
		words,
		options,
		terminal,
		env,
		input: stdin,
		clock: SYSTEM_CLOCK,
		signal,
		connect,
	};
	return RUNS[name](quiet ? { ...context, terminal: { ...terminal, columns: null } } : context);
}

async function print(terminal: Terminal, text: string): Promise<ExitCode> {
	await terminal.write(text);
	return EXIT.done;
}

function parsed(name: CommandName, args: readonly string[]): { words: readonly string[]; options: Options } {
	const { options }: CommandWords = COMMANDS[name];
	const known = Object.entries({ ...options, ...COMMON }).map(
		([option, { flag }]) => [option, flag] as const,
	);
	try {
		const { positionals, values } = parseArgs({
			args: [...args],
			options: Object.fromEntries(known),
			allowPositionals: true,
		});
		return { words: positionals, options: values };
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
