import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import type { Sandbox } from '../sandbox/world.ts';
import { unseenIn } from './openapi/answers.ts';
import { startTestService } from './service.ts';

declare module 'vitest' {
	export interface ProvidedContext {
		/** A running service that contract tests share. Each test makes its own accounts. */
		service: {
			url: string;
			token: string;
			/** `GET witness?text=…` returns how often the sandbox saw a text: `{ dns, smtp }`. */
			witness: string;
		};
	}
}

/** The project that calls the whole API; the others call a part of it. */
const CONTRACT = 'contract';

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
	const { provide, name } = project;
	const seen = mkdtempSync(path.join(tmpdir(), 'mailsonar-seen-'));
	process.env['SEEN_ANSWERS'] = seen;
	const service = await startTestService();
	const witness = await startWitness(service.sandbox);
	provide('service', { url: service.url, token: service.token, witness: witness.url });
	return async () => {
		await witness.close();
		await service.remove();
		const { testFiles } = await project.globTestFiles();
		const isWhole = project.vitest.state.getFiles().length >= testFiles.length;
		const unseen = name === CONTRACT && isWhole ? unseenIn(seen) : [];
		rmSync(seen, { recursive: true });
		if (unseen.length > 0) throw new Error(`No test saw these answers: ${unseen.join(', ')}`);
	};
}

/** Serves what the sandbox saw to the tests, which run in other processes. */
async function startWitness(sandbox: Sandbox | null): Promise<{ url: string; close(): Promise<void> }> {
	const server = createServer((request, response) => {
		const text = new URL(request.url ?? '/', 'http://witness.test').searchParams.get('text') ?? '';
		response.end(JSON.stringify(sightings(sandbox, text)));
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
		close: async () => {
			server.closeAllConnections();
			server.close();
			await once(server, 'close');
		},
	};
}

/** Questions to the DNS and lines to mail servers that contain the text. */
function sightings(sandbox: Sandbox | null, text: string): { dns: number; smtp: number } {
	if (sandbox === null || text === '') throw new Error('a witness needs a sandbox and a text');
	const lines = sandbox.transcripts().flatMap(({ lines: said }) => said);
	const among = (words: Iterable<string>): number => [...words].filter((word) => word.includes(text)).length;
	return { dns: among(sandbox.counters.dns.keys()), smtp: among(lines) };
}
