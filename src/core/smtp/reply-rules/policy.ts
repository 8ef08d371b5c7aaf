import type { ReplyRule } from './rule.ts';
import { pattern } from './words.ts';

/** The server's rules, in words that no reply about a missing mailbox uses. */
export const POLICY: readonly ReplyRule[] = [
	{
		id: 'policy.authenticity',
		means: 'policy',
		text: /\bdmarc\b|\bspf\b|\bdkim\b|\barc\b|unauthenticated|authentication checks|spoof/,
		source: 'RFC 7372; Google, Zoho, Mimecast',
		date: '2026-11-21',
	},
	{
		id: 'policy.content',
		means: 'policy',
		text: pattern(
			'(?:as|is|detected|probable|probably|looks like|considered|similar to|sending|' +
				'flagged as|error:|with|for|not accepted:?|identified) spam\\b',
			'spam (?:detected|message|mail|e-?mail|score|content|filter|pattern|not accepted|' +
				'rejected|scale|policy)',
			'spamassassin',
			'unsolicited',
			'\\bube\\b',
			'\\bvirus\\b',
			'malware',
			'phish',
			'content (?:reject|filter|judged|refus)',
			'\\bdt:spm\\b',
			'suspicious',
			'suspected',
			'header error',
			'malformed',
			'(?:message|mail|e-?mail|attachment|header|size) (?:is |was )?(?:too (?:large|big|long))',
			'(?:message|mail|e-?mail) size',
			'size limits?',
			'exceeds? (?:the )?(?:maximum|fixed) (?:message )?size',
			"exceeds? google's limit",
			'uribl',
			'mail loop',
			'loop(?:ing)? (?:detected|message)',
			'too many hops',
			'hop count',
		),
		source: 'RFC 3463 §3.7 and §3.8; the usual filters',
		date: '2026-11-21',
	},
	{
		id: 'policy.preferences',
		means: 'policy',
		text: pattern(
			'recipient preferences',
			'rejected by (?:this |the )?(?:user|recipient)',
			'only accept(?:s|ing)? (?:mail|e-?mail|messages)',
			'policy reject',
			'denied by (?:[a-z]+ )?policy',
			'for policy reasons',
			'due to (?:[a-z]+ )?polic',
			'local policy',
		),
		source: 'Facebook, Barracuda, Yahoo: the recipient or its owner refuses this sender',
		date: '2026-11-21',
	},
];

/** Policy too, in words that a reply about a missing mailbox may also use: tried after unknown user. */
export const POLICY_WEAK: readonly ReplyRule[] = [
	{
		id: 'policy.words',
		means: 'policy',
		class: 5,
		text: pattern(
			'policy',
			'policies',
			'prohibited',
			'administrative',
			'not (?:authori[sz]ed|permitted|allowed|verified)',
			'permission',
			'restricted',
			'denied',
			'forbidden',
			'refused',
			'\\bspam\\b',
			'message (?:was |has been )?(?:rejected|refused|not allowed)',
			'mail (?:was )?rejected',
			'not accept',
		),
		source: 'words of refusal without a word about the mailbox',
		date: '2026-11-21',
	},
];
