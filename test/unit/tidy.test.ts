import { readFileSync, readdirSync } from 'node:fs';
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

/** Each folder, what of ours it may import (beginnings of paths), and which packages. */
const BORDERS = [
	// tldts is the public suffix list, zod reads what a prober sends; the others read CSV and workbooks.
	['core/', 'core/ lib/ errors.ts', 'tldts papaparse fflate saxes zod'],
	['lib/', 'lib/', 'node:async_hooks node:buffer node:crypto node:url ipaddr.js'],
	// Of the ways out the types of their classes.
	['engine/', 'engine/ wire/ core/ lib/ errors.ts net/ storage/opt-outs.ts', ''],
	// Of the account the type of its class alone, and of the database those of its rows.
	[
		'operations/',
		'operations/ services.ts engine/ core/ lib/ errors.ts durable-objects/account/account.ts storage/schema.ts',
		'',
	],
	[
		'net/',
		'net/ core/ lib/ errors.ts wire/ operations/people/port.ts operations/webhooks/port.ts',
		'node:buffer dns-packet standardwebhooks',
	],
	['wire/', 'wire/ core/ lib/', 'zod'],
	[
		'storage/',
		'storage/ core/ lib/ errors.ts operations/jobs/port.ts operations/people/port.ts',
		'drizzle-orm drizzle-orm/d1 drizzle-orm/sqlite-core',
	],
	['queues/', 'queues/ operations/ services.ts core/ lib/ errors.ts', 'zod'],
	[
		'durable-objects/',
		'durable-objects/ core/ lib/ errors.ts operations/accounts/port.ts operations/jobs/port.ts operations/verify/port.ts operations/webhooks/port.ts',
		'cloudflare:workers',
	],
	[
		'prober/',
		'prober/ wire/ core/ lib/ errors.ts variables.ts',
		'node:dgram node:dns/promises node:events node:http node:net node:fs node:sqlite node:tls node:util prom-client zod',
	],
	[
		'http/',
		'http/ operations/ services.ts engine/ core/ lib/ errors.ts config.ts variables.ts',
		'hono hono/http-exception hono/route hono/utils/http-status zod @hono/zod-openapi @streamparser/json',
	],
	// It calls the API as a customer does, and publishes the same schemas.
	['mcp/', 'mcp/ http/schemas/ core/ lib/', 'zod @modelcontextprotocol/server'],
	// `built:site` is made by the build.
	[
		'dashboard/',
		'dashboard/ http/ operations/ services.ts engine/ core/ lib/ errors.ts config.ts',
		'hono hono/jsx hono/cookie hono/html hono/http-exception hono/route hono/utils/http-status hono/csrf hono/secure-headers hono/trailing-slash zod @remix-run/multipart-parser built:site',
	],
] as const;

test.each(BORDERS)('%s imports only what its border allows', (folder, own, packages) => {
	const inFolder = files.filter(({ name }) => name.startsWith(folder));
	expect(inFolder.length).toBeGreaterThan(0);
	const mayImport = (from: string): boolean =>
		own.split(' ').some((prefix) => from.startsWith(prefix)) || packages.split(' ').includes(from);
	for (const { name, imports } of inFolder)
		expect(
			imports.filter((from) => !mayImport(from)),
			name,
		).toEqual([]);
});

test('every file belongs to a folder with a border, or is one of the eight that wire', () => {
	const wiring = 'compose config errors health index services test-key-services variables'.split(' ');
	const strays = files.filter(
		({ name }) =>
			!BORDERS.some(([folder]) => name.startsWith(folder)) && !wiring.includes(name.replace('.ts', '')),
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
	expect(prober.filter((name) => name.startsWith('engine/'))).toEqual([]);
});

test('operations know the account by its type alone, in one file', () => {
	const knowing = files.filter(
		({ name, imports }) =>
			name.startsWith('operations/') && imports.some((from) => from.startsWith('durable-objects/')),
	);
	expect(knowing.map(({ name }) => name)).toEqual(['operations/accounts/port.ts']);
	expect(knowing.flatMap(({ values }) => values)).toEqual([]);
});

test('of the ways out the engine knows types only', () => {
	const knowing = files.filter(
		({ name, values }) =>
			name.startsWith('engine/') && values.some((from) => /^(?:net|storage)\//.test(from)),
	);
	expect(knowing.map(({ name }) => name)).toEqual([]);
});

test('address, dns, smtp, lists and mail-operators know nothing of verification or catch-all', () => {
	const lower = /^core\/(?:address|dns|smtp|lists|mail-operators|credits|rate-limit|keys|egress)\//;
	const upper = /^core\/(?:catchall|verification\/(?!sub-status|result))/;
	const knowing = files.filter(
		({ name, imports }) => lower.test(name) && imports.some((one) => upper.test(one)),
	);
	expect(knowing.map(({ name }) => name)).toEqual([]);
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
	const folders = Map.groupBy(files, ({ name }) => path.posix.dirname(name));
	const crowded = [...folders].filter(([folder, { length }]) => folder !== 'prober' && length > 20);
	expect(crowded.map(([folder]) => folder)).toEqual([]);
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

test('accounts are reached by one way, which knows the jurisdiction that they are kept in', () => {
	const others = files.filter(({ name, text }) => name !== 'services.ts' && /\benv\.ACCOUNT\b/.test(text));
	expect(others.map(({ name }) => name)).toEqual([]);
	const wired = files.find(({ name }) => name === 'services.ts')?.text ?? '';
	expect(wired.match(/env\.ACCOUNT\b.*/g)).toEqual(['env.ACCOUNT, config.JURISDICTION);']);
});
