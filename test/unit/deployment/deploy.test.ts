import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { deploy } from '../../../tools/deployment/deploy.ts';
import type { DeployRequest } from '../../../tools/deployment/deploy.ts';
import { TAKES_AWAY } from '../../../tools/deployment/migrations.ts';
import { secretsProblem } from '../../../tools/deployment/target.ts';
import { inUse, noWorker, sharesIn } from '../../support/deployment/fake-platform.ts';
import type { FakeState } from '../../support/deployment/fake-platform.ts';
import { TARGET, USUAL, fakeWorld, refusalOf } from '../../support/deployment/world.ts';
import type { WorldOptions } from '../../support/deployment/world.ts';

// A deploy on a platform that only remembers. What customers meet is read from its state, not from what was said.

let folder: string;
let removing: string;
beforeAll(() => {
	folder = mkdtempSync(path.join(tmpdir(), 'deploy-'));
	writeFileSync(path.join(folder, '0000_old.sql'), 'CREATE TABLE `a` (`b` text, `c` text);');
	writeFileSync(path.join(folder, '0001_new.sql'), 'ALTER TABLE `a` ADD `d` text;');
	removing = mkdtempSync(path.join(tmpdir(), 'deploy-'));
	writeFileSync(path.join(removing, '0000_old.sql'), 'CREATE TABLE `a` (`b` text, `c` text);');
	writeFileSync(path.join(removing, '0001_away.sql'), `${TAKES_AWAY}\nALTER TABLE \`a\` DROP COLUMN \`c\`;`);
});
afterAll(() => [folder, removing].forEach((one) => rmSync(one, { recursive: true })));

/** Deploys, and returns what became of it. */
async function deployed(
	state: FakeState,
	options: WorldOptions = {},
	request: Partial<DeployRequest> = {},
	target = TARGET,
) {
	const world = fakeWorld(state, options);
	const asked = { ...USUAL, migrations: state.folder, ...request };
	const refusal = await refusalOf(deploy(world, target, asked));
	return { world, refusal };
}

const used = (): FakeState => inUse(['0000_old.sql'], folder);
const taking = (): FakeState => inUse(['0000_old.sql'], removing);
const migrationsOf = (state: FakeState): readonly string[] => state.migrations?.map(({ name }) => name) ?? [];
const [OLD, NEW] = ['version-1', 'version-2'];

describe('a deploy', () => {
	test('migrates, tries and promotes, in this order', async () => {
		const state = used();
		const { world, refusal } = await deployed(state);
		expect(refusal).toBeNull();
		const done = state.calls.filter((call) => !/list|status|execute|view/.test(call));
		expect(done.map((call) => call.replace(/ --(?:tag|yes|remote|message).*/, ''))).toEqual([
			'd1 migrations apply DB',
			'versions upload',
			`versions deploy ${OLD}@100% ${NEW}@0%`,
			`versions deploy ${NEW}@100%`,
			'triggers deploy',
			'r2 bucket lifecycle set mailsonar-staging --file deploy/lifecycle.json --force',
		]);
		expect(migrationsOf(state)).toEqual(['0000_old.sql', '0001_new.sql']);
		expect(sharesIn(state)).toEqual({ [NEW]: 100 });
		expect(world.said.at(-1)).toContain(`answered by version ${NEW}, commit bbbbbbbbbbbb`);
	});

	test('asks the new version for health, a page and a verification before any customer meets it', async () => {
		const state = used();
		const before: string[] = [];
		const { world } = await deployed(state, {
			answers: (version, at) => {
				if (sharesIn(state)[OLD] === 100) before.push(`${at} ${version}`);
				return undefined;
			},
		});
		expect(before).toEqual([`/healthz ${NEW}`, `/docs ${NEW}`, `/v1/verify ${NEW}`, `/healthz ${NEW}`]);
		// The key is shown where it is needed, and said nowhere.
		expect([...new Set(world.asked.filter((one) => one.endsWith('*')))]).toEqual([`/v1/verify ${NEW} *`]);
		expect(world.said.join('\n')).not.toContain('ms_test_x');
	});

	test('takes nothing away that the code which answers may use', async () => {
		const state = taking();
		expect((await deployed(state)).refusal?.advice).toContain('--takes-away');
		// An object may still run the code before the last deploy.
		const early = taking();
		early.now -= 300_000;
		const { refusal } = await deployed(early, {}, { takesAway: true });
		expect(refusal?.advice).toContain('again in 30 s');
		expect([state, early].map((one) => [migrationsOf(one), one.versions.length])).toEqual([
			[['0000_old.sql'], 1],
			[['0000_old.sql'], 1],
		]);
		expect((await deployed(state, {}, { takesAway: true })).refusal).toBeNull();
		expect(migrationsOf(state)).toContain('0001_away.sql');
	});

	test('brings changed settings to customers, though the commit is the same', async () => {
		const state = used();
		await deployed(state);
		await deployed(state, {}, {}, { ...TARGET, settingsHash: '11111111' });
		expect(sharesIn(state)).toEqual({ 'version-3': 100 });
		expect(state.versions.at(-1)?.tag).toBe('bbbbbbbbbbbb.11111111');
	});

	test('given again, does nothing again', async () => {
		const state = used();
		await deployed(state);
		const before = structuredClone({ ...state, calls: [], triggers: 0 });
		const { refusal, world } = await deployed(state);
		expect(refusal).toBeNull();
		expect({ ...state, calls: [], triggers: 0 }).toEqual(before);
		expect(world.said.filter((line) => line.startsWith('✓')).map((line) => line.split(/ +/)[1])).toEqual([
			'check',
			'triggers',
			'lifecycle',
			'smoke',
		]);
	});

	test('runs the tests, unless it is told that they have passed', async () => {
		const [untold, told] = [await deployed(used(), {}, { isTested: false }), await deployed(used())];
		expect([untold.world.ran.includes('npm test'), told.world.ran.includes('npm test')]).toEqual([
			true,
			false,
		]);
	});
});

describe('a step that fails stops the deploy; given again, it goes on from there', () => {
	const boom = 'the network is away';
	const nothing = { migrations: ['0000_old.sql'], versions: 1, shares: { [OLD]: 100 }, triggers: 0 };
	const migrated = { ...nothing, migrations: ['0000_old.sql', '0001_new.sql'] };
	const uploaded = { ...migrated, versions: 2 };
	const tried = { ...uploaded, shares: { [OLD]: 100, [NEW]: 0 } };
	const promoted = { ...uploaded, shares: { [NEW]: 100 } };
	test.each([
		['deployments status', nothing],
		['versions view', nothing],
		['d1 execute', nothing],
		['d1 migrations apply', nothing],
		['versions list', migrated],
		['versions upload', migrated],
		[`versions deploy ${OLD}@100% ${NEW}@0%`, uploaded],
		[`versions deploy ${NEW}@100%`, tried],
		['triggers deploy', promoted],
	] as const)('%s', async (call, left) => {
		const state = used();
		state.fails = { call, says: boom };
		const { refusal } = await deployed(state);
		expect(refusal?.message).toContain(boom);
		expect(refusal?.advice).toContain('give the same command again');
		expect(found(state)).toEqual(left);
		state.fails = null;
		expect((await deployed(state)).refusal).toBeNull();
		expect({ ...found(state), triggers: 1 }).toEqual({ ...promoted, triggers: 1 });
	});

	const found = (state: FakeState) => ({
		migrations: migrationsOf(state),
		versions: state.versions.length,
		shares: sharesIn(state),
		triggers: state.triggers,
	});
});

describe('a version that does not answer as it should', () => {
	const wrong: readonly [string, string, () => Response, string][] = [
		['says that something is missing', '/healthz', () => unwell(), 'PROBERS is missing'],
		[
			'is misconfigured',
			'/healthz',
			() => Response.json({ error: 'PROBERS: entry 1 has no token' }, { status: 503 }),
			'/healthz answers 503: {"error":"PROBERS: entry 1 has no token"} (is answered by version unknown',
		],
		['has no pages', '/docs', () => new Response('no', { status: 500 }), '/docs answers 500'],
		['can’t verify', '/v1/verify', () => new Response('{}', { status: 503 }), '/v1/verify answers 503'],
		['answers a page', '/v1/verify', () => new Response('<p>\n no'), '/v1/verify answers 200: <p> no ('],
		[
			'answers wrong',
			'/v1/verify',
			() => Response.json({ data: { status: 'unknown' } }),
			'says that deliverable@example.com is unknown',
		],
	];
	const unwell = () =>
		Response.json(
			{ problems: ['PROBERS is missing'] },
			{ status: 503, headers: { 'mailsonar-version': NEW } },
		);

	test.each(wrong)('and %s is promoted to nobody', async (_, at, answer, told) => {
		const state = used();
		const answers = (version: string, asked: string) =>
			version === NEW && asked === at ? answer() : undefined;
		const { refusal } = await deployed(state, { answers });
		expect(refusal?.message).toContain(told);
		expect(refusal?.message).toContain('no customer meets it');
		// The way to look for oneself.
		expect(refusal?.advice).toContain(`'Cloudflare-Workers-Version-Overrides: mailsonar-staging="${NEW}"'`);
		expect(sharesIn(state)).toEqual({ [OLD]: 100, [NEW]: 0 });
	});

	test('after it was promoted says how to go back', async () => {
		const state = used();
		const answers = (version: string, at: string) =>
			at === '/docs' && sharesIn(state)[version] === 100 ? new Response('', { status: 500 }) : undefined;
		const { refusal } = await deployed(state, { answers });
		expect(refusal?.message).toContain('All customers meet');
		expect(refusal?.advice).toContain('npm run deploy -- staging rollback');
	});

	test('is not taken for the old one, which answers until the network knows of the trial', async () => {
		const state = used();
		let calls = 0;
		const answers = (version: string, at: string) => {
			calls += 1;
			const late = calls < 4 ? OLD : version;
			return at === '/healthz' ? Response.json({}, { headers: { 'mailsonar-version': late } }) : undefined;
		};
		const { refusal, world } = await deployed(state, { answers });
		expect(refusal).toBeNull();
		expect(world.slept.slice(0, 3)).toEqual([2_000, 2_000, 2_000]);
		// One that never answers itself is refused, however well the old one answers.
		const other = used();
		const never = () => Response.json({}, { headers: { 'mailsonar-version': OLD } });
		const { refusal: refused } = await deployed(other, { answers: never });
		expect(refused?.message).toContain(`is answered by version ${OLD}, not by ${NEW}`);
		expect(sharesIn(other)).toEqual({ [OLD]: 100, [NEW]: 0 });
	});

	test('is followed by a mended one, which takes its place beside the old one', async () => {
		const state = used();
		await deployed(state, {
			answers: (version, at) => (version === NEW && at === '/docs' ? unwell() : undefined),
		});
		const { refusal } = await deployed(state, { commit: 'cccccccccccc' });
		expect(refusal).toBeNull();
		expect(sharesIn(state)).toEqual({ 'version-3': 100 });
	});
});

describe('a deploy is refused, and nothing is changed', () => {
	const cases: readonly [string, () => FakeState, WorldOptions, Partial<DeployRequest>, string][] = [
		['with changes that no commit has', used, { changed: ' M src/index.ts' }, {}, 'uncommitted changes'],
		['when the tests fail', used, { testsFail: true }, { isTested: false }, 'The tests fail'],
		['without a test key', used, {}, { testKey: null }, 'Without a test key'],
		['where no Worker is', noWorker, {}, {}, 'There is no Worker mailsonar-staging yet'],
		['as the first, where customers are', used, {}, { secretsFile: 's' }, 'is in use already'],
		[
			'to a place where its accounts are not',
			() => ({ ...used(), jurisdiction: 'eu' }),
			{},
			{},
			'Accounts are kept in eu, and would not be found in none',
		],
		[
			'while two versions share the customers',
			() => ({ ...used(), deployments: [{ at: 0, shares: { [OLD]: 90, other: 10 } }] }),
			{},
			{},
			'Two versions share the customers',
		],
	];
	test.each(cases)('%s', async (_, before, options, request, told) => {
		const state = before();
		const { refusal } = await deployed(state, options, request);
		expect(refusal?.message).toContain(told);
		expect({ ...state, calls: [] }).toEqual(before());
	});
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
		const state = used();
		state.fails = { call, says };
		const { refusal } = await deployed(state);
		expect(refusal?.message).toContain('other object classes');
		expect(refusal?.advice).toContain('npm run deploy -- staging --objects');
		expect(sharesIn(state)).toEqual({ [OLD]: 100 });
	});

	test('is deployed to everybody at once, and asked after that', async () => {
		const state = used();
		state.fails = { call: 'versions upload', says: refused };
		const { refusal } = await deployed(state, {}, { objects: true });
		expect(refusal).toBeNull();
		expect(sharesIn(state)).toEqual({ [NEW]: 100 });
		// It goes without a test key, which versions before test keys could not make.
		expect((await deployed(used(), {}, { objects: true, testKey: null })).refusal).toBeNull();
		const bad = used();
		const answers = (version: string) => (version === NEW ? new Response('', { status: 500 }) : undefined);
		const { refusal: told } = await deployed(bad, { answers }, { objects: true });
		expect(told?.advice).toContain('No rollback undoes');
		expect(sharesIn(bad)).toEqual({ [NEW]: 100 });
	});
});

describe('the first deploy', () => {
	const first = { secretsFile: '../secrets', testKey: null };
	const none = (): FakeState => ({ ...noWorker(), folder });

	test('makes the Worker with its secrets, its tables and the rules of its bucket, and asks it', async () => {
		const state = none();
		const { refusal, world } = await deployed(state, {}, first);
		expect(refusal).toBeNull();
		expect(sharesIn(state)).toEqual({ 'version-1': 100 });
		expect([state.secrets, state.lifecycle]).toEqual(['../secrets', true]);
		expect(migrationsOf(state)).toEqual(['0000_old.sql', '0001_new.sql']);
		expect([world.slept, world.asked.includes('/docs version-1')]).toEqual([[], true]);
	});

	test('makes a database where accounts are to be kept, once', async () => {
		const state = none();
		state.fails = { call: 'deploy --tag', says: 'away' };
		const target = { ...TARGET, jurisdiction: 'eu' };
		expect((await deployed(state, {}, first, target)).refusal?.message).toContain('away');
		state.fails = null;
		expect((await deployed(state, {}, first, target)).refusal).toBeNull();
		const made = state.calls.filter((call) => call.startsWith('d1 create'));
		expect(made).toEqual(['d1 create mailsonar-staging --update-config=false --jurisdiction eu']);
		expect(state.calls.find((call) => call.startsWith('r2'))).toMatch(/ --jurisdiction eu$/);
	});

	test.each([
		['deploy', 0],
		['d1 migrations apply', 1],
		['r2 bucket lifecycle', 1],
	])('can be given again where %s failed', async (call, versions) => {
		const state = none();
		state.fails = { call, says: 'away' };
		expect((await deployed(state, {}, first)).refusal?.message).toContain('away');
		expect(state.versions.length).toBe(versions);
		state.fails = null;
		// Also with a commit that mends what was wrong: nobody is a customer yet.
		expect((await deployed(state, { commit: 'cccccccccccc' }, first)).refusal).toBeNull();
		expect([state.lifecycle, state.migrations?.length]).toEqual([true, 2]);
	});
});

describe('the file of secrets', () => {
	const token = 'a'.repeat(32);
	const good = `KEY_SIGNING_SECRET=1:${token}\nOPERATOR_TOKENS=ada:${token}\nPROBERS="https://${token}@prober1.example.com"\n`;

	test.each([
		['all that is needed', good, null],
		['no operator’s token', good.replace(/OPERATOR.*/, ''), 'lacks OPERATOR_TOKENS'],
		['an empty line', good.replace(`1:${token}`, ''), 'lacks KEY_SIGNING_SECRET'],
		['nothing', '', 'lacks KEY_SIGNING_SECRET, OPERATOR_TOKENS, PROBERS'],
		['the guide’s example', good.replace(`//${token}`, '//TOKEN2'), 'PROBERS: entry 1 has a token of fewer'],
		[
			'a secret without its setting',
			`${good}STRIPE_SECRET_KEY=sk_test_0x4A`,
			'off without STRIPE_WEBHOOK_SECRET',
		],
		['one of two secrets', `${good}STRIPE_SECRET_KEY=sk_test_4AAA`, 'STRIPE_WEBHOOK_SECRET and CREDIT_PACKS'],
		['a setting', `${good}MAIL_SENDER=a@b.example`, 'holds MAIL_SENDER, which is no secret'],
	])('with %s', (_, text, problem) => {
		const said = secretsProblem(text, { PUBLIC_URL: 'https://verify.example.com' });
		if (problem === null) expect(said).toBeNull();
		else expect(said).toContain(problem);
		expect(said ?? '').not.toContain(token);
	});
});
