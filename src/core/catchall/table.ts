// The catch-all score in one table: what each finding adds, what it decides, and its words. Points add plainly. The small
// findings together stay within -4 and +4, so that none of them decides a verdict: they place the score inside its band.

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

/**
 * `text`: one sentence for people, without the address; `{}` stands for what was found. A finding of no points needs none,
 * since only its label is shown.
 */
type Row = readonly [points: number, text?: string, meaning?: Meaning];

const REGISTERED = 'The domain was registered {} ago.';
const GIBBERISH = 'The letters of the mailbox name follow one another as in no name or word.';
const SPELLINGS =
	'The list has {} ways to write this name at this domain; another one is much more likely to be right.';

/** By the sections of a breakdown, in the order in which they are shown. */
const TABLE = {
	domain_triage: {
		// A host that refuses unknown users unless a catch-all was set up says more than one that accepts everything.
		'route:validating': [
			11,
			'{} refuses unknown recipients unless the domain set up a catch-all, so what it accepts goes to somebody.',
			'open_route',
		],
		'route:hosting': [
			10,
			'{} is a hosting company, where accepting everybody usually means that a mailbox collects it.',
			'open_route',
		],
		'route:microsoft365': [
			1,
			'{} accepts everybody for some domains with a catch-all, and for others that bounce later.',
		],
		'route:seg_callahead': [
			1,
			'{} asks the mail server behind it before it accepts, and that one accepts everybody too.',
		],
		'route:seg': [0],
		'route:blind': [0],
		'route:unknown': [0],
		'disposable:yes': [-30, 'The domain belongs to a disposable mail service.', 'bad_domain'],
		typo: [-30, 'The domain is one slip away from {}; such domains accept everything.', 'bad_domain'],
		'spf:ok': [1, 'The domain says which servers send its mail (SPF).'],
		'spf:missing': [-1, 'The domain does not say which servers send its mail (no SPF).'],
		// RFC 7208 §4.5: two records are an error, but a common one on live domains.
		'spf:several': [0],
		'spf:sends_no_mail': [-1, 'The domain declares that it sends no mail at all (SPF -all).'],
		'dmarc:reject': [1, 'DMARC policy “reject”: the domain manages its mail.'],
		'dmarc:quarantine': [1, 'DMARC policy “quarantine”: the domain manages its mail.'],
		'dmarc:none': [0],
		'dmarc:missing': [-1, 'The domain has no DMARC policy of its own.'],
		'website:own': [1, 'The domain has a website of its own.'],
		'website:unreachable': [-1, 'The domain has no website: neither it nor its www name has an address.'],
		'website:default_page': [-1, 'The domain shows nothing but the default page of a web server.'],
		'website:redirects': [0],
		'website:for_sale': [-60, 'The domain’s website offers the domain for sale.', 'dead_domain'],
		'parking:none': [0],
		'parking:found': [-60, 'A parking service shows the domain: {}.', 'dead_domain'],
		'rdap_status:ok': [0],
		'rdap_status:hold': [-60, 'The registry has switched the domain off, or is about to.', 'dead_domain'],
	},
	domain_age: {
		'age:days': [-25, REGISTERED, 'bad_domain'],
		'age:months': [-1, REGISTERED],
		'age:years': [0],
		'age:long': [1, REGISTERED],
	},
	mailbox: {
		name: [4, 'The mailbox name contains a known name.', 'name'],
		role: [4, 'The mailbox is named after a function, as many companies do.', 'name'],
		'role:noreply': [-8, 'The mailbox only sends; nobody is meant to write to it.'],
		'gibberish:strong': [-30, GIBBERISH],
		'gibberish:weak': [-12, GIBBERISH],
		'digits:4+': [-10, 'The mailbox name is a number, or has four digits or more.'],
		'length:1': [-10, 'The mailbox name has a single character.'],
		'shape:other': [0],
		placeholder: [-35, 'The mailbox name is what people type to get past a form.', 'junk_name'],
		hash_like: [-35, 'The mailbox name looks machine-made: a hash, an id or a return path.', 'junk_name'],
		'domain_pattern:fits': [10, 'In the list, {}.', 'fits'],
		'domain_pattern:neutral': [0, 'In the list, {}.'],
		'domain_pattern:differs': [-10, 'In the list, {}.', 'differs'],
		permutation_set: [-60, SPELLINGS, 'loser'],
		'permutation_set:small': [-16, SPELLINGS, 'differs'],
	},
	smtp: {
		'randoms:accepted': [0],
		'reply:same': [0],
		'reply:by_position': [0],
		'reply:differs': [
			14,
			'The server accepts this address in other words than every invented one.',
			'mailbox',
		],
		'reply:busy': [
			20,
			'The server says of this address alone that it receives too much mail: it exists.',
			'mailbox',
		],
	},
	public_evidence: {
		'published:onsite': [14, 'The domain publishes this address on its own website.', 'mailbox'],
	},
	list: {},
} as const satisfies Readonly<Record<string, Readonly<Record<string, Row>>>>;

export type SectionName = keyof typeof TABLE;
export const SECTIONS = Object.keys(TABLE) as readonly SectionName[];

/** The name of a row of the table. */
export type FindingName = { [S in SectionName]: keyof (typeof TABLE)[S] }[SectionName];

const ROWS = Object.fromEntries(
	SECTIONS.flatMap((section) =>
		Object.entries<Row>(TABLE[section]).map(([name, row]) => [name, { section, row }] as const),
	),
) as Readonly<Record<FindingName, { readonly section: SectionName; readonly row: Row }>>;
export const FINDING_NAMES = Object.keys(ROWS) as readonly FindingName[];

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
	const { section, row } = ROWS[name];
	const [points, text = '', meaning = null] = row;
	return { section, label, points, meaning, text: text.replace('{}', () => found) };
}
