import { setTimeout as pause } from 'node:timers/promises';
import { SHOP_DOMAINS, shopAddresses } from '../test/sandbox/shops.ts';
import { callApi } from './api-client.ts';
import { callOperator } from './operator-client.ts';
import { startTemporaryService } from './temporary-service.ts';
import type { TemporaryService } from './temporary-service.ts';

// `npm run bench:bulk -- [COUNT…] [--one-domain] [--delay=MS]`: jobs against the sandbox, with what they cost the mail
// servers. `--delay` is the round trip to every mail server; `--one-domain` has all addresses at one.

// Often at first, and seldom enough for the limit on polling.
const POLL_MS_MIN = 150;

interface Job {
	readonly jobId: string;
	readonly status: string;
	readonly creditsUsed: number;
	readonly statusCounts: Readonly<Record<string, number>>;
}

interface Page {
	readonly results: readonly { readonly email: string; readonly status: string }[];
	readonly pagination: { readonly pages: number };
}

const words = process.argv.slice(2);
const counts = words.filter((word) => /^\d+$/.test(word)).map(Number);
const replyDelayMs = Number(words.find((word) => word.startsWith('--delay='))?.slice('--delay='.length) ?? 0);
const oneDomain = words.includes('--one-domain');

const service = await startTemporaryService({ sandbox: { replyDelayMs } });
try {
	for (const count of counts.length === 0 ? [1_000, 50_000] : counts) console.log(await run(service, count));
} finally {
	await service.remove();
}

/** One job of `count` addresses, as a line of figures. */
async function run(running: TemporaryService, count: number): Promise<string> {
	const { sandbox, url, token } = running;
	if (sandbox === null) throw new Error('the benchmark needs the sandbox');
	const account = { email: `bench-${count}@mailsonar.test`, credits: count };
	const { apiKey } = await callOperator<{ apiKey: string }>({ url, token }, 'POST', '/accounts', account);
	const api = { url, apiKey };
	const sample = oneDomain
		? shopAddresses(count * SHOP_DOMAINS.length).filter((_, n) => n % SHOP_DOMAINS.length === 0)
		: shopAddresses(count);
	sandbox.reset();
	const begun = performance.now();
	const emails = sample.map(({ address }) => address);
	const { data } = await callApi<Job>(api, 'POST', '/v1/verify-batch', { emails });
	let job = data;
	while (job.status === 'processing') {
		await pause(Math.max(POLL_MS_MIN, (performance.now() - begun) / 10));
		job = (await callApi<Job>(api, 'GET', `/v1/jobs/${data.jobId}`)).data;
	}
	const ms = performance.now() - begun;
	const { smtp, dns } = sandbox.counters;
	const command = (verb: string): number => smtp.commands.get(verb) ?? 0;
	const found = await readAll(api, job.jobId);
	const wrong = sample.filter(({ address, expect }) => found.get(address) !== expect.status).length;
	return (
		`${count} addresses: ${job.status} in ${(ms / 1000).toFixed(1)} s, ${(ms / count).toFixed(1)} ms an address; ` +
		`${smtp.connections} connections, ${command('MAIL')} MAIL, ${command('RSET')} RSET, ${command('RCPT')} RCPT, ` +
		`${dns.queries} DNS questions; ${wrong} wrong, ${smtp.forbidden} forbidden, ${smtp.early} early`
	);
}

async function readAll(
	api: { readonly url: string; readonly apiKey: string },
	jobId: string,
): Promise<ReadonlyMap<string, string>> {
	const found = new Map<string, string>();
	for (let page = 1, pages = 1; page <= pages; page += 1) {
		const { data } = await callApi<Page>(api, 'GET', `/v1/jobs/${jobId}/results?limit=500&page=${page}`);
		for (const { email, status } of data.results) found.set(email, status);
		({ pages } = data.pagination);
	}
	return found;
}
