import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startLocalProber } from '../../tools/local-prober.ts';

// Cloudflare, "Connection limits": between Cloudflare and an origin, the proxy's idle timeout.
const CLOUDFLARE_IDLE_S = 900;

test('a connection stays open for longer than whoever asks would use it again, so that no question meets its end', async () => {
	const stateFolder = mkdtempSync(join(tmpdir(), 'mailsonar-kept-open-'));
	onTestFinished(() => rmSync(stateFolder, { recursive: true, force: true }));
	const SMTP_EGRESS = 'socks5://127.0.0.1:9';
	const prober = await startLocalProber({ SMTP_EGRESS }, { stateFolder, output: 'hide' });
	onTestFinished(() => prober.stop());
	const headers = { authorization: `Bearer ${prober.token}` };
	const response = await fetch(`${prober.url}/metrics`, { headers });
	await response.text();
	const [, seconds] = /timeout=(\d+)/.exec(response.headers.get('keep-alive') ?? '') ?? [];
	expect(Number(seconds)).toBeGreaterThan(CLOUDFLARE_IDLE_S);
});
