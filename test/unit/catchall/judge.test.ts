import { describe, expect, test } from 'vitest';
import { domainFindings } from '../../../src/core/catchall/domain.ts';
import type { DomainFacts } from '../../../src/core/catchall/domain.ts';
import { addressDigest } from '../../../src/core/catchall/domain/published.ts';
import type { CatchAllEvidence } from '../../../src/core/catchall/evidence.ts';
import type { Judgement } from '../../../src/core/catchall/breakdown.ts';
import { listFindings, planListFacts } from '../../../src/core/catchall/list/list-facts.ts';
import { mailboxFinding } from '../../../src/core/catchall/mailbox/mailbox.ts';
import { GOOGLE, MIMECAST, OK, PROOFPOINT } from '../../support/unit/catch-all-evidence.ts';
import type { Told } from '../../support/unit/catch-all-evidence.ts';
import { BUSY, judge, ruleOf, words } from '../../support/unit/catch-all-judgement.ts';
import { makeFacts, registration } from '../../support/unit/domain-facts.ts';

const M365 = 'acme-com.mail.protection.outlook.com';
const HOSTING = 'smtpin.rzone.de';
const OWN = 'mail.x.test';

const WELL_KEPT: Partial<DomainFacts> = {
	spf: 'ok',
	dmarc: 'reject',
	parking: { kind: 'none' },
	website: 'own',
	registration: registration({ age: 12 * 366 }),
};
const NEGLECTED: Partial<DomainFacts> = {
	spf: 'missing',
	dmarc: 'missing',
	website: 'unreachable',
	registration: registration({ age: 200 }),
};
const FOUR = ['peter.schmidt', 'anna.becker', 'maria.novak', 'laura.rossi'];
const TYPO = { disposable: false, suggestedDomain: 'gmail.com' };
const DISPOSABLE = { disposable: true, suggestedDomain: null };

interface Asked {
	readonly facts?: Partial<DomainFacts>;
	/** Other addresses of the domain in its list. */
	readonly peers?: readonly string[];
	readonly lists?: CatchAllEvidence['lists'];
	readonly told?: Told;
	readonly ageNotTold?: boolean;
}

/** The judgement of an address at acme.com whose mail host accepted it and three invented recipients. */
function ask(host: string, localPart: string, asked: Asked = {}): Judgement {
	const { facts = WELL_KEPT, peers = [], lists, told, ageNotTold = false } = asked;
	const listed = [...peers, localPart].map((name) => `${name}@acme.com`);
	const list = planListFacts(listed.map((email) => ({ email, status: 'risky', catchAll: true })));
	const findings = [
		mailboxFinding(localPart, 'acme.com'),
		...domainFindings(makeFacts(facts), localPart),
		...listFindings(`${localPart}@acme.com`, list),
	];
	const measured = new Set(['auth', 'web', 'parking', 'age', 'mailbox'] as const);
	return judge({
		host,
		...told,
		rest: { findings, measured, ageNotTold, ...(lists === undefined ? {} : { lists }) },
	});
}

describe('an address of a catch-all domain', () => {
	const published = (name: string): Partial<DomainFacts> => ({
		...WELL_KEPT,
		published: [addressDigest(name, 'acme.com')],
	});
	const parked = { ...WELL_KEPT, parking: { kind: 'name_server', sign: 'ns1.sedoparking.com' } } as const;
	const young = { ...WELL_KEPT, registration: registration({ age: 20 }) };
	const differs: Told = { target: '250 2.1.5 local recipient ok', control: OK };

	test.each<[string, string, string, Asked, string]>([
		// A name or a role where acceptance means something, however well the domain is kept.
		['a name at a validating host', GOOGLE, 'peter.schmidt', {}, 'valid 89'],
		['… or at a hosting company', HOSTING, 'peter.schmidt', {}, 'valid 88'],
		['… at a neglected domain', HOSTING, 'peter.schmidt', { facts: NEGLECTED }, 'valid 80'],
		['a first name that the dictionary has alone', GOOGLE, 'john.doe', {}, 'valid 89'],
		['a role', GOOGLE, 'info', {}, 'valid 89'],
		['a name that no dictionary has', GOOGLE, 'mlindqvistsson.oberhuemer', {}, 'unknown 79 held:79'],
		['a name where a gateway accepts everybody', PROOFPOINT, 'peter.schmidt', {}, 'unknown 78'],
		['… or Microsoft, whose mail may bounce later', M365, 'info', {}, 'unknown 79'],
		['… or a server that nobody knows', OWN, 'peter.schmidt', {}, 'unknown 78'],
		// Evidence about this very mailbox, on any route.
		['published on the site', PROOFPOINT, 'qx', { facts: published('qx') }, 'valid 88'],
		['… with a name', PROOFPOINT, 'info', { facts: published('info') }, 'valid 89 held:89'],
		['another one published', PROOFPOINT, 'info', { facts: published('jane') }, 'unknown 78'],
		[
			'the server words its reply differently',
			MIMECAST,
			'peter.schmidt',
			{ told: differs },
			'valid 89 held:89',
		],
		[
			'the server says that it receives too much',
			OWN,
			'peter.schmidt',
			{ told: { target: BUSY } },
			'valid 89 held:89',
		],
		['written as its colleagues', PROOFPOINT, 'jonas.weber', { peers: FOUR }, 'valid 88'],
		['… and unlike them', PROOFPOINT, 'jweber', { peers: FOUR }, 'unknown 68'],
		['… at a validating host', GOOGLE, 'jweber', { peers: FOUR }, 'unknown 79'],
		['… and nobody knows the name', PROOFPOINT, 'xiblorf.snarg', { peers: FOUR }, 'unknown 79 held:79'],
		['two colleagues are too few', PROOFPOINT, 'jonas.weber', { peers: FOUR.slice(0, 2) }, 'unknown 78'],
		// A dead domain, or a witness against the mailbox.
		['parked', PROOFPOINT, 'peter.schmidt', { facts: parked }, 'invalid 17'],
		['… at a validating host', GOOGLE, 'peter.schmidt', { facts: parked }, 'invalid 20 held:20'],
		[
			'… written as its colleagues',
			GOOGLE,
			'jonas.weber',
			{ facts: parked, peers: FOUR },
			'invalid 20 held:20',
		],
		['for sale', PROOFPOINT, 'info', { facts: { ...WELL_KEPT, website: 'for_sale' } }, 'invalid 17'],
		[
			'on hold',
			PROOFPOINT,
			'info',
			{ facts: { ...WELL_KEPT, registration: registration({ age: 4_000, holds: ['client hold'] }) } },
			'invalid 17',
		],
		['a placeholder at a young domain', PROOFPOINT, 'test', { facts: young }, 'invalid 13'],
		['a hash at a misspelt domain', PROOFPOINT, 'deadbeefdeadbeef', { lists: TYPO }, 'invalid 9'],
		['a placeholder without a second witness', OWN, 'test', { facts: NEGLECTED }, 'unknown 31'],
		[
			'a spelling that lost to four others',
			GOOGLE,
			'weber.jonas',
			{ peers: ['jonas.weber', 'jweber', 'j.weber', 'jonasweber'] },
			'invalid 20 held:20',
		],
		[
			'a spelling beside two that may be other people',
			GOOGLE,
			'weber.jonas',
			{ peers: ['jonas.weber', 'jweber'] },
			'unknown 73',
		],
		[
			'the likeliest spelling of the three',
			PROOFPOINT,
			'jonas.weber',
			{ peers: ['weber.jonas', 'jweber'] },
			'unknown 78',
		],
		// The look of a name alone never makes an address invalid, nor does its domain.
		['hardly a vowel', OWN, 'dmtrvkrsv', { facts: NEGLECTED }, 'unknown 36'],
		['an initial run into a surname', OWN, 'hvanderschueren', { facts: NEGLECTED }, 'unknown 66'],
		['a student number', OWN, '20210345', { facts: NEGLECTED }, 'unknown 56'],
		['a single letter', OWN, 'x', { facts: NEGLECTED }, 'unknown 56'],
		[
			'a surname of two letters, unlike its colleagues',
			OWN,
			'xu',
			{ facts: NEGLECTED, peers: FOUR },
			'unknown 60',
		],
		[
			'junk at a young and misspelt domain',
			OWN,
			'xkqzvwpt',
			{ facts: young, lists: TYPO },
			'unknown 21 held:21',
		],
		// A domain that is not trusted carries nothing.
		['a young domain', GOOGLE, 'peter.schmidt', { facts: young }, 'unknown 63'],
		['a misspelt one', GOOGLE, 'peter.schmidt', { lists: TYPO }, 'unknown 59'],
		[
			'a disposable one, though published',
			GOOGLE,
			'info',
			{ facts: published('info'), lists: DISPOSABLE },
			'unknown 73',
		],
		[
			'the registry did not tell the age in time',
			GOOGLE,
			'peter.schmidt',
			{ ageNotTold: true },
			'unknown 79 held:79',
		],
		[
			'… which nothing else makes up for',
			PROOFPOINT,
			'info',
			{ facts: published('info'), ageNotTold: true },
			'unknown 79 held:79',
		],
	])('%s (%s, %s)', (_, host, localPart, asked, expected) => {
		const judgement = ask(host, localPart, asked);
		const [rule] = ruleOf(judgement);
		expect([words(judgement).replace(/ catch_all_\w+/, ''), rule ?? []].flat().join(' ')).toBe(expected);
	});

	test.each<[readonly ('auth' | 'web' | 'parking' | 'age' | 'mailbox')[], number, string]>([
		[['auth', 'web', 'parking', 'age', 'mailbox'], 1, 'valid'],
		[['auth', 'mailbox'], 0.6, 'valid'],
		[['parking', 'age', 'mailbox'], 0.55, 'unknown'],
		[[], 0.25, 'unknown'],
	])('of which %j was looked at beside the mail server (%f): %s', (items, coverage, verdict) => {
		const findings = [mailboxFinding('info', 'acme.com')];
		const judgement = judge({ host: GOOGLE, rest: { findings, measured: new Set(items) } });
		expect([judgement.breakdown.coverage, judgement.verdict]).toEqual([coverage, verdict]);
		if (verdict === 'unknown') expect([judgement.score, judgement.rule]).toEqual([50, 'unknown:coverage']);
	});

	test('ten strings of one domain that are written in none of the usual ways do not vouch for one another', () => {
		const junk = ['b7xkq', 'zz9plural', 'q1w2e', 'kxv2', 'mmz8r', 'tq77', 'w4rl', 'vv3ka', 'pl0qz', 'hh1x'];
		for (const name of junk) expect(ask(PROOFPOINT, name, { peers: junk }).verdict, name).toBe('unknown');
	});
});
