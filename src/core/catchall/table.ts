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
	'website:redirects_elsewhere': ['domain_triage', -1],
	'website:redirects_sibling': ['domain_triage', 0],
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

/** One measured fact. A fact that could not be measured gives none: it costs coverage, never points. */
export interface Finding {
	readonly section: SectionName;
	/** The fact and its result, `dmarc:reject`: unique among the findings of an address. */
	readonly label: string;
	/** By how much it moves the score: the same number in every score. */
	readonly points: number;
	readonly meaning: Meaning | null;
	/** One sentence for people, without the address. */
	readonly text: string;
}

/** A finding of the table; `label` where it says more than the row's name. */
export function finding(name: FindingName, text: string, label: string = name): Finding {
	const [section, points, meaning]: Row = TABLE[name];
	return { section, label, points, meaning: meaning ?? null, text };
}
