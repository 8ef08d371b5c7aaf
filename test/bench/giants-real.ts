import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { callApi } from '../../tools/api-client.ts';
import { callOperator } from '../../tools/operator-client.ts';
import { budgetOf } from '../../src/core/turns/budget.ts';
import { findMailOperator } from '../../src/core/mail-operators/find-operator.ts';
import type { OperatorName } from '../../src/core/mail-operators/operators.ts';
import { makeCounters } from '../sandbox/counters.ts';
import { startDnsServer } from '../sandbox/dns-server.ts';
import type { Listener } from '../sandbox/listener.ts';
import { LOOPBACK } from '../sandbox/listener.ts';
import { startSocksServer } from '../sandbox/socks-server.ts';
import { SANDBOX_RANGE } from '../sandbox/world.ts';
import type { ZoneEntry } from '../sandbox/zone-lookup.ts';
import { randomFrom } from '../scenario/random.ts';
import { drawAddress, hostOf } from '../support/giants/lists.ts';
import { OperatorLimits } from '../support/giants/operator-limits.ts';
import { percentile } from '../support/giants/percentile.ts';
import { startGiant } from './giant-server.ts';
import { runJob } from './jobs.ts';
import type { BenchSettings } from './section.ts';
import { startBenchService } from './service.ts';
import type { BenchService } from './service.ts';
import { goal } from './table.ts';

// Real minutes are too few for a day: the list is small, and the limits are those of the operators' rows.

const SOURCES = 2;
const LISTED = 1_200;
const LISTED_QUICK = 200;
const SMALL = 49;
const CALLS = 30;
const CALL_EVERY_MS = 4_000;
const PATIENCE_MS = 8 * 60_000;

/** A real `wrangler dev` and a real prober beside giants with their real limits, for some minutes. */
export async function realMinutes({ quick, say }: BenchSettings): Promise<string> {
	const random = randomFrom(7);
	let drawn = 0;
	const draw = (count: number): string[] =>
		Array.from({ length: count }, () => drawAddress(random, (drawn += 1)));
	const [list, small, calm, busy] = [
		draw(quick ? LISTED_QUICK : LISTED),
		draw(SMALL),
		draw(CALLS),
		draw(CALLS),
	];
	const world = await startGiants([...list, ...small, ...calm, ...busy]);
	const service = await startBenchService(world.vars);
	try {
		say('giants: single calls of an idle service');
		const idleMs = await call(service, calm, 500);
		const running = runJob(service, list, PATIENCE_MS, () => undefined);
		await pause(20_000);
		say('giants: a list of 49, and single calls, beside the list');
		const other = await anotherAccount(service);
		const [smallJob, busyMs] = await Promise.all([
			runJob(other, small, PATIENCE_MS, () => undefined),
			call(other, busy, CALL_EVERY_MS),
		]);
		const job = await running;
		const unknown = (job.statusCounts['unknown'] ?? 0) + (smallJob.statusCounts['unknown'] ?? 0);
		const open = list.length - job.processedEmails;
		const [now, before] = [percentile(busyMs, 0.95), percentile(idleMs, 0.95)];
		return [
			`A real \`wrangler dev\` and a real prober, ${SOURCES} source addresses, limits as in the rows, 100 ms a reply. The list is scaled down to ` +
				`${list.length.toLocaleString('en')} addresses, which is some minutes; it took ${(job.ms / 1000).toFixed(0)} s.`,
			[
				`- ${goal('`unknown` by our own doing: none', `${unknown + open}`, unknown + open === 0)}`,
				`- ${goal('no operator sees more than its limits', `${world.angers()} became angry`, world.angers() === 0)}`,
				`- ${goal('49 addresses of another account within 30 s', `${(smallJob.ms / 1000).toFixed(1)} s`, smallJob.ms <= 30_000)}`,
				`- ${goal('p95 of single calls at most 1.5 × that of an idle service', `${now.toFixed(0)} ms, idle ${before.toFixed(0)} ms`, now <= 1.5 * before)}`,
			].join('\n'),
		].join('\n\n');
	} finally {
		await service.remove();
		await world.close();
	}
}

/** How long each call took, in milliseconds. */
async function call(
	service: Pick<BenchService, 'url' | 'apiKey'>,
	emails: readonly string[],
	everyMs: number,
): Promise<readonly number[]> {
	const taken: Promise<number>[] = [];
	for (const email of emails) {
		const begun = performance.now();
		taken.push(callApi(service, 'POST', '/v1/verify', { email }).then(() => performance.now() - begun));
		await pause(everyMs);
	}
	return Promise.all(taken);
}

async function anotherAccount(service: BenchService): Promise<Pick<BenchService, 'url' | 'apiKey'>> {
	const email = 'other@mailsonar.test';
	const { apiKey } = await callOperator<{ apiKey: string }>(service, 'POST', '/accounts', {
		email,
		credits: 100_000,
	});
	return { url: service.url, apiKey };
}

/** Every operator for each of our source addresses, each of which is a proxy, and a DNS that knows the addresses' domains. */
async function startGiants(emails: readonly string[]) {
	const domains = [...new Set(emails.map((email) => email.slice(email.lastIndexOf('@') + 1)))];
	const hosts = [...new Set(domains.map(hostOf))];
	const addresses = new Map(
		hosts.map((host, n) => [host, `198.18.${Math.floor(n / 250)}.${(n % 250) + 1}`] as const),
	);
	const zones = new Map<string, ZoneEntry>();
	for (const [host, address] of addresses) zones.set(host, { a: [address] });
	for (const domain of domains) zones.set(domain, { mx: [[10, hostOf(domain)]] });
	const counters = makeCounters();
	const doh = await startDnsServer(zones, counters.dns, 0, 0);
	const listeners: Listener[] = [doh];
	const limits: OperatorLimits[] = [];
	const egresses: string[] = [];
	for (let source = 0; source < SOURCES; source += 1) {
		const ports = new Map<OperatorName | null, number>();
		const routes = new Map<string, { readonly port: number }>();
		for (const [host, address] of addresses) {
			const operator = findMailOperator([host])?.operator ?? null;
			if (!ports.has(operator)) {
				const ofIt = operator === null ? null : new OperatorLimits(budgetOf(operator));
				if (ofIt !== null) limits.push(ofIt);
				const giant = await startGiant(ofIt);
				listeners.push(giant);
				ports.set(operator, giant.port);
			}
			routes.set(address, { port: ports.get(operator) ?? 0 });
		}
		const password = randomBytes(12).toString('hex');
		const socks = await startSocksServer({
			username: 'bench',
			password,
			routes,
			resolve: (name) => addresses.get(name) ?? null,
			counters: counters.socks,
		});
		listeners.push(socks);
		egresses.push(`socks5://bench:${password}@${LOOPBACK}:${socks.port}`);
	}
	return {
		vars: {
			DOH_URL: doh.url,
			SMTP_EGRESS: egresses.join(' '),
			ALLOW_PRIVATE_MX: SANDBOX_RANGE,
			HELO_NAME: 'probe.mailsonar.test',
			MAIL_FROM: 'verify@probe.mailsonar.test',
			// Nothing more than the rows say.
			PROBER_BUDGETS: '{}',
			PROBER_WARM: 'all',
		},
		angers: () => limits.reduce((sum, { times }) => sum + times, 0),
		close: () => Promise.all(listeners.map((listener) => listener.close())),
	};
}
