import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { COPY } from '../support/openapi/document.ts';

// The Go client of docs/clients.md, made by the commands that stand there, and the sample beside them compiled with it.
// It needs Go, and the Go module proxy unless the modules are in the cache.

const run = promisify(execFile);
const guide = readFileSync('docs/clients.md', 'utf8');
const [, generator] = /go install (\S+)/.exec(guide) ?? [];
const [, sample] = /```go\n([^]*?)```/.exec(guide) ?? [];

let folder = '';
beforeAll(() => {
	folder = mkdtempSync(path.join(tmpdir(), 'mailsonar-go-'));
});
afterAll(() => {
	rmSync(folder, { recursive: true });
});

async function go(...args: readonly string[]): Promise<string> {
	const { stdout } = await run('go', args, { cwd: folder, maxBuffer: 64 * 1024 * 1024 });
	return stdout;
}

/** Null: the generator can be run. */
async function lack(): Promise<string | null> {
	try {
		await run('go', ['run', String(generator), '-version']);
		return null;
	} catch (error) {
		return `go run ${generator} -version: ${String(error).split('\n')[0]}`;
	}
}

const lacking = await lack();
if (lacking !== null) console.log(`The Go client is not compiled: ${lacking}`);

test.skipIf(lacking !== null)('the Go client and its sample compile', async () => {
	mkdirSync(path.join(folder, 'mailsonar'));
	const document = path.resolve(COPY);
	const client = await go(
		...['run', String(generator), '-generate', 'types,client', '-package', 'mailsonar', document],
	);
	writeFileSync(path.join(folder, 'mailsonar/client.go'), client);
	const program = [
		'package main',
		'import ("context"; "fmt"; "net/http"; "os"; "sample.test/mailsonar")',
		`func sample(ctx context.Context) error {\n${sample}\nreturn nil\n}`,
		'func main() { if err := sample(context.Background()); err != nil { panic(err) } }',
	];
	writeFileSync(path.join(folder, 'main.go'), program.join('\n'));
	await go('mod', 'init', 'sample.test');
	await go('mod', 'tidy');
	// Throws with the compiler's words.
	await go('vet', './...');
	expect(await go('list', '-f', '{{.Name}}', './...')).toBe('main\nmailsonar\n');
});
