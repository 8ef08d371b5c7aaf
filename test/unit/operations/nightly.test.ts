import { expect, test, vi } from 'vitest';
import { runNightly } from '../../../src/operations/nightly.ts';

test('every step of the night runs and is logged, whatever the others do', async () => {
	const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
	const ran: string[] = [];
	const step = (name: string, error?: Error) => async () => {
		ran.push(name);
		if (error !== undefined) throw error;
	};
	const steps = [step('a', new TypeError('a')), step('b'), step('c', new RangeError('c'))];
	await expect(runNightly(steps)).rejects.toMatchObject({
		errors: [{ message: 'a' }, { message: 'c' }],
	});
	expect(ran).toEqual(['a', 'b', 'c']);
	expect(logged.mock.calls.map(([line]) => (JSON.parse(String(line)) as { error: string }).error)).toEqual([
		'TypeError',
		'RangeError',
	]);
	logged.mockRestore();
});
