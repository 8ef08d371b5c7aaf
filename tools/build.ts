import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build } from 'esbuild';
import type { Metafile, Plugin } from 'esbuild';
import { docsModule } from './docs/pages.ts';

// Makes the Worker that Wrangler uploads and runs: wrangler.toml calls this file. Wrangler's own bundler puts everything
// into one file, which each new isolate then reads as a whole. Here what is imported on demand (pages, MCP, the readers of
// workbooks) is a file of its own, which an isolate reads with the first request for it.

// As `main` in wrangler.toml has it.
const FOLDER = 'dist';

/** The files that a build made, by path from the project's root, with their inputs and imports, as esbuild says it. */
export type Built = Metafile['outputs'];

/** Scripts that browsers run: for the Worker they are texts, as style sheets and guides are. */
const browserScripts: Plugin = {
	name: 'browser-scripts',
	setup: (esbuild) =>
		esbuild.onLoad({ filter: /\/islands\/[^/]+\.js$/ }, ({ path }) => ({
			contents: readFileSync(path, 'utf8'),
			loader: 'text',
		})),
};

/** The documentation, made from its texts and from the OpenAPI document. */
const documentation: Plugin = {
	name: 'documentation',
	setup(esbuild) {
		esbuild.onResolve({ filter: /^docs:pages$/ }, () => ({ path: 'pages', namespace: 'docs' }));
		esbuild.onLoad({ filter: /./, namespace: 'docs' }, () => ({ contents: docsModule() }));
	},
};

/** CommonJS packages ask for Node's modules by `require`, which no module of a Worker has. */
const nodeBuffer: Plugin = {
	name: 'node-buffer',
	setup(esbuild) {
		esbuild.onResolve({ filter: /^buffer$/ }, () => ({ path: 'buffer', namespace: 'node-buffer' }));
		esbuild.onLoad({ filter: /./, namespace: 'node-buffer' }, () => ({
			contents: "export { Buffer } from 'node:buffer';",
		}));
	},
};

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
		esbuild.onLoad({ filter: /\/zod\/v4\/(core\/compile|classic\/from-json-schema)\.js$/ }, ({ path }) => {
			const names = readFileSync(path, 'utf8').matchAll(/^export (?:const|class|function) (\w+)/gm);
			return { contents: Array.from(names, ([, name]) => `export const ${name} = undefined;`).join('\n') };
		});
	},
};

/**
 * Builds the Worker into a folder: `index.js`, what it imports, and their source maps. Several services may start at
 * once, so each file is replaced atomically, and left alone if nothing changed.
 */
export async function buildWorker(folder: string): Promise<Built> {
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
		loader: {
			'.css': 'text',
			'.svg': 'text',
			'.woff2': 'binary',
			'.png': 'binary',
		},
		plugins: [browserScripts, documentation, nodeBuffer, lessOfZod],
		// Half the text is half the work of a start. `npm run -s frames` finds what a frame in the log was.
		minify: true,
		sourcemap: true,
	});
	const split = join(folder, 'split');
	mkdirSync(split, { recursive: true });
	for (const { path, contents } of outputFiles) {
		if (existsSync(path) && readFileSync(path).equals(contents)) continue;
		const written = `${path}.${process.pid}`;
		writeFileSync(written, contents);
		renameSync(written, path);
	}
	// Wrangler would upload what earlier builds left.
	const current = new Set(outputFiles.map(({ path }) => basename(path)));
	for (const name of readdirSync(split))
		if (!current.has(name) && /\.(js|map)$/.test(name)) rmSync(join(split, name), { force: true });
	return metafile.outputs;
}

if (import.meta.main) await buildWorker(FOLDER);
