import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { frameReader } from '../../tools/bundle.ts';
import { busyMs, selfMs } from './cpu-profile.ts';
import { profileWhile } from './inspector.ts';
import type { Bench } from './section.ts';
import { startBenchService } from './service.ts';
import type { BenchService } from './service.ts';
import { table } from './table.ts';
import { DISPOSABLE, NO_DELAYS, startBenchWorld } from './world.ts';

// Where the Worker's time goes: functions by their line, as V8's sampling profiler sees them.

const CALLERS = 20;
const CALLS = 4_000;
const CALLS_QUICK = 400;
const WARM_UPS = 1_000;
const SHOWN = 5;
const US_PER_MS = 1000;

/** Profiles two routes under load; the whole profiles are left in a folder, for whoever wants to open them. */
export const benchProfile: Bench = async ({ quick, say }) => {
	const world = await startBenchWorld(NO_DELAYS, []);
	const service = await startBenchService(world.vars('socks'));
	const folder = mkdtempSync(join(tmpdir(), 'mailsonar-profiles-'));
	const calls = quick ? CALLS_QUICK : CALLS;
	try {
		const parts: string[] = [];
		for (const { title, file, call } of routesOf(service)) {
			await callMany(WARM_UPS, call);
			const profile = await profileWhile(service.process.pid ?? 0, () => callMany(calls, call));
			writeFileSync(join(folder, file), JSON.stringify(profile));
			say(`profile: ${join(folder, file)}`);
			const read = frameReader('dist');
			// The runtime's own functions are in no file of ours.
			const self = selfMs(profile, ({ functionName, url, lineNumber, columnNumber }) =>
				url.endsWith('.js')
					? read(`${url}:${lineNumber + 1}:${columnNumber + 1}`).replace(/:\d+$/, '')
					: functionName,
			);
			const rows = [...self].slice(0, SHOWN).map(([name, ms]) => [`\`${name}\``, each(ms, calls)]);
			const head = [title, 'µs a request'];
			parts.push(table([head, ['all', each(busyMs(profile), calls)], ...rows]));
		}
		return [
			`${calls} requests of ${CALLERS} callers after ${WARM_UPS} to warm up; time by function itself. The profiler slows what it watches.`,
			...parts,
		].join('\n\n');
	} finally {
		await service.remove();
		await world.close();
	}
};

function routesOf({ runtimeUrl, apiKey }: BenchService) {
	const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
	const body = JSON.stringify({ email: DISPOSABLE });
	return [
		{
			title: 'GET /v1/credits',
			file: 'credits.cpuprofile',
			call: () => fetch(`${runtimeUrl}/v1/credits`, { headers }),
		},
		{
			title: 'POST /v1/verify, disposable',
			file: 'verify.cpuprofile',
			call: () => fetch(`${runtimeUrl}/v1/verify`, { method: 'POST', headers, body }),
		},
	];
}

async function callMany(count: number, call: () => Promise<Response>): Promise<void> {
	let left = count;
	const caller = async (): Promise<void> => {
		while (left > 0) {
			left -= 1;
			const response = await call();
			await response.arrayBuffer();
			if (!response.ok) throw new Error(`answered ${response.status}`);
		}
	};
	await Promise.all(Array.from({ length: CALLERS }, caller));
}

function each(ms: number, calls: number): string {
	return ((ms * US_PER_MS) / calls).toFixed(0);
}
