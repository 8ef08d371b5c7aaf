import type { Behaviour, RecipientRule } from './behaviour.ts';
import { accept, mailboxes, modernWithout, refuseUnknown, says, WHEN } from './behaviour.ts';
import { shopMailbox } from './shops.ts';

const GOOGLE_UNKNOWN = [
	'550-5.1.1 The email account that you tried to reach does not exist. Please try',
	"550-5.1.1 double-checking the recipient's email address for typos or",
	'550-5.1.1 unnecessary spaces. For more information, go to',
	'550 5.1.1  https://support.google.com/mail/?p=NoSuchUser - gsmtp',
].join('\n');

const google: RecipientRule = (recipient) =>
	recipient.domain === 'google-catch-all.test'
		? '250 2.1.5 OK - gsmtp'
		: mailboxes(says('250 2.1.5 OK - gsmtp'), says(GOOGLE_UNKNOWN))(recipient);

const { all, greeting, mail, members } = WHEN;
const spamhaus = '5.7.1 Service unavailable; Client host [192.0.2.25] blocked using zen.spamhaus.org';

/** Every server the sandbox can play, by name. Most texts are those of real servers. */
export const BEHAVIOURS = {
	plain: {},
	'catch-all': { rcpt: accept },
	'catch-all-but-gone': {
		rcpt: (r) => (r.mailbox === 'gone' ? refuseUnknown(r) : accept(r)),
	},
	full: members('452 4.2.2 The email account that you tried to reach is over quota'),
	disabled: members('550 5.2.1 The email account that you tried to reach is disabled'),
	// RFC 6647 §2.3: the triplet, here with postgrey's 300 s, which no single call can wait for.
	greylist: {
		rcpt: (r) =>
			r.sinceFirstTryMs < 300_000
				? `450 4.7.1 <${r.address}>: Recipient address rejected: Greylisted, see http://postgrey.schweikert.ch/`
				: mailboxes()(r),
	},
	// postscreen's deep tests: the first contact is turned away, the same client is welcome some seconds later.
	'greylist-short': {
		rcpt: (r) => (r.sinceFirstContactMs < 5000 ? '450 4.3.2 Service currently unavailable' : mailboxes()(r)),
	},
	// Behind the greylisting everybody is taken. Whoever asks for somebody else the second time never finds out.
	'greylist-catch-all': {
		rcpt: (r) =>
			r.sinceFirstTryMs < 5000
				? `450 4.7.1 <${r.address}>: Recipient address rejected: Greylisted`
				: accept(r),
	},
	'rate-limit': all('451 4.7.1 Too many recipients from your address, rate limit exceeded'),
	'rate-limit-greeting': greeting('421 4.7.0 {host} Too many connections, try again later'),
	'blocked-recipient': all(`550 ${spamhaus}`),
	'blocked-greeting': greeting(`554 ${spamhaus}`),
	'refuses-address': greeting('550 5.7.1 {host} Connections from your IP address are not allowed'),
	'refuses-sender': mail('550 5.7.23 The message was rejected because of Sender Policy Framework violation'),
	policy: mail('550 5.7.1 Message refused by the policy of this site'),
	'tls-required': { tls: 'works' },
	'tls-broken': { tls: 'breaks' },
	'no-smtputf8': { keywords: modernWithout('SMTPUTF8') },
	busy: members(
		'450 4.2.1 The user you are trying to contact is receiving mail at a rate that prevents additional messages',
	),
	'one-recipient': {
		rcpt: (r) => (r.index > 0 ? '452 4.5.3 Too many recipients' : mailboxes()(r)),
	},
	// Three catch-alls that don't show at once what they are.
	'one-recipient-catch-all': {
		rcpt: (r) => (r.index > 0 ? '452 4.5.3 Too many recipients' : accept(r)),
	},
	'late-catch-all': { rcpt: accept, calloutMs: 4000 },
	'slow-catch-all': { rcpt: accept, tarpitMs: 1000 },
	'shy-catch-all': WHEN.strangers('450 4.7.1 Recipient rejected, try again later'),
	'shuts-down': all('421 4.3.2 Service shutting down, closing channel'),
	google: { greeting: () => '220 mx.google.com ESMTP - gsmtp', rcpt: google },
	microsoft: {
		greeting: (host) => `220 ${host} Microsoft ESMTP MAIL Service ready`,
		rcpt: mailboxes(
			says('250 2.1.5 Recipient OK'),
			says(
				'550 5.4.1 Recipient address rejected: Access denied. [AMS1EPF00000042.eurprd05.prod.outlook.com]',
			),
		),
	},
	yahoo: all('250 recipient <> ok'),
	gateway: { greeting: (host) => `220 ${host} ESMTP mfa-m0012345`, rcpt: accept },
	'three-line-greeting': greeting(
		'220-{host} ESMTP\n220-We do not authorize the use of this system\n220 to send spam',
	),
	postscreen: {
		...greeting('220-{host} ESMTP\n220 {host} ESMTP'),
		teaserMs: 1000,
		early: 'protocol-error',
	},
	'no-pipelining': { keywords: modernWithout('PIPELINING'), early: 'tolerate' },
	lockstep: { keywords: modernWithout('PIPELINING') },
	'helo-only': { heloOnly: true },
	'closes-after-rejection': { fault: 'closes-after-rejection' },
	'deaf-to-quit': { fault: 'deaf-to-quit' },
	tarpit: { tarpitMs: 2000 },
	slow: { tarpitMs: 500 },
	silent: { fault: 'silent' },
	'closes-at-greeting': { fault: 'closes-at-greeting' },
	'closes-mid-reply': { fault: 'closes-mid-reply' },
	drips: { fault: 'drips' },
	// Sixty kilobytes, each octet of which takes six in JSON.
	babbles: {
		greeting: () =>
			Array.from({ length: 15 }, (_, n) => `421${n < 14 ? '-' : ' '}${'\u0001'.repeat(4_080)}`).join('\n'),
	},
	'floods-line': { fault: 'floods-line' },
	'floods-replies': { fault: 'floods-replies' },
	'invalid-utf8': {
		greeting: (host) => `220 ${host} ESMTP prêt à répondre`,
		rcpt: mailboxes(
			says('250 2.1.5 Destinataire accepté'),
			says('550 5.1.1 Destinataire refusé: utilisateur inconnu'),
		),
		fault: 'invalid-utf8',
	},
	shops: { rcpt: (r) => shopMailbox(r.mailbox).reply },
} as const satisfies Record<string, Behaviour>;

/** The name of a server the sandbox can play. */
export type BehaviourName = keyof typeof BEHAVIOURS;

export function isBehaviour(name: string): name is BehaviourName {
	return Object.hasOwn(BEHAVIOURS, name);
}
