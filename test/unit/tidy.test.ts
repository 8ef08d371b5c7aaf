import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

// The borders of the code, read from its imports: ways in → operations → engine → pure core; ports ← ways out. The prober
// is a program of its own, which shares the core and the words of a question with the Worker.

const SOURCE = path.join(import.meta.dirname, '../../src');

interface SourceFile {
	/** Relative to src, with slashes. */
	readonly name: string;
	readonly text: string;
	/** Paths relative to src for our own files, bare names for packages. */
	readonly imports: readonly string[];
	/** Imports of types alone are left out. */
	readonly values: readonly string[];
}

const files: readonly SourceFile[] = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
	.filter((name) => /\.tsx?$/.test(name))
	.map((name) => {
		const text = readFileSync(path.join(SOURCE, name), 'utf8');
		const found = [...text.matchAll(/^\s*(?:import|export)\b( type\b)?[^;]*?from '([^']+)'/gm)].map(
			([, type, from = '']) => ({
				isType: type !== undefined,
				from: from.startsWith('.') ? path.posix.join(path.posix.dirname(name), from) : from,
			}),
		);
		const imports = found.map(({ from }) => from);
		const values = found.filter(({ isType }) => !isType).map(({ from }) => from);
		return { name, text, imports, values };
	});

/** What a folder may import: prefixes of our own paths, and whole names of packages. */
const BORDERS: readonly { folder: string; own: readonly string[]; packages: readonly string[] }[] = [
	// tldts is pure data (the public suffix list); the others read CSV and workbooks, and are pure too.
	{
		folder: 'core/',
		own: ['core/', 'lib/', 'errors.ts'],
		packages: ['tldts', 'papaparse', 'fflate', 'saxes'],
	},
	{
		folder: 'lib/',
		own: ['lib/'],
		packages: ['node:async_hooks', 'node:crypto', 'node:url', 'node:zlib', 'ipaddr.js', 'otpauth/bare'],
	},
	{ folder: 'engine/', own: ['engine/', 'wire/', 'core/', 'lib/', 'errors.ts'], packages: [] },
	{
		folder: 'operations/',
		// The account's port is the type of its class (`operations/accounts/object-port.ts`).
		own: [
			'operations/',
			'services.ts',
			'engine/',
			'core/',
			'lib/',
			'errors.ts',
			'durable-objects/account/account.ts',
			// The types of rows.
			'storage/schema.ts',
		],
		packages: [],
	},
	{
		folder: 'net/',
		own: [
			'net/',
			'core/',
			'lib/',
			'errors.ts',
			'wire/',
			'engine/ports.ts',
			'engine/domain/port.ts',
			'operations/people/port.ts',
			'operations/webhooks/port.ts',
		],
		packages: ['node:buffer', 'dns-packet', 'standardwebhooks'],
	},
	{ folder: 'wire/', own: ['wire/', 'core/', 'lib/'], packages: ['zod'] },
	{
		folder: 'storage/',
		own: [
			'storage/',
			'core/',
			'lib/',
			'errors.ts',
			'engine/ports.ts',
			'engine/domain/port.ts',
			'operations/jobs/port.ts',
			'operations/people/port.ts',
		],
		packages: ['drizzle-orm', 'drizzle-orm/d1', 'drizzle-orm/sqlite-core'],
	},
	{
		folder: 'queues/',
		own: ['queues/', 'operations/', 'services.ts', 'core/', 'lib/', 'errors.ts'],
		packages: ['zod'],
	},
	{
		folder: 'durable-objects/',
		own: [
			'durable-objects/',
			'core/',
			'lib/',
			'errors.ts',
			'engine/ports.ts',
			'operations/accounts/object-port.ts',
			'operations/accounts/port.ts',
			'operations/jobs/port.ts',
			'operations/verify/history-port.ts',
			'operations/verify/port.ts',
			'operations/webhooks/port.ts',
		],
		packages: ['cloudflare:workers'],
	},
	{
		folder: 'prober/',
		own: ['prober/', 'wire/', 'core/', 'lib/', 'errors.ts', 'variables.ts', 'engine/ports.ts'],
		packages: [
			'node:dgram',
			'node:dns/promises',
			'node:events',
			'node:http',
			'node:net',
			'node:fs',
			'node:sqlite',
			'node:tls',
			'node:util',
			'prom-client',
			'socks',
			'zod',
		],
	},
	{
		folder: 'http/',
		own: [
			'http/',
			'operations/',
			'services.ts',
			'engine/',
			'core/',
			'lib/',
			'errors.ts',
			'config.ts',
			'variables.ts',
		],
		packages: [
			'hono',
			'hono/http-exception',
			'hono/route',
			'hono/utils/http-status',
			'zod',
			'@hono/zod-openapi',
			'@hono/zod-validator',
			'@streamparser/json',
		],
	},
	{
		folder: 'mcp/',
		// It calls the API as a customer does, and publishes the same schemas.
		own: ['mcp/', 'http/schemas/', 'core/', 'lib/'],
		packages: ['zod', '@modelcontextprotocol/server'],
	},
	{
		folder: 'dashboard/',
		own: [
			'dashboard/',
			'http/',
			'operations/',
			'services.ts',
			'engine/',
			'core/',
			'lib/',
			'errors.ts',
			'config.ts',
		],
		packages: [
			'hono',
			'hono/jsx',
			'hono/cookie',
			'hono/html',
			'hono/http-exception',
			'hono/route',
			'hono/utils/http-status',
			'hono/csrf',
			'hono/secure-headers',
			'hono/trailing-slash',
			'zod',
			'@hono/zod-validator',
			'@remix-run/multipart-parser',
			// Made by the build.
			'docs:pages',
			// Draws QR codes.
			'uqr',
		],
	},
];

test.each(BORDERS)('$folder imports only what its border allows', ({ folder, own, packages }) => {
	const inFolder = files.filter(({ name }) => name.startsWith(folder));
	expect(inFolder.length).toBeGreaterThan(0);
	const trespasses = inFolder.flatMap(({ name, imports }) =>
		imports
			.filter((from) => !own.some((prefix) => from.startsWith(prefix)) && !packages.includes(from))
			.map((from) => `${name} imports ${from}`),
	);
	expect(trespasses).toEqual([]);
});

test.each([
	['papaparse', ['core/upload/text.ts']],
	['fflate', ['core/xlsx/write-xlsx.ts', 'core/upload/xlsx/zip.ts']],
	['saxes', ['core/upload/xlsx/xml.ts']],
])('the core needs %s where it is named, and nowhere else', (name, users) => {
	const found = files.filter((file) => file.name.startsWith('core/') && file.imports.includes(name));
	expect(found.map((file) => file.name)).toEqual(users);
});

test('every file belongs to a folder with a border, or is one of the eight that wire', () => {
	const wiring = [
		'compose.ts',
		'config.ts',
		'errors.ts',
		'health.ts',
		'index.ts',
		'services.ts',
		'under-test.ts',
		'variables.ts',
	];
	const strays = files.filter(
		({ name }) => !BORDERS.some(({ folder }) => name.startsWith(folder)) && !wiring.includes(name),
	);
	expect(strays.map(({ name }) => name)).toEqual([]);
});

/** All files that a file needs, and those that they need. */
function reachedFrom(name: string, seen = new Set<string>()): ReadonlySet<string> {
	for (const next of files.find((file) => file.name === name)?.imports ?? []) {
		if (seen.has(next)) continue;
		seen.add(next);
		reachedFrom(next, seen);
	}
	return seen;
}

test('the Worker and the prober hold nothing of one another', () => {
	const worker = [...reachedFrom('index.ts')];
	expect(worker).toContain('net/prober-client.ts');
	expect(worker.filter((name) => name.startsWith('prober/'))).toEqual([]);
	expect(worker.filter((name) => /^node:(?:net|tls|sqlite)$|^cloudflare:sockets$/.test(name))).toEqual([]);
	const prober = [...reachedFrom('prober/main.ts')];
	expect(prober).toContain('prober/ask.ts');
	expect(prober.filter((name) => name.startsWith('cloudflare:'))).toEqual([]);
	expect(prober.filter((name) => name.startsWith('engine/')).toSorted()).toEqual(['engine/ports.ts']);
});

test('operations know the account by its type alone, in one file', () => {
	const knowing = files.filter(
		({ name, imports }) =>
			name.startsWith('operations/') && imports.some((from) => from.startsWith('durable-objects/')),
	);
	expect(knowing.map(({ name }) => name)).toEqual(['operations/accounts/object-port.ts']);
	expect(knowing.flatMap(({ values }) => values)).toEqual([]);
});

test('of the engine the prober and the wire know types only', () => {
	const values = files.filter(
		({ name, text }) =>
			/^(?:prober|wire)\//.test(name) && /^(?:import|export) (?!type )[^;]*?from '[./]+engine\//m.test(text),
	);
	expect(values.map(({ name }) => name)).toEqual([]);
});

test('address, dns, smtp, lists and mail-operators know nothing of verification or catch-all', () => {
	const lower = /^core\/(?:address|dns|smtp|lists|mail-operators|credits|rate-limit|keys|egress)\//;
	const trespasses = files
		.filter(({ name }) => lower.test(name))
		.flatMap(({ name, imports }) =>
			imports
				.filter(
					(from) =>
						from.startsWith('core/catchall/') || /^core\/verification\/(?!sub-status|result)/.test(from),
				)
				.map((from) => `${name} imports ${from}`),
		);
	expect(trespasses).toEqual([]);
});

test('no two files need one another, not even for a type', () => {
	// Leaves out files that need no other one of those that are left, until none is left or only circles are.
	const needs = new Map(files.map(({ name, imports }) => [name, imports]));
	for (let before = -1; before !== needs.size;) {
		before = needs.size;
		for (const [name, imports] of needs) if (!imports.some((from) => needs.has(from))) needs.delete(name);
	}
	expect([...needs.keys()]).toEqual([]);
});

test('no folder has more than twenty files side by side', () => {
	const counts = new Map<string, number>();
	for (const { name } of files) {
		const folder = path.posix.dirname(name);
		counts.set(folder, (counts.get(folder) ?? 0) + 1);
	}
	const crowded = [...counts].filter(([folder, count]) => folder !== 'prober' && count > 20);
	expect(crowded).toEqual([]);
});

// Time, randomness and the network come in as arguments.
const IMPURE =
	/\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(|\bcrypto\.|\bfetch\(|\bsetTimeout\(|\bprocess\./;

test.each(['core/', 'engine/', 'operations/'])(
	'%s reads no clock, no randomness and no network of its own',
	(folder) => {
		const impure = files.filter(({ name, text }) => name.startsWith(folder) && IMPURE.test(text));
		expect(impure.map(({ name }) => name)).toEqual([]);
	},
);

test.each([
	['what an answer costs is said', /\b(?:1|one) credit\b/i],
	['how long results are kept is said', /\b48 hours\b|\btwo days\b/i],
])('%s nowhere but where it is decided', (_, words) => {
	const withoutComments = (text: string): string => text.replaceAll(/\/\*.*?\*\/|(?<!:)\/\/.*$/gms, '');
	const telling = files.filter(
		({ name, text }) => !name.includes('/data/') && words.test(withoutComments(text)),
	);
	expect(telling.map(({ name }) => name)).toEqual([]);
});

test('kinds of jobs are told apart in the folder of kinds alone', () => {
	const telling = files.filter(
		({ name, text }) =>
			!name.startsWith('core/jobs/kinds.ts') && /[!=]== '(?:verification|catchall|job|task)'/.test(text),
	);
	expect(telling.map(({ name }) => name)).toEqual([]);
});

test('an account answers only what operations and pages ask', () => {
	// The platform lets a call reach each method of the class that has no # in its name, and each one of the table.
	const textOf = (file: string) =>
		files.find(({ name }) => name === `durable-objects/account/${file}`)?.text ?? '';
	const methods = [
		...textOf('account.ts').matchAll(/^\t(?:private |protected |async )*(\w+)\(.*\{$/gm),
		...textOf('calls.ts')
			.slice(textOf('calls.ts').indexOf('CALLS ='))
			.matchAll(/^\t(\w+)(?:: [^;\n]+)?,$/gm),
	].map(([, method = '']) => method);
	expect(methods.length).toBeGreaterThan(50);
	const asking = files.filter(({ name }) => /^(?:operations|dashboard)\//.test(name)).map(({ text }) => text);
	const unasked = methods.filter((method) => !asking.some((text) => text.includes(`.${method}(`)));
	expect(unasked).toEqual(['constructor']);
});

test('accounts are reached by one way, which knows the jurisdiction that they are kept in', () => {
	const others = files.filter(({ name, text }) => name !== 'services.ts' && /\benv\.ACCOUNT\b/.test(text));
	expect(others.map(({ name }) => name)).toEqual([]);
	const wired = files.find(({ name }) => name === 'services.ts')?.text ?? '';
	expect(wired.match(/env\.ACCOUNT\b.*/g)).toEqual(['env.ACCOUNT, config.JURISDICTION);']);
});

test('no file is longer than 400 lines, except lists that were generated', () => {
	const long = files.filter(({ name, text }) => !name.includes('/data/') && text.split('\n').length > 400);
	expect(long.map(({ name }) => name)).toEqual([]);
});

test('the recipes name files that are there', () => {
	const root = path.join(SOURCE, '..');
	const text = readFileSync(path.join(root, 'CONTRIBUTING.md'), 'utf8');
	const named = [...text.matchAll(/`((?:src|test|docs)\/[\w./-]+)`/g)].map(([, name = '']) => name);
	expect(named.length).toBeGreaterThan(20);
	expect(named.filter((name) => !existsSync(path.join(root, name)))).toEqual([]);
});
