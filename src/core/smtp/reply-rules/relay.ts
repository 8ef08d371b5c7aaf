import type { ReplyRule } from './rule.ts';
import { DNS_LISTS, pattern } from './words.ts';

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
		date: '2026-11-23',
	},
];

/** About the domain: this server does not serve the domain, or cannot find it. */
export const RELAY: readonly ReplyRule[] = [
	{
		id: 'relay.denied',
		means: 'relay_denied',
		text: pattern(
			'\\brelay(?:ing|ed)?\\b',
			'rcpthosts',
			'not (?:a )?gateway',
			'we do not (?:accept|handle|serve|host) (?:mail|e-?mail|this domain)',
			"(?:cannot|can not|can't|do not|don't|will not) deliver (?:mail|messages|e-?mail) for",
			'relais (?:refuse|interdit)',
		),
		// Postfix names the table: "User unknown in relay recipient table".
		unless: /unknown in relay recipient/,
		source: 'RFC 3463 §3.8 X.7.1; qmail, Postfix, Sendmail, Exim',
		date: '2026-11-21',
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
		date: '2026-11-21',
	},
	{
		id: 'relay.status',
		means: 'relay_denied',
		status: /^[45]\.1\.2$/,
		source: 'RFC 3463 §3.2: X.1.2 bad destination system address',
		date: '2026-11-21',
	},
];
