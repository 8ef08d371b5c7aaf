import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startLocalProber } from '../../tools/local-prober.ts';
import type { LocalProber } from '../../tools/local-prober.ts';

// Cloudflare, "Connection limits": between Cloudflare and an origin, the proxy's idle timeout.
const CLOUDFLARE_IDLE_S = 900;

let folder: string;
let prober: LocalProber;

beforeAll(async () => {
	folder = mkdtempSync(join(tmpdir(), 'mailsonar-kept-open-'));
	prober = await startLocalProber(
		{
			SMTP_EGRESS: 'socks5://127.0.0.1:9',
			HELO_NAME: 'probe.mailsonar.test',
			MAIL_FROM: 'verify@probe.mailsonar.test',
		},
		{ stateFolder: folder, output: 'hide' },
	);
});
afterAll(async () => {
	await prober?.stop();
	rmSync(folder, { recursive: true, force: true });
});

test('a connection stays open for longer than whoever asks would use it again, so that no question meets its end', async () => {
	const response = await fetch(`${prober.url}/metrics`, {
		headers: { authorization: `Bearer ${prober.token}` },
	});
	await response.text();
	const [, seconds] = /timeout=(\d+)/.exec(response.headers.get('keep-alive') ?? '') ?? [];
	expect(Number(seconds)).toBeGreaterThan(CLOUDFLARE_IDLE_S);
});
