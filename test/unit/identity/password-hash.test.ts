import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { hashPassword, isPassword, SALT_OCTETS } from '../../../src/core/identity/passwords.ts';

const hash = async (password: string): Promise<string> => hashPassword(password, randomBytes(SALT_OCTETS));

/** Work that was done, in microseconds of the processor: a busy machine does not change it. */
async function workOf(task: () => Promise<unknown>): Promise<number> {
	const began = process.cpuUsage();
	await task();
	return process.cpuUsage(began).user;
}

test('a password is known again, and nothing else is', async () => {
	const stored = await hash('vellum otter quilt');
	expect(await isPassword('vellum otter quilt', stored)).toBe(true);
	for (const other of ['vellum otter quilT', 'vellum otter quilt ', '', 'x']) {
		expect(await isPassword(other, stored)).toBe(false);
	}
});

test('the same password typed on another keyboard is the same (NFKC)', async () => {
	const stored = await hash('caf\u00E9 im Regen');
	expect(await isPassword('cafe\u0301 im Regen', stored)).toBe(true);
});

test('the stored text names its cost, has its own salt, and holds nothing of the password', async () => {
	const [one, two] = [await hash('vellum otter quilt'), await hash('vellum otter quilt')];
	expect(one).toMatch(/^scrypt\$14\$8\$5\$[\w-]{22}\$[\w-]{43}$/);
	expect(one).not.toBe(two);
});

test.each(['', 'x', 'plain$text', 'scrypt$14$8$5$*$x', 'bcrypt$14$8$5$AAAA$AAAA'])(
	'no password matches a text that is no hash of ours: %j',
	async (stored) => {
		expect(await isPassword('vellum otter quilt', stored)).toBe(false);
	},
);

test('where there is no such person the check says no and works as hard', async () => {
	const stored = await hash('vellum otter quilt');
	expect(await isPassword('', null)).toBe(false);
	const works: { nobody: number; somebody: number }[] = [];
	for (let n = 0; n < 3; n += 1) {
		works.push({
			somebody: await workOf(() => isPassword('another otter', stored)),
			nobody: await workOf(() => isPassword('another otter', null)),
		});
	}
	const best = (who: 'nobody' | 'somebody'): number => Math.min(...works.map((work) => work[who]));
	expect(best('nobody')).toBeGreaterThan(best('somebody') / 2);
	expect(best('nobody')).toBeLessThan(best('somebody') * 2);
});
