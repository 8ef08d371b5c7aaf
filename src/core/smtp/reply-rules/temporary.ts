import type { ReplyRule } from './rule.ts';
import { pattern } from './words.ts';

/** Temporary failures: none of them says whether the mailbox exists. */
export const TEMPORARY: readonly ReplyRule[] = [
	{
		id: 'greylisted.words',
		means: 'greylisted',
		class: 4,
		text: pattern(
			'gr[ae]y-? ?list',
			'postgrey',
			'not yet authori[sz]ed',
			'come back later',
			'deferred for',
			'first (?:contact|time)',
			'unknown (?:sender )?triplet',
			'try again in (?:\\S+ )?(?:seconds|minutes|hour)',
		),
		source: 'RFC 6647 §2; postgrey, milter-greylist, Exim',
		date: '2026-11-21',
	},
	{
		id: 'greylisted.mimecast',
		means: 'greylisted',
		class: 4,
		text: /internal resources? (?:are |is )?temporarily unavailable/,
		source: 'Mimecast: first contact of an unknown sender, from a minute to twelve hours',
		date: '2026-11-21',
	},
	{
		id: 'greylisted.postscreen',
		means: 'greylisted',
		stages: ['rcpt'],
		codes: [450],
		status: /^4\.3\.2$/,
		source: 'Postfix postscreen: tests passed, reconnect from the same address',
		date: '2026-11-21',
	},
	{
		id: 'greylisted.status',
		means: 'greylisted',
		stages: ['rcpt'],
		codes: [450, 451],
		status: /^4\.7\.1$/,
		source: 'RFC 6647 §5.1: 450 or 451 with 4.7.1',
		date: '2026-11-21',
	},
	{
		id: 'temporary.could_not_ask',
		means: 'temporary',
		class: 5,
		// "I could not find out" is not "there is none", whatever the code before it (a bare 5.1.1 included).
		text: pattern(
			'unverified address',
			'verification (?:is )?in progress',
			'tim(?:ed|e) ?-?out',
			'(?:directory|database|ldap|backend|server)s? (?:look-?up )?(?:is |was )?(?:not (?:reachable|' +
				'available|responding)|down|unavailable|unreachable|fail\\w*)',
			'(?:backend|host) unreachable',
			'look-?up (?:failed|failure)',
			'at (?:this (?:time|moment)|present)\\b',
			'\\btomorrow\\b',
			'try (?:again|another)',
			'maintenance|in progress|being (?:moved|migrated)',
		),
		source: 'Postfix reject_unverified_recipient, Exim callouts, directory outages',
		date: '2026-11-21',
	},
	{
		id: 'temporary.words',
		means: 'temporary',
		class: 5,
		// Some servers say 5xx and "temporarily": believing the words is safer than believing the code.
		text: pattern(
			'temporar(?:y|ily)',
			'temporairement',
			'temporalmente',
			'vorubergehend',
			'temporaneamente',
			'try (?:again )?later',
			'internal (?:system |server )?error',
			'local configuration error',
			'service (?:currently )?unavailable',
			'mailer error',
			'out of memory',
		),
		source: 'contradiction between code and words: never a verdict',
		date: '2026-11-21',
	},
];
