import { ageInDays, isPublished } from './domain-facts.ts';
import type { DomainFacts } from './domain-facts.ts';
import { findRegistrable } from '../dns/registrable.ts';
import { readTldRisk } from './domain/tld-risk.ts';
import type { WkdFinding } from './domain/published.ts';
import { DOMAIN_WEIGHTS } from './domain-weights.ts';
import type { DomainWeight, DomainWeights } from './domain-weights.ts';
import type { Signal, SignalGroup } from './scorecard.ts';
import { DAY_MS } from '../../lib/time.ts';

type Make = (group: SignalGroup, weight: DomainWeight, text: string, label?: string) => Signal;

/** Turns the facts about a domain into signals. A fact that was not measured gives no signal. */
export function domainSignals(
	facts: DomainFacts,
	weights: DomainWeights = DOMAIN_WEIGHTS,
): readonly Signal[] {
	const make = maker(weights);
	return [
		...authSignals(facts, make),
		...webSignals(facts, make),
		...parkingSignals(facts, make, weights),
		...listSignals(facts, make),
		...ageSignals(facts, make),
	];
}

/** The signal that the domain publishes this very address, or none. The website takes precedence over the DNS. */
export function publishedSignals(
	facts: DomainFacts,
	localPart: string,
	weights: DomainWeights = DOMAIN_WEIGHTS,
): readonly Signal[] {
	const make = maker(weights);
	const where = isPublished(facts, localPart);
	if (where.includes('site') || where.includes('security_txt'))
		return [make('footprint', 'published:onsite', 'The domain publishes this address on its own website.')];
	if (where.length > 0)
		return [make('footprint', 'published:dns', 'The domain publishes this address in its own DNS records.')];
	return [];
}

/** The signal of a Web Key Directory; null: not asked, or it returns a key for any address. */
export function wkdSignals(
	found: WkdFinding | null,
	weights: DomainWeights = DOMAIN_WEIGHTS,
): readonly Signal[] {
	const make = maker(weights);
	if (found === null) return [];
	return found === 'key'
		? [
				make(
					'footprint',
					'wkd:key',
					'The domain’s own key directory has a key for this address, and none for an invented one.',
				),
			]
		: [make('footprint', 'wkd:none', 'The domain’s own key directory has no key for this address.')];
}

function maker(weights: DomainWeights): Make {
	return (group, weight, text, label = weight) => ({ group, label, points: weights[weight], text });
}

const SPF_TEXT = {
	ok: 'The domain says which servers send its mail (SPF).',
	missing: 'The domain does not say which servers send its mail (no SPF).',
	several: 'The domain has several SPF records, which is an error.',
	sends_no_mail: 'The domain declares that it sends no mail at all (SPF -all).',
} as const;

const DMARC_TEXT = {
	reject: 'DMARC policy “reject”: the domain manages its mail.',
	quarantine: 'DMARC policy “quarantine”: the domain manages its mail.',
	none: 'DMARC policy “none”: the domain watches its mail.',
	missing: 'The domain has no DMARC policy.',
} as const;

function authSignals({ dns, mtaSts }: DomainFacts, make: Make): Signal[] {
	const { spf, dmarc, dkim, tlsRpt, bimi, dnssec, dane } = dns;
	const signals: Signal[] = [];
	if (spf !== null) signals.push(make('auth', `spf:${spf}`, SPF_TEXT[spf]));
	if (dmarc !== null) signals.push(make('auth', `dmarc:${dmarc}`, DMARC_TEXT[dmarc]));
	if (dkim === 'selectors') signals.push(make('auth', 'dkim:selectors', 'The domain signs its mail (DKIM).'));
	if (dkim === 'none')
		signals.push(make('auth', 'dkim:none', 'No sign that the domain signs its mail (DKIM).'));
	const sts = mtaSts ?? dns.mtaSts;
	if (sts !== null) {
		const has = sts === 'missing' || sts === 'none' ? 'has no policy' : 'has a policy';
		signals.push(make('auth', `mta_sts:${sts}`, `The domain ${has} for encrypted delivery (MTA-STS).`));
	}
	const rare = [
		['tls_rpt', tlsRpt, 'wants reports about encrypted delivery (TLS-RPT)'],
		['bimi', bimi, 'shows a logo beside its mail (BIMI)'],
		['dane', dane, 'pins the certificate of its mail server (DANE)'],
	] as const;
	for (const [name, finding, does] of rare) {
		if (finding === null) continue;
		const text = finding === 'present' ? `The domain ${does}.` : `Nothing says that the domain ${does}.`;
		signals.push(make('auth', `${name}:${finding}`, text));
	}
	if (dnssec === 'signed')
		signals.push(make('auth', 'dnssec:signed', 'The domain’s DNS is signed (DNSSEC).'));
	if (dnssec === 'unsigned')
		signals.push(make('auth', 'dnssec:unsigned', 'Nothing says that the domain’s DNS is signed (DNSSEC).'));
	return signals;
}

const WEBSITE_TEXT = {
	own: 'The domain has a website of its own.',
	unreachable: 'The domain has no website: neither it nor its www name has an address.',
	default_page: 'The domain shows nothing but the default page of a web server.',
	for_sale: 'The domain’s website offers the domain for sale.',
	redirects_elsewhere: 'The domain’s website leads to a domain of another name.',
	redirects_sibling: 'The domain’s website leads to the same name under another ending.',
} as const;

function webSignals({ website }: DomainFacts, make: Make): Signal[] {
	return website === null ? [] : [make('web', `website:${website}`, WEBSITE_TEXT[website])];
}

function parkingSignals(facts: DomainFacts, make: Make, weights: DomainWeights): Signal[] {
	const { registration, website } = facts;
	const { parking } = facts.dns;
	const found: Signal[] = [];
	if (parking !== null && parking.kind !== 'none') {
		const by = { name_server: 'name servers', address: 'address', alias: 'alias' }[parking.kind];
		found.push(
			make(
				'parking',
				`parking:${parking.kind}`,
				`Its ${by} are those of a parking service (${parking.service}).`,
			),
		);
	}
	if (website === 'for_sale')
		found.push(make('parking', 'parking:for_sale', 'Its website offers the domain for sale.'));
	const [worst] = found.toSorted((a, b) => a.points - b.points);
	const signals: Signal[] = worst === undefined ? [] : [worst];
	if (worst === undefined && parking?.kind === 'none')
		signals.push(make('parking', 'parking:none', 'No name server or address of a parking service.'));
	if (registration?.kind !== 'registered') return signals;
	const holds = registration.holds.map((hold) => `rdap_status:${hold.replace(' ', '_')}` as DomainWeight);
	const [hold] = holds.toSorted((a, b) => weights[a] - weights[b]);
	signals.push(
		hold === undefined
			? make('parking', 'rdap_status:ok', 'The registry has no hold on the domain.')
			: make('parking', hold, 'The registry has switched the domain off, or is about to.'),
	);
	return signals;
}

function listSignals({ domain, dns }: DomainFacts, make: Make): Signal[] {
	const signals: Signal[] = [];
	const registrable = findRegistrable(domain);
	if (registrable !== null) {
		const risk = readTldRisk(registrable.suffix);
		const text = {
			high_abuse: 'Of the domains under this ending, many more than usual are made for abuse.',
			restricted: 'Only public bodies and schools get a domain under this ending.',
			ordinary: 'The ending of the domain says nothing.',
		}[risk];
		signals.push(make('lists', `tld_risk:${risk}`, text));
	}
	const { wildcardMx, wildcardAddress } = dns;
	if (wildcardMx === true)
		signals.push(make('lists', 'wildcard:mx', 'Any name below the domain has a mail server.'));
	if (wildcardAddress === true)
		signals.push(make('lists', 'wildcard:address', 'Any name below the domain has an address.'));
	if (wildcardMx === false && wildcardAddress === false)
		signals.push(make('lists', 'wildcard:none', 'Invented names below the domain do not exist.'));
	return signals;
}

const EVENT_DAYS = 60;
const EXPIRES_DAYS = 14;
const AGE_STEPS = [7, 30, 90, 180, 365, 1095, 3652] as const;

function ageSignals(facts: DomainFacts, make: Make): Signal[] {
	const { registration, measuredAt } = facts;
	if (registration?.kind !== 'registered') return [];
	const signals: Signal[] = [];
	const days = ageInDays(facts);
	if (days !== null) {
		const step = AGE_STEPS.find((limit) => days <= limit);
		const age = days <= 365 ? `${days}d` : `${Math.floor(days / 365.25)}y`;
		const words = days <= 365 ? `${days} days` : `${Math.floor(days / 365.25)} years`;
		signals.push(
			make('age', `age:${step ?? 'older'}`, `The domain was registered ${words} ago.`, `age:${age}`),
		);
	}
	const isRecent = (at: number | null): boolean => at !== null && measuredAt - at < EVENT_DAYS * DAY_MS;
	if (isRecent(registration.reregisteredAt))
		signals.push(
			make(
				'age',
				'age_event:reregistration',
				'The domain had lapsed and was registered anew a short while ago.',
			),
		);
	else if (isRecent(registration.transferredAt))
		signals.push(make('age', 'age_event:transfer', 'The domain changed its registrar a short while ago.'));
	const { expiresAt } = registration;
	if (expiresAt !== null && expiresAt - measuredAt < EXPIRES_DAYS * DAY_MS)
		signals.push(
			make('age', 'age_event:expires_soon', 'The registration ends within two weeks, or has ended.'),
		);
	return signals;
}
