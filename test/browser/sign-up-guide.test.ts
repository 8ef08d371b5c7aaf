import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, expect, inject, test } from 'vitest';
import { call, makeAccount } from '../support/service.ts';
import { openWindow, useBrowser } from './browser.ts';

// The forms of the guide "Check addresses at sign-up", copied out of the served guide and run as a reader would.

useBrowser();

const service = inject('service');
const ended: (() => unknown)[] = [];

afterEach(async () => {
	for (const end of ended.splice(0)) await end();
});

/** The code blocks of a language in the guide, as they are copied. */
async function codeOf(language: string): Promise<readonly string[]> {
	const guide = await (await fetch(`${service.url}/docs/guides/sign-up.md`)).text();
	const blocks = guide.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'));
	// The guide names the public address of the service.
	return [...blocks].map(([, code = '']) =>
		code.replaceAll(/https?:\/\/[^/'"`]+(?=\/(?:v1|widget))/g, service.url),
	);
}

test('the script in the page works in a form with names of its own', async () => {
	const [html = ''] = await codeOf('html');
	expect(html).toContain('ms_pub_YOUR_KEY');
	const site = createServer((_, response) =>
		response.setHeader('content-type', 'text/html; charset=utf-8').end(page),
	);
	site.listen(0, '127.0.0.1');
	await once(site, 'listening');
	ended.push(() => site.close());
	const origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
	const { apiKey } = await makeAccount(service, 5);
	const made = await call(service.url, apiKey, 'POST', '/v1/public-keys', {
		name: 'Guide',
		origins: [origin],
	});
	const { publicKey } = (made.body as { data: { publicKey: string } }).data;
	const page = `<!doctype html><title>Join</title>${html}`
		.replace('ms_pub_YOUR_KEY', publicKey)
		.replace('name="email"', 'name="courriel"')
		.replace('Email ', 'Courriel ');
	const window = await openWindow({ extraHTTPHeaders: {} });
	await window.goto(origin);
	await window.getByLabel('Courriel').fill('jane.doe@outlok.com');
	await window.getByLabel('Courriel').press('Tab');
	await window.getByRole('button', { name: 'jane.doe@outlook.com' }).click();
	expect(await window.getByLabel('Courriel').inputValue()).toBe('jane.doe@outlook.com');
});

test('the form with a server of its own says what is wrong with an address', async () => {
	const code = (await codeOf('js')).find((block) => block.includes('createServer'));
	const folder = mkdtempSync(path.join(tmpdir(), 'guide-'));
	const file = path.join(folder, 'form.mjs');
	writeFileSync(file, code ?? '');
	const { apiKey } = await makeAccount(service, 5);
	const port = await freePort();
	const form: ChildProcess = spawn(process.execPath, [file], {
		env: { ...process.env, MAILSONAR_API_KEY: apiKey, PORT: String(port) },
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	ended.push(
		() => form.kill(),
		() => rmSync(folder, { recursive: true }),
	);
	if (form.stdout !== null) await once(form.stdout, 'data');
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
