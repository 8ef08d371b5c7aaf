import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { deploy, showStatus } from '../../../tools/deployment/deploy.ts';
import { TAKES_AWAY } from '../../../tools/deployment/migrations.ts';
import { rollBack } from '../../../tools/deployment/rollback.ts';
import type { RollbackRequest } from '../../../tools/deployment/rollback.ts';
import { fakeWrangler, inUse, noWorker, sharesIn } from '../../support/deployment/fake-platform.ts';
import type { FakeState } from '../../support/deployment/fake-platform.ts';
import { TARGET, USUAL, fakeWorld, refusalOf } from '../../support/deployment/world.ts';
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
) {
	const usual = { version: null, anyway: false, testKey: null, migrations: folder };
	return refusalOf(rollBack(fakeWorld(state, options), TARGET, { ...usual, ...request }));
}

/** Three versions have answered one after the other; `version-3` does. */
function third(migrations: FakeState['migrations'] = []): FakeState {
	const state = { ...inUse(), migrations };
	for (const commit of ['bbbbbbbbbbbb', 'cccccccccccc']) {
		fakeWrangler(state, ['deploy', '--tag', `${commit}.00000000`]);
		state.now += 60_000;
	}
	return state;
}

test.each<[string, FakeState['deployments'][number]['shares'] | null, string | null, string]>([
	['leads to the version before', null, null, 'version-2'],
	['leads to the version that is named', null, 'version-1', 'version-1'],
	['ends a trial', { 'version-3': 100, 'version-4': 0 }, null, 'version-3'],
])('a rollback %s', async (_, trial, version, to) => {
	const state = third();
	if (trial !== null) state.deployments.push({ at: state.now + 9, shares: trial });
	expect(await rolledBack(state, { version })).toBeNull();
	expect(sharesIn(state)).toEqual({ [to]: 100 });
});

test('a rollback is refused to code whose tables are gone, unless they were restored', async () => {
	// Between version-1 and version-2.
	const { at } = third().versions[1] ?? { at: 0 };
	const gone = (): FakeState => third([{ name: '0001_away.sql', at: at - 1_000 }]);
	expect(await rolledBack(gone())).toBeNull();
	const state = gone();
	const refusal = await rolledBack(state, { version: 'version-1' });
	expect(refusal?.message).toContain('may need what 0001_away.sql took away');
	expect(sharesIn(state)).toEqual({ 'version-3': 100 });
	expect(await rolledBack(state, { version: 'version-1', anyway: true })).toBeNull();
	expect(sharesIn(state)).toEqual({ 'version-1': 100 });
});

describe('a rollback never makes an old secret valid again', () => {
	const advice = 'git switch --detach bbbbbbbbbbbb && npm run deploy -- staging --tested';
	const put = ['OPERATOR_TOKENS'];
	test.each([
		['a put secret made the version that answers', ['secret', 'put'], null],
		['a put secret made the version that answers, and an older one is named', ['secret', 'put'], 'version-2'],
		['a secret of a version that never answered has changed', ['versions', 'secret', 'put'], null],
	])('where %s', async (_, command, version) => {
		const state = third();
		fakeWrangler(state, [...command, ...put]);
		const before = sharesIn(state);
		// The platform's own list of versions tells it, and `--anyway` is about tables alone.
		const refusal = await rolledBack(state, { version, anyway: true });
		expect(refusal?.message).toContain('has older secrets: version-4 changed one after it');
		expect([refusal?.advice, sharesIn(state)]).toEqual([expect.stringContaining(advice), before]);
	});

	test('where the version is too old to be compared', async () => {
		const state = third();
		const [, , newest] = state.versions;
		if (newest === undefined) throw new Error('three versions');
		state.versions.push(...Array.from({ length: 8 }, (_, at) => ({ ...newest, id: `more-${at}` })));
		const refusal = await rolledBack(state, { version: 'version-1' });
		expect(refusal?.message).toContain('not among the ten newest');
	});

	test('where Cloudflare alone knows that a value has changed', async () => {
		const state = third();
		const [, , current] = state.versions;
		if (current !== undefined) current.secrets = 1;
		const refusal = await rolledBack(state);
		expect(refusal?.message).toContain('secrets have changed: OPERATOR_TOKENS');
		expect(sharesIn(state)).toEqual({ 'version-3': 100 });
	});

	test('but one that the secret’s change came before', async () => {
		const state = third();
		fakeWrangler(state, ['secret', 'put', ...put]);
		for (const commit of ['dddddddddddd', 'eeeeeeeeeeee'])
			fakeWrangler(state, ['deploy', '--tag', `${commit}.00000000`]);
		expect(await rolledBack(state)).toBeNull();
		expect(sharesIn(state)).toEqual({ 'version-5': 100 });
	});
});

describe('after a rollback', () => {
	const request = { ...USUAL, secret: 'OPERATOR_TOKENS', isTested: false };

	test('a changed secret comes with the code that answers alone, tried beside the old one', async () => {
		const state = third(['0000_old.sql', '0001_away.sql'].map((name) => ({ name, at: 0 })));
		await rolledBack(state);
		expect(fakeWrangler(state, ['secret', 'put', 'OPERATOR_TOKENS']).output).toContain('10215');
		const before = structuredClone({ ...state, calls: [] });
		const change = (commit: string, settingsHash: string) => {
			const world = fakeWorld(state, { commit });
			const target = { ...TARGET, settingsHash };
			return { world, done: deploy(world, target, { ...request, migrations: folder }) };
		};
		// The code that was rolled back, and settings that never were there.
		for (const [commit, hash] of [
			['cccccccccccc', '00000000'],
			['bbbbbbbbbbbb', '11111111'],
		] as const)
			await expect(change(commit, hash).done).rejects.toMatchObject({
				message: expect.stringContaining(
					'is answered by commit bbbbbbbbbbbb jobs: go faster, not by',
				) as string,
				advice: expect.stringContaining('git switch --detach bbbbbbbbbbbb;') as string,
			});
		expect({ ...state, calls: [] }).toEqual(before);
		const { world, done } = change('bbbbbbbbbbbb', '00000000');
		await done;
		expect([sharesIn(state), state.versions.at(-1)?.secrets]).toEqual([{ 'version-5': 100 }, 1]);
		expect(world.asked).toContain('/v1/verify version-5 *');
		expect(world.ran).not.toContain('npm test');
	});

	test('the status names the commit that answers', async () => {
		const state = third();
		const status = async (settingsHash = '00000000'): Promise<readonly string[]> => {
			const world = fakeWorld(state);
			await showStatus(world, { ...TARGET, settingsHash });
			return world.said;
		};
		const answers = 'https://staging.test is answered by version';
		expect(await status()).toEqual([`${answers} version-3, commit cccccccccccc jobs: go faster`]);
		await rolledBack(state);
		fakeWrangler(state, ['versions', 'deploy', 'version-2@100%', 'version-3@0%']);
		expect(await status('11111111')).toEqual([
			`${answers} version-2, commit bbbbbbbbbbbb jobs: go faster`,
			'Its settings are not those of your file',
			'Version version-3 is on trial, and no customer meets it',
		]);
		// Another tool put a secret, and nobody knows into which code.
		fakeWrangler(state, ['versions', 'deploy', 'version-3@100%']);
		fakeWrangler(state, ['secret', 'put', 'OPERATOR_TOKENS']);
		expect(await status()).toEqual([`${answers} version-4, commit unknown`]);
	});
});

test.each([
	['where nothing was deployed', noWorker, 'There is no Worker'],
	['where nothing came before', () => inUse(), 'no version before this one'],
] as const)('a rollback is refused %s', async (_, before, told) => {
	expect((await rolledBack(before()))?.message).toContain(told);
});

test('a rollback to a version that does not answer says so', async () => {
	const answers = (): Response => new Response('', { status: 500 });
	expect((await rolledBack(third(), {}, { answers }))?.message).toContain('does not answer as it should');
});
