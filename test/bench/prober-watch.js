import { monitorEventLoopDelay } from 'node:perf_hooks';
import process from 'node:process';

// Loaded into the prober before its own code: it tells whoever started it what the process used since it was asked last. No
// TypeScript, whose reader would be part of the prober's memory.

const RESOLUTION_MS = 10;
const NS = 1e6;
const loop = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
loop.enable();
let cpu = process.cpuUsage();
let peakMb = 0;
setInterval(() => (peakMb = Math.max(peakMb, process.memoryUsage.rss() / 1024 ** 2)), 100).unref();
process.on('message', () => {
	const { user, system } = process.cpuUsage(cpu);
	const lateMs = Math.max(0, loop.percentile(99) / NS - RESOLUTION_MS);
	process.send?.({ cpuMs: (user + system) / 1000, peakMb, lateMs });
	[cpu, peakMb] = [process.cpuUsage(), 0];
	loop.reset();
});
