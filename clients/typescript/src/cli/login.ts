import { Mailsonar } from '../client.ts';
import { textOption } from './context.ts';
import type { Context } from './context.ts';
import { storeCredentials, usableUrl } from './credentials.ts';
import { EXIT, UsageError } from './exit-code.ts';
import type { ExitCode } from './exit-code.ts';
import { count } from './progress.ts';
import { readLines } from './read-lines.ts';
import { visible } from './visible.ts';

/** `mailsonar login`: a key that the service knows, in a file that only we can read. */
export async function login(context: Context): Promise<ExitCode> {
	const { env, options, terminal, input, signal } = context;
	const given = textOption(options, 'base-url') ?? (env['MAILSONAR_BASE_URL'] || undefined);
	if (given === undefined) throw new UsageError('Which service? mailsonar login --base-url https://…/v1');
	const baseUrl = usableUrl(given);
	const apiKey = input.isTTY === true ? await askInSecret(context) : await firstLine(input);
	if (!/^[\x21-\x7E]+$/.test(apiKey)) throw new UsageError('That is no API key.', EXIT.key);
	const { availableCredits } = await new Mailsonar({ baseUrl, apiKey }).credits({ signal });
	const file = storeCredentials(env, { baseUrl, apiKey });
	terminal.say(`The key is good: ${count(availableCredits)} credits available. It is in ${visible(file)}.\n`);
	return EXIT.done;
}

async function firstLine(input: AsyncIterable<Uint8Array>): Promise<string> {
	for await (const line of readLines(input)) return line.trim();
	return '';
}

const CTRL_C = '\x03';
const CTRL_D = '\x04';
const CTRL_U = '\x15';
const BACKSPACE = ['\b', '\x7F'];

/** Reads a line from the terminal without showing it. */
async function askInSecret({ terminal }: Context): Promise<string> {
	const { stdin } = process;
	terminal.say('API key (it is not shown): ');
	stdin.setRawMode(true);
	let line = '';
	try {
		for await (const octets of stdin) {
			for (const letter of String(octets)) {
				if (letter === CTRL_C) throw new UsageError('', EXIT.interrupted);
				if (letter === '\r' || letter === '\n' || letter === CTRL_D) return line.trim();
				if (BACKSPACE.includes(letter)) line = line.slice(0, -1);
				else line = letter === CTRL_U ? '' : line + letter;
			}
		}
		return line.trim();
	} finally {
		stdin.setRawMode(false);
		terminal.say('\n');
	}
}
