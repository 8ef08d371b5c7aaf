import { describe, expect, test, vi } from 'vitest';
import type { Address } from '../../../../src/core/address/parse-address.ts';
import { listEffectOf } from '../../../../src/core/catchall/breakdown.ts';
import { planListFacts } from '../../../../src/core/catchall/list/list-facts.ts';
import type { Entry, RowOutcome } from '../../../../src/core/jobs/part-rows.ts';
import { listEffectIn } from '../../../../src/core/jobs/stored-row.ts';
import { decidedBy } from '../../../../src/core/verification/render.ts';
import type { How, LookedUpMail } from '../../../../src/engine/case.ts';
import { examineAddresses } from '../../../../src/engine/examine.ts';
import type { Conclusion } from '../../../../src/engine/examine.ts';
import { judgeByName } from '../../../../src/engine/judge-catch-all.ts';
import { ServiceError } from '../../../../src/errors.ts';
import { Examination, NOT_DEEP } from '../../../../src/operations/jobs/steps/examine-part.ts';
import type { ExaminePartServices } from '../../../../src/operations/jobs/steps/examine-part.ts';
import { portsOf } from '../../../support/unit/examine-alone.ts';
import { fakeClock } from '../../../support/unit/fake-clock.ts';
import type { Zone } from '../../../support/unit/fake-resolver.ts';
import { fakeProber } from '../../../support/unit/fake-prober.ts';
import { addressOf, NO_SUCH_USER, OK } from '../../../support/unit/mail-servers.ts';
import { modelDialer } from '../../../support/unit/model-server.ts';
import type { ModelServer } from '../../../support/unit/model-server.ts';
import { foundOf, mailAt } from '../../../support/unit/mail-at.ts';

const entriesOf = (emails: readonly string[]): Entry[] => emails.map((email, index) => [index, email]);
const ASKER = { accountId: 'acc_1', class: 'list', payer: {}, freeAnswersLeft: Infinity } as const;
type Asking = ConstructorParameters<typeof Examination>[1];
/** What comes of the addresses of a part. */
async function examine(
	services: ExaminePartServices,
	entries: readonly Entry[],
	{ deep = 'never', ...asker }: Partial<Asking> & { readonly deep?: How['deep'] } = {},
): Promise<ReadonlyMap<number, RowOutcome>> {
	const how = { ...NOT_DEEP, deep, ownOutcomeOf: () => null };
	const examination = new Examination(services, { ...ASKER, ...asker }, entries, how);
	await examination.ended;
	return examination.found;
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A part whose every turn ends when the test says so. */
function turns(hostOf: (domain: string) => string) {
	const clock = fakeClock();
	const open: { domain: string; end: () => void }[] = [];
	const most = { atAll: 0, atHost: 0 };
	const lookedUp: string[] = [];
	const services = {
		clock,
		lookUpMail: ({ domain }: { domain: string }) => {
			lookedUp.push(domain);
			return Promise.resolve(mailAt(hostOf(domain)));
		},
		examineAddresses: async (addresses: readonly Address[]) => {
			const domain = addresses[0]?.domain ?? '';
			await new Promise<void>((end) => {
				open.push({ domain, end });
				const sameHost = open.filter((other) => hostOf(other.domain) === hostOf(domain));
				most.atAll = Math.max(most.atAll, open.length);
				most.atHost = Math.max(most.atHost, sameHost.length);
			});
			return addresses.map((address) => foundOf(address));
		},
	};
	/** Ends every turn but those of the named domain, until only these are left. */
	const endAllBut = async (domain: string | null): Promise<void> => {
		await settled();
		for (let at = open.findIndex((turn) => turn.domain !== domain); at >= 0;) {
			open.splice(at, 1)[0]?.end();
			await settled();
			at = open.findIndex((turn) => turn.domain !== domain);
		}
	};
	return { services, most, lookedUp, open, endAllBut };
}

/** A part whose every address has its answer at once. */
const answering = (found: (address: Address) => Conclusion): ExaminePartServices => ({
	...turns((domain) => domain).services,
	examineAddresses: (addresses) => Promise.resolve(addresses.map(found)),
});

const THIRTY = Array.from({ length: 30 }, (_, index) => `ada@x${index}.test`);

describe('a part', () => {
	test.each([
		['six conversations at a time', (domain: string) => `mx.${domain}`, { atAll: 6, atHost: 1 }],
		['three with one host, however many domains it serves', () => 'mx.test', { atAll: 3, atHost: 3 }],
	])(
		'holds %s, looks each domain up once, and comes to an end but for the one that is slow',
		async (_, hostOf, most) => {
			const world = turns(hostOf);
			const examined = examine(world.services, entriesOf([...THIRTY, 'bob@x0.test']));
			await world.endAllBut('x0.test');
			expect(world.open.map(({ domain }) => domain)).toEqual(['x0.test']);
			await world.endAllBut(null);
			expect((await examined).size).toBe(31);
			expect(world.most).toEqual(most);
			expect(world.lookedUp.toSorted()).toEqual(THIRTY.map((email) => email.slice(4)).toSorted());
		},
	);

	test('looks a domain up again when its turn comes, if that failed ahead of it', async () => {
		const world = turns((domain) => `mx.${domain}`);
		const lookUpMail = async (about: { domain: string }): Promise<LookedUpMail> => {
			const mail = await world.services.lookUpMail(about);
			const ofIt = world.lookedUp.filter((domain) => domain === 'x8.test');
			return about.domain === 'x8.test' && ofIt.length === 1 ? outage() : mail;
		};
		const examined = examine({ ...world.services, lookUpMail }, entriesOf(THIRTY));
		await world.endAllBut(null);
		expect((await examined).get(8)?.kind).toBe('final');
		expect(world.lookedUp.filter((domain) => domain === 'x8.test')).toHaveLength(2);
	});

	test('asks for the account, and again whom a turn did not reach, after the others', async () => {
		const asked: [How['asker'], string[]][] = [];
		const found = await examine(
			{
				...turns((domain) => domain).services,
				examineAddresses: (addresses: readonly Address[], { asker }: How) => {
					asked.push([asker, addresses.map(({ email }) => email)]);
					const isFirst = asked.length === 1;
					return Promise.resolve(
						addresses.map((address, at) => (isFirst && at > 0 ? null : foundOf(address))),
					);
				},
			},
			entriesOf(['ada@x.test', 'bob@x.test', 'eve@x.test']),
		);
		expect(asked).toEqual([
			['acc_1', ['ada@x.test', 'bob@x.test', 'eve@x.test']],
			['acc_1', ['bob@x.test', 'eve@x.test']],
		]);
		expect(found.size).toBe(3);
	});
});

async function examineAt(
	emails: readonly string[],
	server: ModelServer,
	deep: How['deep'] = 'never',
	zones: Readonly<Record<string, Zone>> = { 'x.test': { mx: ['10 mx1'] }, mx1: { a: ['8.8.8.1'] } },
) {
	const clock = fakeClock();
	const dialer = modelDialer(clock, server);
	const ports = portsOf(zones, fakeProber({ clock, dialer }), { clock });
	const manner: How = { ...NOT_DEEP, asker: 'acc_1', deep, class: 'list', ownOutcomeOf: () => null };
	const found = await examineAddresses(ports, { budgetMs: 15_000 }, emails.map(addressOf), manner);
	return { found, seen: dialer.seen, asked: ports.resolver.asked };
}

const says = (recipient: string): string => (/^[gj]/.test(recipient) ? OK : NO_SUCH_USER);

test('many addresses of one domain get the same scores in whatever order they are asked, also where one answer has other words', async () => {
	const wordy = (recipient: string): string =>
		recipient.startsWith('grace.hopper') ? '250 2.1.5 Recipient known' : OK;
	const emails = ['grace.hopper@x.test', 'john.smith@x.test', 'xkqzvwpt@x.test', 'info@x.test'];
	const scoresOf = async (order: readonly string[]): Promise<Record<string, unknown>> => {
		const { found } = await examineAt(order, { says: wordy }, 'always');
		return Object.fromEntries(order.map((email, at) => [email, found[at]?.judgement]));
	};
	const scores = await scoresOf(emails);
	expect(await scoresOf(emails.toReversed())).toEqual(scores);
	expect(await scoresOf([...emails.slice(2), ...emails.slice(0, 2)])).toEqual(scores);
	expect(JSON.stringify(scores['grace.hopper@x.test'])).toContain('reply:differs');
});

test('a score that other addresses of the list moved says so in a row, as the breakdown of a task does', async () => {
	const email = 'jane.doe@x.test';
	const peers = Array.from('abcdefgh', (initial) => `${initial}smith@x.test`);
	const sourceList = planListFacts(
		[...peers, email].map((one) => ({ email: one, status: 'unknown', catchAll: true })),
	);
	const judgement = judgeByName(addressOf(email), sourceList, 'greylisted');
	const services = answering((address) => ({
		...foundOf(address),
		outcome: { ...decidedBy('smtp', 'catch_all_unresolved'), catchAll: true, catchAllScore: judgement.score },
		judgement,
	}));
	const rowOf = async (deep: How['deep']) => {
		const found = (await examine(services, entriesOf([email]), { deep })).get(0);
		if (found?.kind !== 'final') throw new Error('it is answered');
		return found.row;
	};
	const row = await rowOf('catch_all');
	expect(listEffectIn(row)).not.toBe(0);
	expect(listEffectIn(row)).toBe(listEffectOf(judgement.breakdown));
	expect(listEffectIn(await rowOf('always'))).toBe(listEffectIn(row));
});

test.each<[string, Readonly<Record<string, Zone>>, boolean]>([
	['the domain’s name servers fail', { 'x.test': { mx: 'server_failure' } }, true],
	['those of its mail host do', { 'x.test': { mx: ['10 mx1'] }, mx1: { a: 'server_failure' } }, true],
	['they are silent', { 'x.test': { mx: 'timeout' } }, false],
	['those of its mail host are', { 'x.test': { mx: ['10 mx1'] }, mx1: { a: 'timeout' } }, false],
	['the domain does not exist', {}, false],
])('whether a look-up failed in a way that may pass: %s', async (_, zones, mayPass) => {
	const { found } = await examineAt(['ada@x.test', 'bob@x.test'], { says }, 'never', zones);
	expect(found.map((one) => one?.nameServersFail === true)).toEqual([mayPass, mayPass]);
});

test('an answer that may get better is told from one that will not', async () => {
	const services = answering((address) =>
		foundOf(address, address.domain === 'x.test' ? 'greylisted' : 'timeout'),
	);
	const found = await examine(services, entriesOf(['ada@x.test', 'bob@y.test']));
	expect(found.get(0)).toMatchObject({ kind: 'again' });
	expect(found.get(1)).toMatchObject({ kind: 'final' });
});

const outage = (): Promise<never> =>
	Promise.reject(new ServiceError('upstream_unavailable', 'No outgoing connection for mail is available'));

/** A part whose domains meet faults: `faultOf` gives what the nth turn of one fails with, or null. */
async function withFaults(
	emails: readonly string[],
	faultOf: (domain: string, nth: number) => Promise<never> | null,
) {
	const turnsOf = new Map<string, number>();
	const { services } = turns((domain) => domain);
	const found = await examine(
		{
			...services,
			examineAddresses: (addresses) => {
				const domain = addresses[0]?.domain ?? '';
				const nth = (turnsOf.get(domain) ?? 0) + 1;
				turnsOf.set(domain, nth);
				return faultOf(domain, nth) ?? Promise.resolve(addresses.map((address) => foundOf(address)));
			},
		},
		entriesOf(emails),
	);
	return { kinds: emails.map((_, index) => found.get(index)?.kind), turnsOf };
}

describe('a fault of ours', () => {
	test.each<[string, () => Promise<never>, RowOutcome['kind'], number]>([
		['of our means', outage, 'later', 2],
		['in our own code', () => Promise.reject(new Error('a mistake')), 'again', 1],
	])('%s is that of one domain: all others are answered', async (_, fault, kind, tried) => {
		vi.spyOn(console, 'error').mockImplementation(() => {});
		const { kinds, turnsOf } = await withFaults(THIRTY, (domain) => (domain === 'x3.test' ? fault() : null));
		expect(kinds).toEqual(THIRTY.map((email) => (email === 'ada@x3.test' ? kind : 'final')));
		expect(turnsOf.get('x3.test')).toBe(tried);
	});

	test('of a moment is over when the others have had their turn', async () => {
		const { kinds, turnsOf } = await withFaults(THIRTY, (domain, nth) =>
			nth === 1 && domain.endsWith('3.test') ? outage() : null,
		);
		expect(new Set(kinds)).toEqual(new Set(['final']));
		expect(turnsOf.get('x13.test')).toBe(2);
	});

	test('that every domain meets is noticed: the rest is not tried', async () => {
		const many = Array.from({ length: 250 }, (_, index) => `ada@x${index}.test`);
		const { kinds, turnsOf } = await withFaults(many, outage);
		expect(new Set(kinds)).toEqual(new Set(['later']));
		expect([...turnsOf.values()].reduce((sum, turn) => sum + turn, 0)).toBeLessThan(20);
	});
});

describe('where the account’s free answers of the day run out', () => {
	/** What comes of mailboxes at one host, which says nothing of anybody but those that begin with `good`. */
	async function examineMany(word: string, count: number, asker: Partial<Asking>) {
		const asked: number[] = [];
		const { services } = turns(() => 'mx.x.test');
		const examineSome = (addresses: readonly Address[], { mayAsk = true }: How): Promise<Conclusion[]> => {
			if (mayAsk) asked.push(addresses.length);
			const said = word === 'good' ? 'accepted_email' : 'timeout';
			return Promise.resolve(addresses.map((address) => foundOf(address, mayAsk ? said : 'free_limit')));
		};
		const emails = Array.from({ length: count }, (_, n) => `${word}${n}@x.test`);
		const all = await examine({ ...services, examineAddresses: examineSome }, entriesOf(emails), asker);
		return { all, asked, kinds: emails.map((_, index) => all.get(index)?.kind), begun: services.clock.now() };
	}
	const many = (kind: string, count: number) => Array.from({ length: count }, () => kind);

	test('a list asks about no more than may stay without a charge, and waits with the others', async () => {
		const { all, asked, kinds, begun } = await examineMany('nobody', 20, { freeAnswersLeft: 3 });
		expect([asked, kinds]).toEqual([[3], [...many('final', 3), ...many('later', 17)]]);
		const last = all.get(19);
		expect(last?.kind === 'later' && Number(last.until) - begun).toBe(15 * 60_000);
	});

	test('a small job ends, and says so', async () => {
		const { all } = await examineMany('nobody', 1, { freeAnswersLeft: 0, class: 'small' });
		const row = all.get(0);
		expect(row?.kind === 'final' && row.row[2]).toBe('free_limit');
	});

	test('answers that are charged buy further questions', async () => {
		const { kinds, asked } = await examineMany('good', 20, { freeAnswersLeft: 1 });
		expect([kinds, asked]).toEqual([many('final', 20), [1, 2, 4, 8, 5]]);
	});
});
