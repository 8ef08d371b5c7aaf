import { mkdirSync, readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { thousands } from '../../../../src/lib/text.ts';
import { Mailsonar } from '../client.ts';
import { EXIT, textOption, UsageError } from './command.ts';
import type { Command, Context } from './command.ts';
import { saveInPrivate } from './files.ts';
import { visible } from './terminal.ts';
import type { Terminal } from './terminal.ts';

/** Who we are, and to which service. */
export interface Credentials {
	readonly baseUrl: string;
	readonly apiKey: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

const OTHERS = 0o077;

/** Where `login` keeps the key. */
export function credentialsFile(env: Environment): string {
	const folder = env['XDG_CONFIG_HOME'] ?? '';
	return path.join(
		path.isAbsolute(folder) ? folder : path.join(homedir(), '.config'),
		'mailsonar',
		'credentials.json',
	);
}

/** The key of the environment, or else the one that `login` stored. */
export function findCredentials(env: Environment, baseUrl: string | undefined): Credentials {
	const given = baseUrl ?? (env['MAILSONAR_BASE_URL'] || undefined);
	const key = env['MAILSONAR_API_KEY'] ?? '';
	if (key !== '') {
		const root = given ?? readStored(env)?.baseUrl;
		if (root === undefined) throw new UsageError('Which service? Say --base-url, or set MAILSONAR_BASE_URL.');
		return { apiKey: key.trim(), baseUrl: usableUrl(root) };
	}
	const stored = readStored(env);
	if (stored === null)
		throw new UsageError('There is no API key. Run mailsonar login, or set MAILSONAR_API_KEY.', EXIT.key);
	// A key is shown to the service that it is for, and to no other.
	if (given !== undefined && usableUrl(given) !== stored.baseUrl)
		throw new UsageError(
			`The stored key is for ${stored.baseUrl}. Run mailsonar login for another service.`,
			EXIT.key,
		);
	return stored;
}

/** Stores them in a file that nobody else can read; gives its name. */
export function storeCredentials(env: Environment, credentials: Credentials): string {
	const file = credentialsFile(env);
	mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
	saveInPrivate(file, credentials);
	return file;
}

function readStored(env: Environment): Credentials | null {
	const file = credentialsFile(env);
	const stats = statSync(file, { throwIfNoEntry: false });
	if (stats === undefined) return null;
	if (process.platform !== 'win32') {
		if ((stats.mode & OTHERS) !== 0)
			throw new UsageError(
				`Others can read ${file}. Run chmod 600 on it, and better make a new key.`,
				EXIT.key,
			);
		const own = process.getuid?.();
		if (own !== undefined && own !== 0 && stats.uid !== own)
			throw new UsageError(`${file} belongs to somebody else.`, EXIT.key);
	}
	try {
		const { baseUrl, apiKey } = JSON.parse(readFileSync(file, 'utf8')) as Partial<Credentials>;
		if (typeof baseUrl === 'string' && typeof apiKey === 'string')
			return { baseUrl: usableUrl(baseUrl), apiKey };
	} catch (error) {
		if (error instanceof UsageError) throw error;
	}
	throw new UsageError(`${file} is damaged. Run mailsonar login.`, EXIT.key);
}

/** https, or http on this machine: a key is not sent in the clear. */
export function usableUrl(text: string): string {
	if (!URL.canParse(text))
		throw new UsageError('The base URL is no URL, such as https://api.example.com/v1.');
	const { protocol, hostname, href } = new URL(text);
	const isHere = hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d+){3}$/.test(hostname);
	if (protocol === 'https:' || (protocol === 'http:' && isHere)) return href.replace(/(?<!\/)\/+$/, '');
	throw new UsageError('The base URL is not https.');
}

export const login: Command = {
	usage: '',
	says: 'Store an API key in a file that only you can read. It is asked for, or read from the input.',
	options: {},
	run,
};

/** Stores a key that the service knows. */
async function run({ options, terminal, signal }: Context): Promise<void> {
	const { env } = process;
	const given = textOption(options, 'base-url') ?? (env['MAILSONAR_BASE_URL'] || undefined);
	if (given === undefined) throw new UsageError('Which service? mailsonar login --base-url https://…/v1');
	const baseUrl = usableUrl(given);
	const apiKey = await readKey(terminal, signal);
	if (!/^[\x21-\x7E]+$/.test(apiKey)) throw new UsageError('That is no API key.', EXIT.key);
	const { availableCredits } = await new Mailsonar({ baseUrl, apiKey }).credits({ signal });
	const file = storeCredentials(env, { baseUrl, apiKey });
	terminal.say(
		`The key is good: ${thousands(availableCredits)} credits available. It is in ${visible(file)}.\n`,
	);
}

/** The first line of the input. A terminal does not show it. */
async function readKey(terminal: Terminal, signal: AbortSignal): Promise<string> {
	const { stdin } = process;
	const nowhere = new Writable({ write: (_octets, _encoding, done) => done() });
	const reader = createInterface({ input: stdin, output: nowhere, terminal: stdin.isTTY, signal });
	// The terminal leaves Ctrl-C to the reader, which would only close.
	reader.once('SIGINT', () => process.emit('SIGINT'));
	if (stdin.isTTY) terminal.say('API key (it is not shown): ');
	try {
		for await (const line of reader) return line.trim();
		signal.throwIfAborted();
		return '';
	} finally {
		reader.close();
		if (stdin.isTTY) terminal.say('\n');
	}
}
