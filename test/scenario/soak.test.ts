import { afterAll, expect, test } from 'vitest';
import { ProcessGroup } from './process-group.ts';

// `npm run soak` for some minutes, with a kill every half a minute. SOAK_SEED=… repeats a run's requests, if not the
// machine's moments.

const seed = process.env['SOAK_SEED'] ?? String(Date.now() % 1_000_000);
const words = ['--minutes', '5', '--kill-every', '30', '--rate', '10', '--seed', seed];
const soak = new ProcessGroup(process.execPath, ['test/soak/main.ts', ...words]);

afterAll(() => soak.kill());

test('no address, event or credit is lost, and none is there twice, while Worker, prober and mail world are killed in turn', async () => {
	const exitCode = await soak.exitCode;
	console.log(soak.output);
	expect(exitCode).toBe(0);
});
