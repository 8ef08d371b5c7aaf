import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { openListener } from '../sandbox/listener.ts';
import type { Sandbox } from '../sandbox/world.ts';
import { unseenIn } from './openapi/answers.ts';
import { freePort } from './proxies/child-server.ts';
import { startTestService } from './service.ts';
import type { StripeAccess } from './stripe/fake-stripe.ts';

declare module 'vitest' {
	export interface ProvidedContext {
		/** A running service that contract tests share. Each test makes its own accounts. */
		service: {
			url: string;
			token: string;
			/** `GET witness?text=…` returns how often the sandbox saw a text: `{ dns, smtp }`. */
			witness: string;
			/** Where it looks for Stripe, which a test plays. */
			stripe: StripeAccess;
		};
	}
}

/** The project that calls the whole API; the others call a part of it. */
const CONTRACT = 'contract';

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
	const { provide, name } = project;
	const seen = mkdtempSync(path.join(tmpdir(), 'mailsonar-seen-'));
	process.env['SEEN_ANSWERS'] = seen;
	const word = (): string => randomBytes(16).toString('hex');
	const stripe = {
		port: await freePort(),
		secretKey: `sk_test_${word()}`,
		webhookSecret: `whsec_${word()}`,
	};
	const service = await startTestService({
		vars: {
			CREDIT_PACKS: '25000=149EUR 10000=69.50EUR',
			STRIPE_SECRET_KEY: stripe.secretKey,
			STRIPE_WEBHOOK_SECRET: stripe.webhookSecret,
			STRIPE_API_URL: `http://127.0.0.1:${stripe.port}`,
		},
	});
	const witness = await openListener(
		createServer((request, response) => {
			const text = new URL(request.url ?? '/', 'http://witness.test').searchParams.get('text') ?? '';
			response.end(JSON.stringify(sightings(service.sandbox, text)));
		}),
	);
	const { url, token } = service;
	provide('service', { url, token, witness: `http://127.0.0.1:${witness.port}/`, stripe });
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

/** Questions to the DNS and lines to mail servers that contain the text. */
function sightings(sandbox: Sandbox | null, text: string): { dns: number; smtp: number } {
	if (sandbox === null || text === '') throw new Error('a witness needs a sandbox and a text');
	const lines = sandbox.transcripts().flatMap(({ lines: said }) => said);
	const among = (words: Iterable<string>): number => [...words].filter((word) => word.includes(text)).length;
	return { dns: among(sandbox.counters.dns.keys()), smtp: among(lines) };
}
