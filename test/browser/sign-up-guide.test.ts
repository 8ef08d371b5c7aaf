import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, inject, onTestFinished, test } from 'vitest';
import { freePort } from '../support/proxies/child-server.ts';
import { makeAccount } from '../support/service.ts';
import { openWindow, useBrowser } from './browser.ts';

// The form of the guide "Check addresses at sign-up", copied out of the served guide and run as a reader would.

useBrowser();

const service = inject('service');

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
	const server = spawn(process.execPath, [file], {
		env: { ...process.env, MAILSONAR_API_KEY: apiKey, PORT: String(port) },
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	onTestFinished(() => {
		server.kill();
		rmSync(folder, { recursive: true });
	});
	await once(server.stdout, 'data');
	const window = await openWindow({ extraHTTPHeaders: {} });
	await window.goto(`http://127.0.0.1:${port}/`);
	await window.getByLabel('Email').fill('ada@no-such-domain.test');
	await window.getByLabel('Email').press('Tab');
	await expect.poll(() => window.getByRole('status').innerText()).toContain('does not exist');
});
