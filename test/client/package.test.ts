import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';
import { publint } from 'publint';
import ts from 'typescript';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { runInNewContext } from 'node:vm';
import { newCustomer, newFolder } from './program.ts';

// The package as it would be published.

const CLIENT = path.join(import.meta.dirname, '../../clients/typescript');
const TYPES = path.join(import.meta.dirname, '../../node_modules/@types');

/** What `npm pack` makes of it. The build has run already. */
function pack(): Uint8Array {
	const folder = mkdtempSync(path.join(tmpdir(), 'mailsonar-packed-'));
	execFileSync('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder], {
		cwd: CLIENT,
	});
	const [file = ''] = readdirSync(folder);
	const octets = readFileSync(path.join(folder, file));
	rmSync(folder, { recursive: true });
	return octets;
}

const packed = pack();

/** A project that has installed it. */
function newProject(): string {
	const folder = newFolder();
	const installed = path.join(folder, 'node_modules/mailsonar');
	mkdirSync(installed, { recursive: true });
	writeFileSync(path.join(folder, 'mailsonar.tgz'), packed);
	execFileSync('tar', ['xzf', '../../mailsonar.tgz', '--strip-components=1'], { cwd: installed });
	writeFileSync(path.join(folder, 'package.json'), '{ "type": "module" }');
	return folder;
}

test('has no fault that publint knows', async () => {
	const { messages } = await publint({ pkgDir: CLIENT, pack: 'npm', level: 'suggestion', strict: true });
	expect(messages).toEqual([]);
});

test('holds nothing but what is built, its texts and its manifest, with the licence of the project', () => {
	const installed = path.join(newProject(), 'node_modules/mailsonar');
	const read = (file: string): string => readFileSync(path.join(installed, file), 'utf8');
	const names = readdirSync(installed, { recursive: true, encoding: 'utf8' });
	const texts = ['CHANGELOG.md', 'LICENSE', 'README.md', 'package.json'];
	expect(names.filter((name) => !name.startsWith('dist')).toSorted()).toEqual(texts);
	const built = /^dist(?:\/(?:[\w-]+\.d\.ts|index\.js|mailsonar\.js|THIRD-PARTY\.txt))?$/;
	expect(names.filter((name) => name.startsWith('dist') && !built.test(name))).toEqual([]);
	expect(names).toContain('dist/mailsonar.js');
	expect(read('dist/THIRD-PARTY.txt')).toMatch(/^papaparse\n\nThe MIT License/);
	const manifest = JSON.parse(read('package.json')) as object;
	const project = readFileSync(path.join(CLIENT, '../../package.json'), 'utf8');
	expect([manifest, JSON.parse(project)]).toMatchObject([
		{ name: 'mailsonar', license: 'MIT' },
		{ license: 'MIT' },
	]);
	for (const name of ['private', 'repository']) expect(manifest).not.toHaveProperty(name);
	expect(read('LICENSE')).toContain('MIT License\n\nCopyright (c) 2026 The Mailsonar authors\n');
	expect(read('LICENSE')).toBe(readFileSync(path.join(CLIENT, '../../LICENSE'), 'utf8'));
});

const SAMPLE = `
import { Mailsonar, MailsonarError, verifyWebhook } from 'mailsonar';
import type { Verification } from 'mailsonar';

const client = new Mailsonar({ baseUrl: String(process.env['SERVICE']), apiKey: String(process.env['KEY']) });
const answer: Verification = await client.verify('ada@inbox.test');
const score: number = answer.deliverability_score;
try {
	await client.verify('nobody');
} catch (error) {
	if (!(error instanceof MailsonarError)) throw error;
	const code: string = error.code;
	console.log(answer.status, score, code, typeof verifyWebhook);
}
`;

describe('a project that has installed it', () => {
	// By the oldest compiler that is in wide use among customers, which reads the files of others once for all.
	const files = new Map<string, ts.SourceFile | undefined>();
	test.each([
		['nodenext', ts.ModuleKind.NodeNext, ts.ModuleResolutionKind.NodeNext],
		['bundler', ts.ModuleKind.ESNext, ts.ModuleResolutionKind.Bundler],
		['node10', ts.ModuleKind.ESNext, ts.ModuleResolutionKind.Node10],
	])(
		'compiles with the resolution %s, strictly, and without those of the DOM',
		(_, module, moduleResolution) => {
			const project = newProject();
			writeFileSync(path.join(project, 'main.ts'), SAMPLE);
			const options = {
				...{ strict: true, noEmit: true, target: ts.ScriptTarget.ES2022, lib: ['lib.es2022.d.ts'] },
				...{ module, moduleResolution, types: ['node'], typeRoots: [TYPES] },
			};
			const host = ts.createCompilerHost(options);
			const read = host.getSourceFile.bind(host);
			host.getSourceFile = (name, as) => {
				const key = `${name} ${typeof as === 'object' ? as.impliedNodeFormat : ''}`;
				if (!files.has(key)) files.set(key, read(name, as));
				return files.get(key);
			};
			const program = ts.createProgram([path.join(project, 'main.ts')], options, host);
			const own = program.getSourceFiles().filter(({ fileName }) => fileName.startsWith(project));
			const faults = [
				...program.getOptionsDiagnostics(),
				...program.getGlobalDiagnostics(),
				...own.flatMap((file) => [
					...program.getSyntacticDiagnostics(file),
					...program.getSemanticDiagnostics(file),
				]),
			];
			expect(own.length).toBeGreaterThan(1);
			expect(faults.map(({ messageText }) => messageText)).toEqual([]);
		},
	);

	test('runs', async () => {
		const project = newProject();
		const { apiKey } = await newCustomer();
		writeFileSync(path.join(project, 'main.ts'), SAMPLE);
		const env = { ...process.env, SERVICE: inject('service').url, KEY: apiKey };
		const said = execFileSync(process.execPath, ['--disable-warning=ExperimentalWarning', 'main.ts'], {
			cwd: project,
			env,
		});
		expect(String(said)).toBe('deliverable 97 malformed_email function\n');
	});
});

test('the library needs nothing of Node: it runs where there is only the Web', async () => {
	const bundle = await build({
		entryPoints: [path.join(CLIENT, 'dist/index.js')],
		bundle: true,
		format: 'iife',
		globalName: 'mailsonar',
		platform: 'browser',
		write: false,
		logLevel: 'silent',
	});
	const world = {
		AbortController,
		fetch: async () => Response.json({ success: true, data: { balance: 7 }, meta: { requestId: 'req_1' } }),
		URL,
		crypto,
		setTimeout,
		clearTimeout,
		answer: null as Promise<unknown> | null,
	};
	const script = `${bundle.outputFiles[0]?.text ?? ''}
		answer = new mailsonar.Mailsonar({ baseUrl: 'https://api.test', apiKey: 'k' }).credits();`;
	runInNewContext(script, world);
	onTestFinished(() => void (world.answer = null));
	expect(await world.answer).toMatchObject({ balance: 7 });
});
