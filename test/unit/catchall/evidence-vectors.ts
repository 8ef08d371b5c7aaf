import { domainSignals, publishedSignals, wkdSignals } from '../../../src/core/catchall/domain-signals.ts';
import { addressDigest } from '../../../src/core/catchall/domain/published.ts';
import { planListFacts } from '../../../src/core/catchall/list/list-facts.ts';
import type { ListedAddress } from '../../../src/core/catchall/list/list-facts.ts';
import { listSignals } from '../../../src/core/catchall/list/list-signals.ts';
import { mailboxSignals } from '../../../src/core/catchall/mailbox/mailbox-signals.ts';
import type { Signal } from '../../../src/core/catchall/scorecard.ts';
import { makeFacts, registration } from '../../support/unit/domain-facts.ts';

type Facts = Parameters<typeof makeFacts>[0];

/** Real evidence, and the signals that are found in it. What they come to: evidence-weights.test.ts. */
export type EvidenceVector = readonly [name: string, signals: () => readonly Signal[]];

const mailbox = (localPart: string): EvidenceVector => [
	localPart,
	() => mailboxSignals(localPart, { domain: 'acme.example' }),
];

export const MAILBOX_VECTORS: readonly EvidenceVector[] = [
	mailbox('peter.schmidt'),
	mailbox('pschmidt'),
	mailbox('peter'),
	mailbox('info'),
	mailbox('billing'),
	mailbox('noreply'),
	mailbox('xkqzvwpt'),
	mailbox('xkqzvw'),
	mailbox('test'),
	mailbox('deadbeefdeadbeef'),
	mailbox('oberhuemer1234'),
	mailbox('12345'),
	mailbox('j'),
	mailbox(`oberhuemer.${'oberhuemer'.repeat(2)}`),
	mailbox('oberhuemer+news'),
];

/** Distinct people by pattern, of one name each: a number behind it is another mailbox and the same name. */
const PEOPLE: readonly (readonly [name: string, count: number])[] = [
	['anna.schmidt', 90],
	['pbecker', 32],
	['maria', 28],
	['t.wagner', 10],
	['laurahoffmann', 10],
	['martin_novak', 6],
	['rossi', 4],
	['julia.k', 4],
	['kowalski.stefan', 4],
	['nilssonq', 2],
	['oberhuemer', 10],
];
const numbered = (name: string, count: number): readonly string[] =>
	Array.from({ length: count }, (_, n) => (n === 0 ? name : `${name}${n}`));
const COMPANY = PEOPLE.flatMap(([name, count]) => numbered(name, count));
const WAYS =
	'peter.schmidt pschmidt p.schmidt peter_schmidt schmidt.peter peterschmidt schmidtp peter.s schmidt_peter schmidt.p peters schmidtpeter'.split(
		' ',
	);

const onCatchAll = (localParts: readonly string[]): ListedAddress[] =>
	localParts.map((localPart) => ({ email: `${localPart}@acme.example`, status: 'risky', catchAll: true }));
const decided = (good: number, bad: number): ListedAddress[] =>
	Array.from({ length: good + bad }, (_, at) => ({
		email: `someone${at}@plain.example`,
		status: at < good ? 'deliverable' : 'undeliverable',
		catchAll: false,
	}));
const listed = (name: string, localPart: string, list: readonly ListedAddress[]): EvidenceVector => [
	name,
	() => listSignals(`${localPart}@acme.example`, planListFacts(list)),
];
const peers = (count: number): readonly string[] => numbered('anna.schmidt', count + 1);

export const LIST_VECTORS: readonly EvidenceVector[] = [
	listed('as twenty others', 'anna.schmidt', onCatchAll(peers(20))),
	listed('as three others', 'anna.schmidt', onCatchAll(peers(3))),
	listed('as two others', 'anna.schmidt', onCatchAll(peers(2))),
	listed('unlike three others', 'pbecker', onCatchAll([...peers(2), 'pbecker'])),
	listed('unlike twenty others', 'pbecker', onCatchAll([...peers(19), 'pbecker'])),
	...PEOPLE.map(([name]) => listed(`${name} of a usual company`, name, onCatchAll(COMPANY))),
	listed(
		'one name in 12 ways, of which this is that of twenty others',
		'peter.schmidt',
		onCatchAll([...numbered('anna.wagner', 20), ...WAYS]),
	),
	...[2, 3, 4, 5, 8].map((ways) =>
		listed(`one name in ${ways} ways`, 'peter.schmidt', onCatchAll(WAYS.slice(0, ways))),
	),
	...[
		[45, 0],
		[49, 0],
		[50, 0],
		[36, 14],
		[40, 12],
		[26, 24],
		[0, 50],
	].map(([good = 0, bad = 0]) =>
		listed(`${good} exist, ${bad} do not`, 'peter', [...decided(good, bad), ...onCatchAll(['peter'])]),
	),
];

const domain = (name: string, facts: Facts): EvidenceVector => [name, () => domainSignals(makeFacts(facts))];
const aged = (age: number): EvidenceVector =>
	domain(`${age} days old`, { registration: registration({ age }) });
const held = (hold: NonNullable<Parameters<typeof registration>[0]['holds']>[number]): EvidenceVector =>
	domain(hold, { registration: registration({ holds: [hold] }) });
const publishedAt = (where: 'site' | 'soa'): EvidenceVector => [
	`published: ${where}`,
	() =>
		publishedSignals(
			makeFacts({ publishedInDns: [{ digest: addressDigest('info', 'acme.com'), where }] }),
			'info',
		),
];

export const DOMAIN_VECTORS: readonly EvidenceVector[] = [
	...(['ok', 'missing', 'several', 'sends_no_mail'] as const).map((spf) =>
		domain(`SPF ${spf}`, { dns: { spf } }),
	),
	...(['reject', 'quarantine', 'none', 'missing'] as const).map((dmarc) =>
		domain(`DMARC ${dmarc}`, { dns: { dmarc } }),
	),
	...(['selectors', 'none'] as const).map((dkim) => domain(`DKIM ${dkim}`, { dns: { dkim } })),
	...(['enforce', 'testing', 'record', 'none', 'missing'] as const).map((mtaSts) =>
		domain(`MTA-STS ${mtaSts}`, { mtaSts }),
	),
	...(['present', 'missing'] as const).flatMap((found) => [
		domain(`TLS-RPT ${found}`, { dns: { tlsRpt: found } }),
		domain(`BIMI ${found}`, { dns: { bimi: found } }),
		domain(`DANE ${found}`, { dns: { dane: found } }),
	]),
	...(['signed', 'unsigned'] as const).map((dnssec) => domain(`DNSSEC ${dnssec}`, { dns: { dnssec } })),
	...(
		['own', 'unreachable', 'default_page', 'redirects_elsewhere', 'redirects_sibling', 'for_sale'] as const
	).map((website) => domain(`website ${website}`, { website })),
	domain('not parked', { dns: { parking: { kind: 'none' } } }),
	...(['name_server', 'address', 'alias'] as const).map((kind) =>
		domain(`parked by ${kind}`, { dns: { parking: { kind, service: 'Sedo' } } }),
	),
	...(['client hold', 'server hold', 'redemption period', 'pending delete'] as const).map(held),
	domain('acme.top', { domain: 'acme.top' }),
	domain('acme.gov', { domain: 'acme.gov' }),
	domain('no wildcard', { dns: { wildcardMx: false, wildcardAddress: false } }),
	domain('wildcard MX', { dns: { wildcardMx: true, wildcardAddress: false } }),
	domain('wildcard address', { dns: { wildcardMx: false, wildcardAddress: true } }),
	...[7, 8, 30, 31, 90, 91, 180, 181, 365, 366, 1095, 1096, 3652, 3653].map((age) => aged(age)),
	domain('moved', { registration: registration({ age: 2000, transferred: 10 }) }),
	domain('registered anew', { registration: registration({ age: 2000, reregistered: 10 }) }),
	domain('ends soon', { registration: registration({ age: 2000, expiresIn: 5 }) }),
	publishedAt('site'),
	publishedAt('soa'),
	['WKD key', () => wkdSignals('key')],
	['WKD none', () => wkdSignals('none')],
];
