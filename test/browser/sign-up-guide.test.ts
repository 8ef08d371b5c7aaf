import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, expect, inject, test } from 'vitest';
import { makeAccount } from '../support/service.ts';
import { openWindow, useBrowser } from './browser.ts';

// The form of the guide "Check addresses at sign-up", copied out of the served guide and run as a reader would.

useBrowser();

const service = inject('service');
const ended: (() => unknown)[] = [];

afterEach(async () => {
	for (const end of ended.splice(0)) await end();
});

test('the form with a server of its own says what is wrong with an address', async () => {
	const guide = await (await fetch(`${service.url}/docs/guides/sign-up.md`)).text();
	const [, form = ''] = /^```js\n(import \{ createServer \}.*?)^```/ms.exec(guide) ?? [];
	// The guide names the public address of the service.
	const code = form.replaceAll(/https?:\/\/[^/'"`]+(?=\/v1)/g, service.url);
	const folder = mkdtempSync(path.join(tmpdir(), 'guide-'));
	const file = path.join(folder, 'form.mjs');
	writeFileSync(file, code);
	const { apiKey } = await makeAccount(service, 5);
	const port = await freePort();
	const server: ChildProcess = spawn(process.execPath, [file], {
		env: { ...process.env, MAILSONAR_API_KEY: apiKey, PORT: String(port) },
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	ended.push(
		() => server.kill(),
		() => rmSync(folder, { recursive: true }),
	);
	if (server.stdout !== null) await once(server.stdout, 'data');
	const window = await openWindow({ extraHTTPHeaders: {} });
	await window.goto(`http://127.0.0.1:${port}/`);
	await window.getByLabel('Email').fill('ada@no-such-domain.test');
	await window.getByLabel('Email').press('Tab');
	await expect.poll(() => window.getByRole('status').innerText()).toContain('does not exist');
});

async function freePort(): Promise<number> {
	const probe = createServer().listen(0, '127.0.0.1');
	await once(probe, 'listening');
	const { port } = probe.address() as AddressInfo;
	probe.close();
	await once(probe, 'close');
	return port;
}
