import { describe, expect, test } from 'vitest';
import { MIGRATIONS, inUse, noWorker, sharesIn } from '../../support/deployment/fake-platform.ts';
import type { FakeState } from '../../support/deployment/fake-platform.ts';
import { NEW, OLD, deployed } from '../../support/deployment/scene.ts';
import type { Scene } from '../../support/deployment/scene.ts';

// A deploy on a platform that only remembers. What customers meet is read from its state, not from what was said.

describe('a deploy', () => {
	test('migrates, tries, asks and promotes, in this order', async () => {
		const state = inUse();
		const before: string[] = [];
		const answers = (version: string, at: string) => {
			if (sharesIn(state)[OLD] === 100) before.push(`${at} ${version}`);
			return undefined;
		};
		const { refusal, said, asked, ran } = await deployed(state, { answers });
		expect(refusal).toBeNull();
		const changes = state.calls.filter((call) => !/list|execute|view/.test(call));
		expect(changes.map((call) => call.replace(/ --(?:tag|yes|remote|message).*/, ''))).toEqual([
			'd1 migrations apply DB',
			'versions upload',
			`versions deploy ${OLD}@100% ${NEW}@0%`,
			`versions deploy ${NEW}@100%`,
			'triggers deploy',
			'r2 bucket lifecycle set mailsonar-staging --file deploy/lifecycle.json --force',
		]);
		expect([state.migrations, sharesIn(state)]).toEqual([MIGRATIONS, { [NEW]: 100 }]);
		// Before any customer meets it.
		expect(before).toEqual([`/healthz ${NEW}`, `/docs ${NEW}`, `/v1/verify ${NEW}`, `/healthz ${NEW}`]);
		expect([...new Set(asked.filter((one) => one.endsWith('*')))]).toEqual([`/v1/verify ${NEW} *`]);
		expect([said.join('\n').includes('ms_test_x'), ran.includes('npm test')]).toEqual([false, false]);
		expect(said).toContain(`✓ migrate    ${MIGRATIONS.join(', ')}`);
		expect(said.at(-1)).toBe(`Done: https://staging.test is answered by version ${NEW}, commit bbbbbbbbbbbb`);
	});

	test('brings changed settings to customers, though the commit is the same', async () => {
		const state = inUse();
		await deployed(state);
		await deployed(state, { target: { settingsHash: '11111111' } });
		expect(sharesIn(state)).toEqual({ 'version-3': 100 });
		expect(state.versions.at(-1)?.tag).toBe('bbbbbbbbbbbb.11111111');
	});

	test('given again, does nothing again', async () => {
		const state = inUse();
		await deployed(state);
		const before = structuredClone({ ...state, calls: [], triggers: 0 });
		const { refusal, said } = await deployed(state);
		expect(refusal).toBeNull();
		expect({ ...state, calls: [], triggers: 0 }).toEqual(before);
		const steps = said.filter((line) => line.startsWith('✓')).map((line) => line.split(/ +/)[1]);
		expect(steps).toEqual(['check', 'triggers', 'lifecycle', 'smoke']);
	});

	test.each([
		['passed on GitHub', { check_runs: [{ conclusion: 'success' }] }, false],
		['failed there', { check_runs: [{ conclusion: 'failure' }] }, true],
		['ran nowhere', { check_runs: [] }, true],
	])('runs the tests itself unless they have passed: they %s', async (_, github, runs) => {
		const { ran } = await deployed(inUse(), { github, options: { tested: false } });
		expect(ran.includes('npm test')).toBe(runs);
	});
});

describe('a step that fails stops the deploy; given again, it goes on from there', () => {
	const nothing = { migrations: [], versions: 1, shares: { [OLD]: 100 }, triggers: 0 };
	const migrated = { ...nothing, migrations: MIGRATIONS };
	const uploaded = { ...migrated, versions: 2 };
	const promoted = { ...uploaded, shares: { [NEW]: 100 } };
	const found = (state: FakeState) => ({
		migrations: state.migrations,
		versions: state.versions.length,
		shares: sharesIn(state),
		triggers: state.triggers,
	});
	test.each([
		['deployments list', nothing],
		['versions view', nothing],
		['d1 execute', nothing],
		['d1 migrations apply', nothing],
		['versions list', migrated],
		['versions upload', migrated],
		[`versions deploy ${OLD}@100% ${NEW}@0%`, uploaded],
		[`versions deploy ${NEW}@100%`, { ...uploaded, shares: { [OLD]: 100, [NEW]: 0 } }],
		['triggers deploy', promoted],
		['r2 bucket lifecycle', { ...promoted, triggers: 1 }],
	] as const)('%s', async (call, left) => {
		const state = { ...inUse(), fails: { call, says: 'the network is away' } };
		const { refusal } = await deployed(state);
		expect(refusal?.message).toContain('the network is away');
		expect(refusal?.advice).toContain('give the same command again');
		expect(found(state)).toEqual(left);
		Object.assign(state, { fails: null });
		expect((await deployed(state)).refusal).toBeNull();
		expect({ ...found(state), triggers: 1 }).toEqual({ ...promoted, triggers: 1 });
	});
});

describe('a version that does not answer as it should', () => {
	const unwell = () =>
		Response.json(
			{ problems: ['PROBERS is missing'] },
			{ status: 503, headers: { 'mailsonar-version': NEW } },
		);
	test.each<[string, string, () => Response, string]>([
		['says that something is missing', '/healthz', unwell, 'PROBERS is missing'],
		[
			'is misconfigured',
			'/healthz',
			() => Response.json({}, { status: 503 }),
			'is answered by version unknown',
		],
		[
			'is the old one for ever',
			'/healthz',
			() => Response.json({}, { headers: { 'mailsonar-version': OLD } }),
			`is answered by version ${OLD}, not by ${NEW}`,
		],
		['has no pages', '/docs', () => new Response('no', { status: 500 }), '/docs answered 500'],
		['can’t verify', '/v1/verify', () => new Response('{}', { status: 503 }), '/v1/verify answered 503'],
		['answers a page', '/v1/verify', () => new Response('<p>\n no'), '/v1/verify answered 200: <p> no'],
		[
			'answers wrong',
			'/v1/verify',
			() => Response.json({ data: { status: 'unknown' } }),
			'/v1/verify answered 200: {"data":{"status":"unknown"}}',
		],
	])('and %s is promoted to nobody', async (_, where, answer, told) => {
		const state = inUse();
		const answers = (version: string, at: string) => (version === NEW && at === where ? answer() : undefined);
		const { refusal } = await deployed(state, { answers });
		expect(refusal?.message).toContain(told);
		expect(refusal?.message).toContain('no customer meets it');
		// The way to look for oneself.
		expect(refusal?.advice).toContain(`'Cloudflare-Workers-Version-Overrides: mailsonar-staging="${NEW}"'`);
		expect(sharesIn(state)).toEqual({ [OLD]: 100, [NEW]: 0 });
		// A mended one takes its place beside the old one.
		expect((await deployed(state, { commit: 'cccccccccccc' })).refusal).toBeNull();
		expect(sharesIn(state)).toEqual({ 'version-3': 100 });
	});

	test('after it was promoted says how to go back', async () => {
		const state = inUse();
		const answers = (version: string, at: string) =>
			at === '/docs' && sharesIn(state)[version] === 100 ? new Response('', { status: 500 }) : undefined;
		const { refusal } = await deployed(state, { answers });
		expect(refusal?.message).toContain('All customers meet');
		expect(refusal?.advice).toContain('npm run deploy -- staging rollback');
	});

	test('is not taken for the old one, which answers until the network knows of the trial', async () => {
		const state = inUse();
		let calls = 0;
		const answers = (_: string, at: string) => {
			calls += 1;
			const late = { headers: { 'mailsonar-version': OLD } };
			return at === '/healthz' && calls < 4 ? Response.json({}, late) : undefined;
		};
		const { refusal, slept } = await deployed(state, { answers });
		expect([refusal, slept]).toEqual([null, [2_000, 2_000, 2_000]]);
	});
});

test.each<[string, () => FakeState, Scene, string]>([
	['with changes that no commit has', inUse, { changed: ' M src/index.ts' }, 'uncommitted changes'],
	['where no commit is', inUse, { commit: null }, 'There is no commit'],
	['when the tests fail', inUse, { testsFail: true, options: { tested: false } }, 'The tests fail'],
	['without a test key', inUse, { options: { testKey: null } }, 'Without a test key'],
	['where no Worker is', noWorker, {}, 'There is no Worker mailsonar-staging yet'],
	['as the first, where customers are', inUse, { options: { first: true } }, 'is in use already'],
	[
		'to a place where its accounts are not',
		() => ({ ...inUse(), jurisdiction: 'eu' }),
		{},
		'Accounts are kept in eu, and would not be found in none',
	],
	[
		'while two versions share the customers',
		() => ({ ...inUse(), deployments: [{ [OLD]: 90, other: 10 }] }),
		{},
		'Two versions share the customers',
	],
])('a deploy is refused %s, and nothing is changed', async (_, before, scene, told) => {
	const state = before();
	expect((await deployed(state, scene)).refusal?.message).toContain(told);
	expect({ ...state, calls: [] }).toEqual(before());
});

describe('a change of object classes', () => {
	const refused = 'Version upload failed [code: 10211]';

	test.each([
		['versions upload', refused],
		[
			`versions deploy ${OLD}@100% ${NEW}@0%`,
			'All versions must declare identical Durable Object `exports`.',
		],
	])('refused at %s is said, with the way to deploy it', async (call, says) => {
		const state = { ...inUse(), fails: { call, says } };
		const { refusal } = await deployed(state);
		expect(refusal?.message).toContain('other object classes');
		expect(refusal?.advice).toContain('npm run deploy -- staging --objects');
		expect(sharesIn(state)).toEqual({ [OLD]: 100 });
	});

	test.each(['ms_test_x', null])(
		'is deployed to everybody at once, and asked after that (%s)',
		async (testKey) => {
			const state = { ...inUse(), fails: { call: 'versions upload', says: refused } };
			const options = { objects: true, testKey };
			expect((await deployed(state, { options })).refusal).toBeNull();
			expect(sharesIn(state)).toEqual({ [NEW]: 100 });
			const answers = () => new Response('', { status: 500 });
			expect((await deployed(inUse(), { options, answers })).refusal?.advice).toContain('No rollback undoes');
		},
	);
});
