// The catch-all score in one table: what each finding adds, and what it decides. Points add plainly. The small findings
// together stay within -4 and +4, so that none of them decides a verdict: they place the score inside its band.

/** The sections of a breakdown, in the order in which they are shown. */
export const SECTIONS = [
	'domain_triage',
	'domain_age',
	'mailbox',
	'smtp',
	'public_evidence',
	'list',
] as const;
export type SectionName = (typeof SECTIONS)[number];

/** The version of everything that turns evidence into a score and a verdict: a change of a point or a rule needs a new one. */
export const MODEL = 'catchall-scorecard/2.0.0';

/** Where every score begins: an address of a list at a healthy catch-all domain is good seven times in ten. */
export const BASE = 70;

/** The score where no server could be asked: what is known of the domain says nothing about the mailbox then. */
export const NOTHING_HEARD = 50;

/** No evidence makes a mailbox as certain as a server that confirms it, which has 90 at least. */
export const EVIDENCE_MOST = 89;

/**
 * The meaning of a finding beyond its points; `judge.ts` has the rules. `open_route`: a domain that accepts invented
 * recipients there has set up a catch-all. `name`: a person's or a role's. `fits`, `differs`: beside at least three
 * colleagues. `mailbox`: about this very mailbox. `bad_domain`: outweighs everything that is not about the mailbox.
 * `dead_domain`, `loser`: a witness against the mailbox. `junk_name`: one only with a second, a bad domain.
 */
export type Meaning =
	| 'open_route'
	| 'name'
	| 'fits'
	| 'differs'
	| 'mailbox'
	| 'bad_domain'
	| 'dead_domain'
	| 'loser'
	| 'junk_name';

type Row = readonly [section: SectionName, points: number, meaning?: Meaning];

const TABLE = {
	// A host that refuses unknown users unless a catch-all was set up says more than one that accepts everything.
	'route:validating': ['domain_triage', 11, 'open_route'],
	'route:hosting': ['domain_triage', 10, 'open_route'],
	'route:microsoft365': ['domain_triage', 1],
	'route:seg_callahead': ['domain_triage', 1],
	'route:seg': ['domain_triage', 0],
	'route:blind': ['domain_triage', 0],
	'route:unknown': ['domain_triage', 0],
	'disposable:yes': ['domain_triage', -30, 'bad_domain'],
	typo: ['domain_triage', -30, 'bad_domain'],
	'spf:ok': ['domain_triage', 1],
	'spf:missing': ['domain_triage', -1],
	// RFC 7208 §4.5: two records are an error, but a common one on live domains.
	'spf:several': ['domain_triage', 0],
	'spf:sends_no_mail': ['domain_triage', -1],
	'dmarc:reject': ['domain_triage', 1],
	'dmarc:quarantine': ['domain_triage', 1],
	'dmarc:none': ['domain_triage', 0],
	'dmarc:missing': ['domain_triage', -1],
	'website:own': ['domain_triage', 1],
	'website:unreachable': ['domain_triage', -1],
	'website:default_page': ['domain_triage', -1],
	'website:redirects': ['domain_triage', 0],
	'website:for_sale': ['domain_triage', -60, 'dead_domain'],
	'parking:none': ['domain_triage', 0],
	'parking:found': ['domain_triage', -60, 'dead_domain'],
	'rdap_status:ok': ['domain_triage', 0],
	'rdap_status:hold': ['domain_triage', -60, 'dead_domain'],
	'age:days': ['domain_age', -25, 'bad_domain'],
	'age:months': ['domain_age', -1],
	'age:years': ['domain_age', 0],
	'age:long': ['domain_age', 1],
	name: ['mailbox', 4, 'name'],
	role: ['mailbox', 4, 'name'],
	'role:noreply': ['mailbox', -8],
	'gibberish:strong': ['mailbox', -30],
	'gibberish:weak': ['mailbox', -12],
	'digits:4+': ['mailbox', -10],
	'length:1': ['mailbox', -10],
	'shape:other': ['mailbox', 0],
	placeholder: ['mailbox', -35, 'junk_name'],
	hash_like: ['mailbox', -35, 'junk_name'],
	'domain_pattern:fits': ['mailbox', 10, 'fits'],
	'domain_pattern:neutral': ['mailbox', 0],
	'domain_pattern:differs': ['mailbox', -10, 'differs'],
	permutation_set: ['mailbox', -60, 'loser'],
	'permutation_set:small': ['mailbox', -16, 'differs'],
	'randoms:accepted': ['smtp', 0],
	'reply:same': ['smtp', 0],
	'reply:by_position': ['smtp', 0],
	'reply:differs': ['smtp', 14, 'mailbox'],
	'reply:busy': ['smtp', 20, 'mailbox'],
	'published:onsite': ['public_evidence', 14, 'mailbox'],
} as const satisfies Readonly<Record<string, Row>>;

/** The name of a row of the table. */
export type FindingName = keyof typeof TABLE;
export const FINDING_NAMES = Object.keys(TABLE) as readonly FindingName[];

// One sentence for people each, without the address. `{}` stands for what was found.
const TEXTS: Readonly<Record<FindingName, string>> = {
	'route:validating':
		'{} refuses unknown recipients unless the domain set up a catch-all, so what it accepts goes to somebody.',
	'route:hosting':
		'{} is a hosting company, where accepting everybody usually means that a mailbox collects it.',
	'route:microsoft365':
		'{} accepts everybody for some domains with a catch-all, and for others that bounce later.',
	'route:seg_callahead':
		'{} asks the mail server behind it before it accepts, and that one accepts everybody too.',
	'route:seg': '{} accepts every recipient for this domain, so its acceptance is not evidence.',
	'route:blind':
		'{} accepts every recipient while asked, existing or not, so its acceptance is not evidence.',
	'route:unknown': '{}.',
	'disposable:yes': 'The domain belongs to a disposable mail service.',
	typo: 'The domain is one slip away from {}; such domains accept everything.',
	'spf:ok': 'The domain says which servers send its mail (SPF).',
	'spf:missing': 'The domain does not say which servers send its mail (no SPF).',
	'spf:several': 'The domain has several SPF records, which is an error.',
	'spf:sends_no_mail': 'The domain declares that it sends no mail at all (SPF -all).',
	'dmarc:reject': 'DMARC policy “reject”: the domain manages its mail.',
	'dmarc:quarantine': 'DMARC policy “quarantine”: the domain manages its mail.',
	'dmarc:none': 'DMARC policy “none”: the domain watches its mail.',
	'dmarc:missing': 'The domain has no DMARC policy.',
	'website:own': 'The domain has a website of its own.',
	'website:unreachable': 'The domain has no website: neither it nor its www name has an address.',
	'website:default_page': 'The domain shows nothing but the default page of a web server.',
	'website:redirects': 'The domain’s website leads to another domain.',
	'website:for_sale': 'The domain’s website offers the domain for sale.',
	'parking:none': 'No name server or address of a parking service.',
	'parking:found': 'A parking service shows the domain: {}.',
	'rdap_status:ok': 'The registry has no hold on the domain.',
	'rdap_status:hold': 'The registry has switched the domain off, or is about to.',
	'age:days': 'The domain was registered {} ago.',
	'age:months': 'The domain was registered {} ago.',
	'age:years': 'The domain was registered {} ago.',
	'age:long': 'The domain was registered {} ago.',
	name: 'The mailbox name contains a known name.',
	role: 'The mailbox is named after a function, as many companies do.',
	'role:noreply': 'The mailbox only sends; nobody is meant to write to it.',
	'gibberish:strong': 'The letters of the mailbox name follow one another as in no name or word.',
	'gibberish:weak': 'The letters of the mailbox name follow one another as in no name or word.',
	'digits:4+': 'The mailbox name is a number, or has four digits or more.',
	'length:1': 'The mailbox name has a single character.',
	'shape:other': 'The mailbox name speaks neither for nor against a person.',
	placeholder: 'The mailbox name is what people type to get past a form.',
	hash_like: 'The mailbox name looks machine-made: a hash, an id or a return path.',
	'domain_pattern:fits': 'In the list, {}.',
	'domain_pattern:neutral': 'In the list, {}.',
	'domain_pattern:differs': 'In the list, {}.',
	permutation_set:
		'The list has {} ways to write this name at this domain; another one is much more likely to be right.',
	'permutation_set:small':
		'The list has {} ways to write this name at this domain; another one is much more likely to be right.',
	'randoms:accepted': 'The server accepted {} invented recipients of the domain too.',
	'reply:same': 'The server accepts this address in the same words as invented ones.',
	'reply:by_position': 'The server words its first answer differently, whichever address is asked first.',
	'reply:differs': 'The server accepts this address in other words than every invented one.',
	'reply:busy': 'The server says of this address alone that it receives too much mail: it exists.',
	'published:onsite': 'The domain publishes this address on its own website.',
};

/** One measured fact. A fact that could not be measured gives none: it costs coverage, never points. */
export interface Finding {
	readonly section: SectionName;
	/** The fact and its result, `dmarc:reject`: unique among the findings of an address. */
	readonly label: string;
	/** By how much it moves the score: the same number in every score. */
	readonly points: number;
	readonly meaning: Meaning | null;
	readonly text: string;
}

/** A finding of the table; `label` where it says more than the row's name. */
export function finding(name: FindingName, found = '', label: string = name): Finding {
	const [section, points, meaning]: Row = TABLE[name];
	return { section, label, points, meaning: meaning ?? null, text: TEXTS[name].replace('{}', () => found) };
}
