import { startLocalProber } from '../../tools/local-prober.ts';
import { callApi } from '../../tools/api-client.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Bench } from './section.ts';
import { startBenchService } from './service.ts';
import type { BenchService } from './service.ts';
import { startSlowRelay } from './slow-relay.ts';
import { median, spread } from './statistics.ts';
import { goal, table } from './table.ts';
import type { BenchDomain } from './world.ts';
import { domainName, somebody, startBenchWorld } from './world.ts';

// A call from one end of the world: the Worker is near its caller, the machine with port 25 is 80 ms away. Either a
// prober stands there, or only a proxy, and whoever converses stands beside the Worker.

const FAR_MS = 80;
// As address.ts, but for the distance: the mail servers are near the machine with port 25.
const DELAYS = { dnsMs: 10, proxyMs: 0, replyMs: 20 };
const RUNS = 15;
const RUNS_QUICK = 3;
const WARM_UPS = 3;

/** POST /v1/verify of a domain that nobody knows, both ways in turn. */
export const benchDistance: Bench = async ({ quick, say }) => {
	const runs = quick ? RUNS_QUICK : RUNS;
	const name = (way: string, run: number): string => domainName(`far-${way}-${run + WARM_UPS}`, 'test');
	const domains = ['prober', 'proxy'].flatMap((way) =>
		Array.from({ length: runs + WARM_UPS }, (_, n): BenchDomain => {
			const domain = name(way, n - WARM_UPS);
			return { name: domain, mailHost: `mx.${domain}`, way: 'socks' };
		}),
	);
	const world = await startBenchWorld(DELAYS, domains);
	const stateFolder = mkdtempSync(join(tmpdir(), 'mailsonar-far-'));
	const vars = world.vars('socks');
	const prober = await startLocalProber(vars, { stateFolder, output: 'hide' });
	const toProber = await startSlowRelay(Number(new URL(prober.url).port), FAR_MS);
	const toProxy = await startSlowRelay(world.proxy.port, FAR_MS);
	const farProber = prober.probers.replace(/:\d+$/, `:${toProber.port}`);
	const farProxy = (vars['SMTP_EGRESS'] ?? '').replace(/:\d+$/, `:${toProxy.port}`);
	const services = {
		prober: await startBenchService({ ...vars, PROBERS: farProber }),
		proxy: await startBenchService({ ...vars, SMTP_EGRESS: farProxy }),
	};
	const taken: Record<keyof typeof services, number[]> = { prober: [], proxy: [] };
	try {
		for (let run = -WARM_UPS; run < runs; run += 1)
			for (const way of ['prober', 'proxy'] as const) {
				const ms = await time(services[way], somebody(1, name(way, run)));
				if (run >= 0) taken[way].push(ms);
				if (run >= 0 && way === 'proxy') say(`distance: ${run + 1} of ${runs}`);
			}
	} finally {
		await Promise.all(Object.values(services).map((service) => service.remove()));
		await prober.stop();
		await Promise.all([toProber.close(), toProxy.close(), world.close()]);
		rmSync(stateFolder, { recursive: true, force: true });
	}
	return render(taken);
};

async function time({ runtimeUrl, apiKey }: BenchService, email: string): Promise<number> {
	const begun = performance.now();
	await callApi({ url: runtimeUrl, apiKey }, 'POST', '/v1/verify', { email });
	return performance.now() - begun;
}

function render({ prober, proxy }: Readonly<Record<'prober' | 'proxy', readonly number[]>>): string {
	const ratio = median(prober) / median(proxy);
	const least = 2 * DELAYS.dnsMs + FAR_MS + 3 * DELAYS.replyMs;
	return [
		`Median (least–most) of ${prober.length} runs each, in turn. The machine with port 25 is ${FAR_MS} ms away, DNS ${DELAYS.dnsMs} ms, ` +
			`mail servers ${DELAYS.replyMs} ms from that machine. The account's object is near in both.`,
		table([
			['a cold call', 'ms', '× least possible'],
			['least possible: DNS, one long trip, three replies', String(least), '1.00'],
			['a prober stands there', spread(prober), (median(prober) / least).toFixed(2)],
			[
				'a SOCKS5 proxy stands there, the conversation is held beside the Worker',
				spread(proxy),
				(median(proxy) / least).toFixed(2),
			],
		]),
		`- ${goal('less time with a prober there than with a proxy there', `${ratio.toFixed(2)} ×`, ratio < 1)}`,
	].join('\n\n');
}
