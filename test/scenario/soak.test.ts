import { afterAll, expect, test } from 'vitest';
import { ProcessGroup } from './process-group.ts';

// `npm run demo`; and `npm run soak` for some minutes, with a kill every half a minute. SOAK_SEED=… repeats a run's
// requests, if not the machine's moments.

const seed = process.env['SOAK_SEED'] ?? String(Date.now() % 1_000_000);
const words = ['--minutes', '5', '--kill-every', '30', '--rate', '10', '--seed', seed];
const groups: ProcessGroup[] = [];
function run(program: string, args: readonly string[]): ProcessGroup {
	const group = new ProcessGroup(program, args);
	groups.push(group);
	return group;
}

afterAll(() => Promise.all(groups.map((group) => group.kill())));

test('npm run demo: every answer is right, the credits add up, and it ends with 0', async () => {
	const demo = run('npm', ['run', 'demo']);
	await demo.printed(/credits charged for .*: it adds up/);
	expect(demo.output).not.toContain('WRONG');
	expect(await demo.exitCode).toBe(0);
	await demo.gone();
});

test('no address, event or credit is lost, and none is there twice, while Worker, prober and mail world are killed in turn', async () => {
	const soak = run(process.execPath, ['test/soak/main.ts', ...words]);
	const exitCode = await soak.exitCode;
	console.log(soak.output);
	expect(exitCode).toBe(0);
});
