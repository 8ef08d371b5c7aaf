import { describe, expect, test } from 'vitest';
import { fakeWrangler, inUse, noWorker, sharesIn } from '../../support/deployment/fake-platform.ts';
import type { FakeState } from '../../support/deployment/fake-platform.ts';
import { NEW, OLD, done, rolledBack } from '../../support/deployment/scene.ts';
import type { Scene } from '../../support/deployment/scene.ts';

describe('a rollback', () => {
	const third = () => inUse('bbbbbbbbbbbb', 'cccccccccccc');

	test.each<[string, Record<string, number> | null, string | null, string]>([
		['leads to the version before', null, null, NEW],
		['leads to the version that is named', null, OLD, OLD],
		['ends a trial', { 'version-3': 100, 'version-4': 0 }, null, 'version-3'],
	])('%s', async (_, trial, named, to) => {
		const state = third();
		if (trial !== null) state.deployments.push(trial);
		expect((await rolledBack(state, named)).refusal).toBeNull();
		expect(sharesIn(state)).toEqual({ [to]: 100 });
	});

	const called = (words: string) => (state: FakeState) => fakeWrangler(state, words.split(' '));
	const eightMore = (state: FakeState) =>
		Array.from({ length: 8 }, () => called('versions upload --tag cccccccccccc.00000000')(state));
	const unseen = ({ versions }: FakeState) => Object.assign(versions[2] ?? {}, { secrets: 1 });
	const CHANGED = 'version-4 changed one after it';
	test.each<[string, (state: FakeState) => unknown, string | null, string]>([
		['where a put secret made the version that answers', called('secret put A'), null, CHANGED],
		['where an older one is named', called('secret put A'), NEW, CHANGED],
		['where a version that never answered changed one', called('versions secret put A'), null, CHANGED],
		['where the version is too old to be compared', eightMore, OLD, 'not among the ten newest'],
		['where Cloudflare alone knows of a change', unseen, null, 'secrets have changed: OPERATOR_TOKENS'],
	])('never makes an old secret valid again: %s', async (_, change, named, told) => {
		const state = third();
		change(state);
		const before = sharesIn(state);
		const { refusal } = await rolledBack(state, named);
		expect([refusal?.message, sharesIn(state)]).toEqual([expect.stringContaining(told), before]);
		if (told.includes('version-4'))
			expect(refusal?.advice).toContain(
				'git switch --detach bbbbbbbbbbbb && npm run deploy -- staging --tested',
			);
	});

	test('leads to a version that the secret’s change came before', async () => {
		const state = third();
		fakeWrangler(state, ['secret', 'put', 'A']);
		for (const commit of ['dddddddddddd', 'eeeeeeeeeeee'])
			fakeWrangler(state, ['deploy', '--tag', `${commit}.00000000`]);
		expect((await rolledBack(state)).refusal).toBeNull();
		expect(sharesIn(state)).toEqual({ 'version-5': 100 });
	});

	test.each<[string, () => FakeState, Scene, string]>([
		['where nothing was deployed', noWorker, {}, 'There is no Worker'],
		['where nothing came before', inUse, {}, 'no version before this one'],
		[
			'to a version that does not answer',
			third,
			{ answers: () => new Response('', { status: 500 }) },
			'does not answer as it should',
		],
	])('is refused %s', async (_, before, scene, told) => {
		expect((await rolledBack(before(), null, scene)).refusal?.message).toContain(told);
	});

	test('leaves the code that a changed secret comes with, tried beside the old one', async () => {
		const state = third();
		await rolledBack(state);
		expect(fakeWrangler(state, ['secret', 'put', 'A']).output).toContain('10215');
		const before = structuredClone({ ...state, calls: [] });
		const change = (commit: string, settingsHash: string) =>
			done(state, (one) => one.deploy('OPERATOR_TOKENS'), {
				commit,
				target: { settingsHash },
				options: { tested: false },
			});
		// The code that was rolled back, and settings that never were there.
		for (const [commit, hash] of [
			['cccccccccccc', '00000000'],
			['bbbbbbbbbbbb', '11111111'],
		] as const) {
			const { refusal } = await change(commit, hash);
			expect(refusal?.message).toContain('is answered by commit bbbbbbbbbbbb jobs: go faster, not by');
			expect(refusal?.advice).toContain('git switch --detach bbbbbbbbbbbb;');
		}
		expect({ ...state, calls: [] }).toEqual(before);
		const { asked, ran } = await change('bbbbbbbbbbbb', '00000000');
		expect([sharesIn(state), state.versions.at(-1)?.secrets]).toEqual([{ 'version-5': 100 }, 1]);
		expect([asked.includes('/v1/verify version-5 *'), ran.includes('npm test')]).toEqual([true, false]);
	});

	test('is seen in the status, which names the commit that answers', async () => {
		const state = third();
		const status = async (settingsHash = '00000000') =>
			(await done(state, (one) => one.status(), { target: { settingsHash } })).said;
		const answers = 'https://staging.test is answered by version';
		expect(await status()).toEqual([`${answers} version-3, commit cccccccccccc jobs: go faster`]);
		await rolledBack(state);
		fakeWrangler(state, ['versions', 'deploy', `${NEW}@100%`, 'version-3@0%']);
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
