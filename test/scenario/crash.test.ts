import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { ensureDevVars, operatorToken } from '../../tools/dev-vars.ts';
import { eventually } from '../support/patience.ts';
import { call } from '../support/service.ts';
import { expectNothingOff } from './books.ts';
import { readCredits, withoutLimits } from './credits.ts';
import type { Credits } from './credits.ts';
import { ProcessGroup, readWelcome } from './process-group.ts';
import type { Welcome } from './process-group.ts';
import { randomFrom } from './random.ts';

// The whole service dies in the middle of its work, again and again, and wakes up on the same state.

const CRASHES = 5;
const WIDTH = 20;
// It lives for so many answers, which a busy machine gives later, and then for a moment more.
const KILL_AFTER = { answers: { min: 5, max: 60 }, ms: { min: 0, max: 200 } };
// Definite and unknown, fast and slow: at any moment some reservations are open and some are about to be settled.
const ADDRESSES = [
	'ada@inbox.test',
	'nobody@inbox.test',
	'ada@blocked.test',
	'ada@full.test',
	'ada@catch-all.test',
	'ada@postscreen.test',
	'nobody@slow-primary.test',
	'ada@lockstep.test',
];

// CRASH_SEED=… repeats a run's moments, if not the machine's.
const seed = Number(process.env['CRASH_SEED'] ?? Date.now() % 1_000_000);
const stateFolder = mkdtempSync(join(tmpdir(), 'mailsonar-crash-'));
let group: ProcessGroup | null = null;

afterAll(async () => {
	await group?.kill();
	rmSync(stateFolder, { recursive: true, force: true });
});

/** What the callers know. */
interface Tally {
	started: number;
	answered: number;
	creditsUsed: number;
}

async function start(): Promise<Welcome> {
	group = new ProcessGroup(process.execPath, ['tools/start.ts', '--port', '0', '--persist-to', stateFolder]);
	return readWelcome(group);
}

/** Verifies without pause, `WIDTH` calls at a time, until the service is gone. */
async function verifyUntilItDies(
	{ url, apiKey }: Welcome,
	tally: Tally,
	isDead: () => boolean,
): Promise<void> {
	const caller = async (_: unknown, nth: number): Promise<void> => {
		for (let turn = nth; !isDead(); turn += 1) {
			tally.started += 1;
			const email = ADDRESSES[turn % ADDRESSES.length];
			try {
				const { status, body, text } = await call(url, apiKey, 'POST', '/v1/verify', { email });
				// While it dies, the Worker may outlive its mail world or its storage by a moment. `wrangler dev` itself says
				// 503, in words of its own, when it restarts the Worker because somebody edited a source file.
				if (status !== 200 && !isDead() && body !== null) throw new Error(`${status} ${text}`);
				if (status !== 200) continue;
				tally.answered += 1;
				tally.creditsUsed += (body as { meta: { creditsUsed: number } }).meta.creditsUsed;
			} catch (error) {
				if (!isDead()) throw error;
			}
		}
	};
	await Promise.all(Array.from({ length: WIDTH }, caller));
}

function expectTrue(credits: Credits, tally: Tally, after: string): void {
	const { totalConsumed, totalRefunded, reservedCredits } = credits;
	// Whoever got an answer was charged as the answer says, and nobody was charged without asking.
	expect(totalConsumed, after).toBeGreaterThanOrEqual(tally.creditsUsed);
	expect(totalConsumed + totalRefunded, after).toBeGreaterThanOrEqual(tally.answered);
	expect(totalConsumed + totalRefunded, after).toBeLessThanOrEqual(tally.started);
	// A call sets a credit aside in memory alone, so a dead one holds none.
	expect(reservedCredits, after).toBe(0);
}

test(`a service that is killed in mid-work ${CRASHES} times keeps every charge and every credit`, async () => {
	console.log(`CRASH_SEED=${seed}`);
	const random = randomFrom(seed);
	const tally: Tally = { started: 0, answered: 0, creditsUsed: 0 };
	let first: Welcome | null = null;
	for (let crash = 0; crash <= CRASHES; crash += 1) {
		const service = await start();
		first ??= service;
		const after = `after ${crash} crashes, seed ${seed}`;
		expect({ key: service.apiKey, id: service.accountId }, after).toEqual({
			key: first.apiKey,
			id: first.accountId,
		});
		const credits = await readCredits(service.url, service.apiKey);
		expectTrue(credits, tally, after);
		if (crash === CRASHES) break;

		if (crash === 0)
			await withoutLimits({ ...service, token: operatorToken(ensureDevVars()) }, service.accountId);
		let isDead = false;
		const callers = verifyUntilItDies(service, tally, () => isDead);
		const enough = tally.answered + between(KILL_AFTER.answers, random());
		const lifetime = eventually(() => expect(tally.answered).toBeGreaterThanOrEqual(enough), 5).then(() =>
			pause(between(KILL_AFTER.ms, random())),
		);
		// Ends early, and with the caller's error, when a call fails while the service is alive.
		await Promise.race([lifetime, callers]);
		isDead = true;
		await group?.kill();
		await callers;
	}
	console.log(
		`${tally.started} calls started, ${tally.answered} answered, ${tally.creditsUsed} credits acknowledged`,
	);
	expect(tally.answered).toBeGreaterThan(WIDTH);
	expect(tally.answered).toBeLessThan(tally.started);
});

test('after all that it still sells: one definite answer, one credit', async () => {
	const service = await readWelcome(group ?? new ProcessGroup('false', []));
	const before = await readCredits(service.url, service.apiKey);
	const { status, body } = await call(service.url, service.apiKey, 'POST', '/v1/verify', {
		email: 'ada@inbox.test',
	});
	expect(status).toBe(200);
	expect(body).toMatchObject({ meta: { creditsUsed: 1, creditsRemaining: before.availableCredits - 1 } });
	const after = await readCredits(service.url, service.apiKey);
	expect(after.totalConsumed).toBe(before.totalConsumed + 1);
});

test('what calls of the dead had set aside is available again, and every credit is accounted for', async () => {
	const service = await readWelcome(group ?? new ProcessGroup('false', []));
	const { balance, availableCredits, reservedCredits } = await readCredits(service.url, service.apiKey);
	expect([reservedCredits, availableCredits]).toEqual([0, balance]);
	await expectNothingOff(service.url);
});

function between({ min, max }: { readonly min: number; readonly max: number }, share: number): number {
	return min + share * (max - min);
}
