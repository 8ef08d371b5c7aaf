import type { ReplyRule } from './rule.ts';
import { pattern } from './words.ts';

/** About our side of the protocol: encryption, authentication, order of commands. */
export const SESSION: readonly ReplyRule[] = [
	{
		id: 'session.authentication_required',
		means: 'policy',
		text: pattern(
			'(?:authentication|auth|login|authentification|autenticacion|autenticacao|' +
				'autenticazione|authentifizierung) (?:is |est )?(?:required|needed|first|necessary|' +
				'failed|unsuccessful|requise|requerida|richiesta|erforderlich|credentials invalid)',
			'must (?:be )?(?:first )?(?:log ?in|authenticat)',
			'not (?:yet )?(?:logged in|authenticated)',
			'please (?:log ?in|authenticate|turn on smtp authentication)',
			'password (?:required|not accepted)',
			'smtp auth',
		),
		source: 'RFC 4954 §6: the server wants its own users',
		date: '2026-11-21',
	},
	{
		id: 'session.authentication_codes',
		means: 'policy',
		codes: [334, 534, 535, 538],
		source: 'RFC 4954 §6',
		date: '2026-11-21',
	},
	{
		id: 'session.encryption_required',
		means: 'tls_required',
		text: pattern(
			'starttls',
			'(?:tls|ssl|encryption) (?:is |connection )?(?:required|needed|mandatory|version)',
			'requires? (?:a |an )?(?:tls|ssl|encrypt\\w+|secure connection)',
			'must (?:use|be) (?:tls|ssl|encrypt)',
			'tls (?:handshake|negotiation)',
			'tls not available',
			'does not support tls',
		),
		unless: /pipelin/,
		source: 'RFC 3207 §4; Google, Mimecast',
		date: '2026-11-21',
	},
	{
		id: 'session.encryption_code',
		means: 'tls_required',
		codes: [530],
		source: 'RFC 3207 §4: 530 Must issue a STARTTLS command first',
		date: '2026-11-21',
	},
	{
		id: 'session.protocol_words',
		means: 'protocol_error',
		text: pattern(
			'protocol (?:error|violation|sync)',
			'synchroni[sz]ation',
			'pipelin',
			'(?:bad|improper|wrong|invalid|out of) (?:command |order |)sequence',
			'sequence of commands',
			'nested mail',
			'(?:command|verb) (?:is )?(?:not |un)(?:recogni[sz]ed|implemented|known|supported)',
			'un(?:recogni[sz]ed|known|implemented) command',
			'need (?:mail|rcpt)\\b',
			'non-?mail commands',
			'polite people say',
			'say (?:helo|ehlo|hello)',
			'send (?:helo|ehlo|hello)',
			'bad command',
			'syntax: ',
			'fully-qualified address',
		),
		source: 'RFC 5321 §4.2.4; Postfix postscreen and Exim on pipelining too early',
		date: '2026-11-21',
	},
];
