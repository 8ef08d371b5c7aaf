import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TAKES_AWAY } from '../../../tools/deployment/migrations.ts';
import { rollBack } from '../../../tools/deployment/rollback.ts';
import type { RollbackRequest } from '../../../tools/deployment/rollback.ts';
import { Refusal } from '../../../tools/deployment/world.ts';
import { inUse, noWorker, sharesIn } from '../../support/deployment/fake-platform.ts';
import type { FakeState } from '../../support/deployment/fake-platform.ts';
import { TARGET, fakeWorld } from '../../support/deployment/world.ts';
import type { WorldOptions } from '../../support/deployment/world.ts';

let folder: string;
beforeAll(() => {
	folder = mkdtempSync(path.join(tmpdir(), 'rollback-'));
	writeFileSync(path.join(folder, '0000_old.sql'), 'CREATE TABLE `a` (`b` text);');
	writeFileSync(path.join(folder, '0001_away.sql'), `${TAKES_AWAY}\nALTER TABLE \`a\` DROP COLUMN \`b\`;`);
});
afterAll(() => rmSync(folder, { recursive: true }));

async function rolledBack(
	state: FakeState,
	request: Partial<RollbackRequest> = {},
	options: WorldOptions = {},
): Promise<Refusal | null> {
	const usual = { version: null, anyway: false, testKey: null, migrationsFolder: folder };
	return rollBack(fakeWorld(state, options), TARGET, { ...usual, ...request }).then(
		() => null,
		(error: unknown) => {
			if (error instanceof Refusal) return error;
			throw error;
		},
	);
}

/** Three versions have answered one after the other; `version-3` does. */
function third(migrations: readonly string[] = ['0000_old.sql']): FakeState {
	const state = inUse(migrations);
	for (const id of ['version-2', 'version-3']) {
		state.versions.push({ id, commit: `commit-of-${id}` });
		state.deployments.push({ at: state.now + state.deployments.length, shares: { [id]: 100 } });
	}
	return state;
}

test('a rollback leads to the version before, and asks it', async () => {
	const state = third();
	expect(await rolledBack(state)).toBeNull();
	expect(sharesIn(state)).toEqual({ 'version-2': 100 });
});

test('a rollback leads to the version that is named', async () => {
	const state = third();
	expect(await rolledBack(state, { version: 'version-1' })).toBeNull();
	expect(sharesIn(state)).toEqual({ 'version-1': 100 });
});

test('a rollback ends a trial', async () => {
	const state = third();
	state.deployments.push({ at: state.now + 9, shares: { 'version-3': 100, 'version-4': 0 } });
	expect(await rolledBack(state)).toBeNull();
	expect(sharesIn(state)).toEqual({ 'version-3': 100 });
});

test('a rollback is refused to code whose tables are gone, unless they were given back', async () => {
	const gone = (): FakeState => third(['0000_old.sql', '0001_away.sql']);
	const filesOf = (commit: string): readonly string[] =>
		commit === 'commit-of-version-2'
			? ['migrations/0000_old.sql', 'migrations/0001_away.sql']
			: ['migrations/0000_old.sql'];
	// Its code came with the migration, so it does without.
	expect(await rolledBack(gone(), {}, { filesOf })).toBeNull();
	const state = gone();
	const refusal = await rolledBack(state, { version: 'version-1' }, { filesOf });
	expect(refusal?.message).toContain('may need what 0001_away.sql took away');
	expect(sharesIn(state)).toEqual({ 'version-3': 100 });
	expect(await rolledBack(state, { version: 'version-1', anyway: true }, { filesOf })).toBeNull();
	expect(sharesIn(state)).toEqual({ 'version-1': 100 });
	// A version that nobody knows the commit of may be any.
	const unknown = gone();
	unknown.versions = [];
	expect((await rolledBack(unknown, {}, { filesOf }))?.message).toContain('0001_away.sql');
});

test.each([
	['where nothing was deployed', noWorker, 'There is no Worker'],
	['where nothing came before', () => inUse([]), 'no version before this one'],
] as const)('a rollback is refused %s', async (_, before, told) => {
	expect((await rolledBack(before()))?.message).toContain(told);
});

test('a rollback to a version that does not answer says so', async () => {
	const answers = (): Response => new Response('', { status: 500 });
	expect((await rolledBack(third(), {}, { answers }))?.message).toContain('does not answer as it should');
});
