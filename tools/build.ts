import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { build } from 'esbuild';
import type { Metafile, Plugin } from 'esbuild';
import { buildSite } from './site.ts';

// Makes the Worker that Wrangler uploads and runs: wrangler.toml calls this file. Wrangler's own bundler puts everything
// into one file, which each new isolate then reads as a whole. Here what is imported on demand (pages, MCP, the readers of
// workbooks) is a file of its own, which an isolate reads with the first request for it.

// As `main` and `[assets]` in wrangler.toml have them.
export const WORKER = 'dist/worker';
export const SITE = 'dist/site';

/** The files that a build made, by path from the project's root, with their inputs and imports, as esbuild says it. */
export type Built = Metafile['outputs'];

/** Modules that are no files, by their name. */
const modulesOf = (modules: Readonly<Record<string, string>>): Plugin => ({
	name: 'written',
	setup(esbuild) {
		const filter = new RegExp(`^(?:${Object.keys(modules).join('|')})$`);
		esbuild.onResolve({ filter }, ({ path }) => ({ path, namespace: 'written' }));
		esbuild.onLoad({ filter, namespace: 'written' }, ({ path }) => ({ contents: modules[path] ?? '' }));
	},
});

// CommonJS packages ask for Node's modules by `require`, which no module of a Worker has.
const BUFFER = "export { Buffer } from 'node:buffer';";

/**
 * Leaves out parts of zod that we do not use, as no bundler can tell: messages in 52 languages beside English (our own
 * stand in the schemas), schemas made of JSON schemas, and those that are compiled, for which a Worker may not make code.
 */
const lessOfZod: Plugin = {
	name: 'less-of-zod',
	setup(esbuild) {
		esbuild.onResolve({ filter: /^\.\.\/locales\/index\.js$/ }, ({ resolveDir }) => ({
			path: join(resolveDir, '../locales/en.js'),
		}));
		esbuild.onLoad({ filter: /@hono\/zod-openapi\/dist\/index\.mjs$/ }, ({ path }) => ({
			// As an object `z` would be all of zod.
			contents: readFileSync(path, 'utf8').replace(
				'{ z } from "zod"',
				'{ ZodType } from "zod"; const z = { ZodType }',
			),
		}));
		esbuild.onLoad({ filter: /\/zod\/v4\/(core\/compile|classic\/from-json-schema)\.js$/ }, ({ path }) => {
			const names = readFileSync(path, 'utf8').matchAll(/^export (?:const|class|function) (\w+)/gm);
			return { contents: Array.from(names, ([, name]) => `export const ${name} = undefined;`).join('\n') };
		});
	},
};

/** Builds the Worker into a folder: `index.js`, what it imports, and their source maps. */
export async function buildWorker(folder: string, site = buildSite()): Promise<Built> {
	const { outputFiles, metafile } = await build({
		entryPoints: ['src/index.ts'],
		outdir: folder,
		write: false,
		metafile: true,
		bundle: true,
		splitting: true,
		chunkNames: 'split/[name]-[hash]',
		format: 'esm',
		target: 'es2024',
		// As Wrangler resolves packages.
		conditions: ['workerd', 'worker', 'browser'],
		mainFields: ['workerd', 'browser', 'module', 'main'],
		external: ['node:*', 'cloudflare:*'],
		define: { 'process.env.NODE_ENV': '"production"' },
		plugins: [modulesOf({ 'built:site': site.module, buffer: BUFFER }), lessOfZod],
		// Half the text is half the work of a start. `npm run -s frames` finds what a frame in the log was.
		minify: true,
		sourcemap: true,
	});
	fill(folder, new Map(outputFiles.map(({ path, contents }) => [relative(folder, path), contents])));
	return metafile.outputs;
}

/**
 * Makes these the files of a folder. Several services may start at once, so each is replaced atomically, and left alone if
 * nothing changed.
 */
export function fill(folder: string, files: ReadonlyMap<string, string | Uint8Array>): void {
	for (const [name, content] of files) {
		const path = join(folder, name);
		if (existsSync(path) && readFileSync(path).equals(Buffer.from(content))) continue;
		mkdirSync(dirname(path), { recursive: true });
		const written = `${folder}.${process.pid}`;
		writeFileSync(written, content);
		renameSync(written, path);
	}
	// Wrangler would upload what earlier builds left.
	const current = [...files.keys()];
	for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
		if (!current.some((one) => one.startsWith(name)))
			rmSync(join(folder, name), { recursive: true, force: true });
}

if (import.meta.main) {
	const site = buildSite();
	fill(SITE, site.files);
	await buildWorker(WORKER, site);
}
