import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Sandbox } from '../sandbox/world.ts';
import { SANDBOX_RANGE, startSandbox } from '../sandbox/world.ts';
import { call, makeAccount, startTestService } from '../support/service.ts';
import type { TestService } from '../support/service.ts';
import { balanceOf, expectFailure, newClient, rateLimitOf, verified, verify } from './api.ts';
import { WEB_PAGE, startRelay } from './relay.ts';
import type { Condition, Relay } from './relay.ts';
import { finished, jobOf, readAll, sourceJob, startedTask, taskOf } from './jobs-api.ts';
import { eventually } from '../support/patience.ts';

// A service of its own. When our own means fail (DNS, the way out to mail servers), the answer is a 502 or 503 and nothing is charged. Every way in
// which they fail: test/unit/net/doh-resolver.test.ts, test/prober/egress.test.ts, test/unit/net/prober-client.test.ts.

let sandbox: Sandbox;
let dns: Relay;
let egress: Relay;
/** Reaches the sandbox through the two relays, and keeps results for two seconds. */
let service: TestService;

beforeAll(async () => {
	sandbox = await startSandbox();
	const [dohUrl, socksUrl] = [new URL(sandbox.dohUrl), new URL(sandbox.socksUrl)];
	[dns, egress] = [await startRelay(Number(dohUrl.port)), await startRelay(Number(socksUrl.port))];
	const vars = {
		DOH_URL: `http://127.0.0.1:${dns.port}${dohUrl.pathname}`,
		SMTP_EGRESS: `socks5://${socksUrl.username}:${socksUrl.password}@127.0.0.1:${egress.port}`,
		HELO_NAME: 'probe.mailsonar.test',
		MAIL_FROM: 'verify@probe.mailsonar.test',
		ALLOW_PRIVATE_MX: SANDBOX_RANGE,
		RDAP_BOOTSTRAP_URL: `${sandbox.rdapUrl}/dns.json`,
		RDAP_SPACING_MS: '0',
		RESULTS_TTL_SECONDS: '2',
	};
	service = await startTestService({ sandbox: null, vars });
});

afterAll(async () => {
	await service?.remove();
	await Promise.all([dns?.close(), egress?.close(), sandbox?.close()]);
});

beforeEach(async () => {
	await Promise.all([dns.become('works'), egress.become('works')]);
});

// SOCKS5 (RFC 1928 §3): none of the methods offered is acceptable.
const NO_METHOD = Uint8Array.of(5, 0xff);

// A name of its own for each row: answers are remembered.
test.each<['DNS' | 'egress', string, Condition, address: string, 502 | 503, decided: string]>([
	['DNS', 'nobody listens', 'closed', 'ada.adams@shop-001.test', 503, 'ada@mailinator.com'],
	['DNS', 'it answers with a web page', WEB_PAGE, 'ada.adams@shop-002.test', 502, 'ada@mailinator.com'],
	['egress', 'nobody listens', 'closed', 'ada@inbox.test', 503, 'ada@no-such-domain.test'],
	['egress', 'it refuses our credentials', NO_METHOD, 'ada@inbox.test', 503, 'ada@no-such-domain.test'],
	['egress', 'it speaks HTTP', WEB_PAGE, 'ada@inbox.test', 502, 'ada@no-such-domain.test'],
])('%s: %s', async (which, _, condition, address, status, decided) => {
	await (which === 'DNS' ? dns : egress).become(condition);
	const { apiKey } = await makeAccount(service, 3);
	const before = await balanceOf(apiKey, service.url);
	const answer = await verify(apiKey, address, service.url);
	const code = status === 502 ? 'upstream_nonsense' : 'upstream_unavailable';
	const error = expectFailure(answer, status, code);
	if (which === 'DNS') expect(error).toContain('DNS resolver');
	expect(error).not.toMatch(/127\.0\.0\.1|sandbox/);
	const again = status === 503 ? expect.stringMatching(/^[1-9]\d*$/) : null;
	expect(answer.headers.get('retry-after')).toEqual(again);
	// The request counted all the same.
	expect(rateLimitOf(answer)).toMatchObject({ limit: 300, remaining: 298 });
	expect(await balanceOf(apiKey, service.url)).toEqual(before);
	// It is not needed for what lists or DNS decide, and recovers without a restart.
	expect((await verified(apiKey, decided, service.url)).data.status).toBe('undeliverable');
	await (which === 'DNS' ? dns : egress).become('works');
	expect((await verified(apiKey, address, service.url)).meta.creditsUsed).toBe(1);
});

test('/healthz asks the egress once in ten seconds, and is a 503 that names it without its credentials', async () => {
	const health = () => call(service.url, null, 'GET', '/healthz', undefined, newClient());
	const before = egress.connections;
	const answers = await Promise.all(Array.from({ length: 50 }, health));
	expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
	expect(egress.connections - before).toBeLessThanOrEqual(1);
	await egress.become('closed');
	const { body, text } = await eventually(async () => {
		const answer = await health();
		expect(answer.status).toBe(503);
		return answer;
	}, 500);
	const problems = [`Egress socks5://127.0.0.1:${egress.port} does not take connections`];
	expect(body).toEqual({ status: 'unavailable', problems });
	expect(text).not.toContain(new URL(sandbox.socksUrl).password);
});

test('results whose time is over are a 410, and the record stays with its counters', async () => {
	const { apiKey } = await makeAccount(service, 10);
	const emails = ['jane.doe@google-catch-all.test', 'nobody@inbox.test'];
	const job = await sourceJob(apiKey, emails, service.url);
	const { taskId: task } = await startedTask(apiKey, job, service.url);
	await finished(apiKey, task, service.url);
	await expect.poll(async () => (await taskOf(apiKey, task, service.url)).resultsExpired).toBe(true);
	for (const { answer } of await readAll(apiKey, { job, task }, service.url))
		expectFailure(answer, 410, 'results_expired');
	expect(await jobOf(apiKey, job, service.url)).toMatchObject({
		...{ status: 'completed', processedEmails: 2, resultsExpired: true, creditsUsed: 2 },
		statusCounts: { deliverable: 0, undeliverable: 1, risky: 1, unknown: 0, catchAll: 1 },
	});
	const verdictCounts = { valid: 1, invalid: 0, unknown: 0 };
	expect(await taskOf(apiKey, task, service.url)).toMatchObject({ processedEmails: 1, verdictCounts });
});
