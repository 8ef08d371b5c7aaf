import type { ReplyRule } from './rule.ts';
import { DNS_LISTS, or, pattern } from './words.ts';

// Replies about the server: domains that it does not serve, and troubles that pass.

const DOMAIN =
	'(?:(?:recipient |destination |mail |e-?mail )?domain(?: name)?|host(?: name)?|domaine|dominio|domane)';

/**
 * A server that refuses to relay does not serve the recipient's domain, whatever else it says of our address: the owner
 * of the domain pointed it there. Tried before the rules about a block.
 */
export const RELAY_AT_RCPT: readonly ReplyRule[] = [
	{
		id: 'relay.refused',
		means: 'relay_denied',
		stages: ['rcpt'],
		class: 5,
		text: /\b(?:un)?able to relay|\brelay(?:ing)?\b.{0,40}\b(?:denied|refused|prohibited|not (?:permitted|allowed|authori[sz]ed))|from relaying\b|tenant ?attribution/,
		unless: new RegExp(`open relay|(?:${DNS_LISTS.source})`, 'u'),
		source: 'Sendmail "Relaying denied. IP name lookup failed"; Microsoft 5.7.64 TenantAttribution',
	},
];

/** About the domain: this server does not serve the domain, or cannot find it. */
export const RELAY: readonly ReplyRule[] = [
	{
		id: 'relay.denied',
		means: 'relay_denied',
		text: pattern(or`
			\brelay(?:ing|ed)?\b | rcpthosts | not (?:a )?gateway |
			we do not (?:accept|handle|serve|host) (?:mail|e-?mail|this domain) |
			(?:cannot|can not|can't|do not|don't|will not) deliver (?:mail|messages|e-?mail) for |
			relais (?:refuse|interdit)
		`),
		// Postfix names the table: "User unknown in relay recipient table".
		unless: /unknown in relay recipient/,
		source: 'RFC 3463 §3.8 X.7.1; qmail, Postfix, Sendmail, Exim',
	},
	{
		id: 'relay.unknown_domain',
		means: 'relay_denied',
		text: new RegExp(
			`\\b${DOMAIN} (?:of (?:this|that|the) (?:address|recipient|user) |\\S{1,80} )?(?:is |was |does |could |est |ist )?(?:un(?:known|` +
				`routeable|routable)|not? (?:be )?(?:found|exist|known|allowed|local|hosted|` +
				`configured|accepted|valid|handled|served)|no(?:t|n)? ?exist|invalid|inconnu|` +
				`unbekannt|no existe|non esiste|nao existe)|` +
				`(?:unknown|invalid|no such|bad|unrouteable|unroutable|illegal) (?:mail |recipient |` +
				`destination |e-?mail )?(?:domain|host|destination system)|` +
				`bad destination system|name server: `,
			'u',
		),
		// A reply may name the domain and still be about the user: "user unknown in virtual domain".
		unless: /(?:user|mailbox|recipient) (?:is )?(?:unknown|not found) (?:in|at|on)\b|no such user/,
		source: 'RFC 3463 §3.2 X.1.2; Sendmail "Host unknown", Postfix "Domain not found"',
	},
	{
		id: 'relay.status',
		means: 'relay_denied',
		status: /^[45]\.1\.2$/,
		source: 'RFC 3463 §3.2: X.1.2 bad destination system address',
	},
];

/** Temporary failures: none of them says whether the mailbox exists. */
export const TEMPORARY: readonly ReplyRule[] = [
	{
		id: 'greylisted.words',
		means: 'greylisted',
		class: 4,
		text: pattern(or`
			gr[ae]y-? ?list | postgrey | not yet authori[sz]ed | come back later | deferred for |
			first (?:contact|time) | unknown (?:sender )?triplet |
			try again in (?:\S+ )?(?:seconds|minutes|hour)
		`),
		source: 'RFC 6647 §2; postgrey, milter-greylist, Exim',
	},
	{
		id: 'greylisted.mimecast',
		means: 'greylisted',
		class: 4,
		text: /internal resources? (?:are |is )?temporarily unavailable/,
		source: 'Mimecast: first contact of an unknown sender, from a minute to twelve hours',
	},
	{
		id: 'greylisted.postscreen',
		means: 'greylisted',
		stages: ['rcpt'],
		codes: [450],
		status: /^4\.3\.2$/,
		source: 'Postfix postscreen: tests passed, reconnect from the same address',
	},
	{
		id: 'greylisted.status',
		means: 'greylisted',
		stages: ['rcpt'],
		codes: [450, 451],
		status: /^4\.7\.1$/,
		source: 'RFC 6647 §5.1: 450 or 451 with 4.7.1',
	},
	{
		id: 'temporary.could_not_ask',
		means: 'temporary',
		class: 5,
		// "I could not find out" is not "there is none", whatever the code before it (a bare 5.1.1 included).
		text: pattern(or`
			unverified address | verification (?:is )?in progress | tim(?:ed|e) ?-?out |
			(?:directory|database|ldap|backend|server)s? (?:look-?up )?(?:is |was )?(?:not (?:reachable|
			available|responding)|down|unavailable|unreachable|fail\w*) | (?:backend|host) unreachable |
			look-?up (?:failed|failure) | at (?:this (?:time|moment)|present)\b | \btomorrow\b |
			try (?:again|another) | maintenance|in progress|being (?:moved|migrated)
		`),
		source: 'Postfix reject_unverified_recipient, Exim callouts, directory outages',
	},
	{
		id: 'temporary.words',
		means: 'temporary',
		class: 5,
		// Some servers say 5xx and "temporarily": believing the words is safer than believing the code.
		text: pattern(or`
			temporar(?:y|ily) | temporairement | temporalmente | vorubergehend | temporaneamente |
			try (?:again )?later | internal (?:system |server )?error | local configuration error |
			service (?:currently )?unavailable | mailer error | out of memory
		`),
		source: 'contradiction between code and words: never a verdict',
	},
];
