import type { Records, Scene } from './scene.ts';
import { healthyNames, scenesOf } from './scene.ts';

const SPF = 'v=spf1 mx -all';

/** What DNS says of a domain whose owner cares for its mail. */
const wellKept = (domain: string): Records => ({ zone: { txt: [SPF] }, names: healthyNames(domain) });

/** Domains that differ in what their server says about a mailbox. */
const MAILBOXES = scenesOf(
	`
inbox.test | plain | ada deliverable accepted_email no; nobody undeliverable rejected_email no; info, no-reply, ada+news, jürgen deliverable accepted_email no | An ordinary mail server: accepts its users and refuses everybody else.
disabled.test | disabled | ada undeliverable mailbox_disabled | The mailbox exists but is disabled (550 5.2.1).
full.test | full | ada risky mailbox_full | The mailbox is over its quota (452 4.2.2).
busy.test | busy | ada deliverable accepted_email no | The mailbox exists and gets too much mail just now (450 4.2.1).
// The same domain, and a name that means nothing.
google-catch-all.test | 1 aspmx.l.google.com google, 5 alt1.aspmx.l.google.com google | jane.doe deliverable catch_all_valid yes; xq7zr9kk unknown catch_all_unresolved yes | A healthy catch-all domain at Google Workspace: well kept, long registered.
catch-all.test | catch-all | ada unknown catch_all_unresolved yes | A catch-all domain on a server of its own: accepts everybody, and nothing more can be learnt.
parked.test | catch-all | ada undeliverable catch_all_invalid yes | A parked, freshly registered catch-all domain.
catch-all-but-gone.test | catch-all-but-gone | gone undeliverable catch_all_invalid yes | Accepts any random address, yet refuses this one as unknown.
gateway.test | 10 mxa-00123401.gslb.pphosted.com gateway | jane.doe unknown catch_all_unresolved yes | Behind Proofpoint, which accepts every address: acceptance proves nothing.
workspace.test | 1 aspmx.l.google.com google | ada deliverable accepted_email no; nobody undeliverable rejected_email | Google Workspace without catch-all; unknown users get four lines of 550.
microsoft.test | 0 microsoft-test.mail.protection.outlook.com microsoft | ada deliverable accepted_email no; nobody undeliverable rejected_email no | Microsoft 365, which says “Access denied” for a mailbox that does not exist (550 5.4.1).
outlook.test | 2 outlook-test.olc.protection.outlook.com one-recipient | ada deliverable accepted_email open | Consumer Outlook, which allows one recipient per transaction.
yahoo.test | 1 mta5.am0.yahoodns.net yahoo | ada unknown accepts_everything | Yahoo’s servers, which say yes to every recipient.
bücher.test | plain | ada deliverable accepted_email no | An internationalised domain name (xn--bcher-kva.test).
outlok.com | plain | jane.doe risky possible_typo | One slip away from outlook.com, and it accepts mail.
mailinator.com | nowhere | ada undeliverable disposable | Disposable: decided by the list, without DNS or SMTP.
`,
	{
		'inbox.test': wellKept('inbox.test'),
		'google-catch-all.test': {
			zone: { txt: ['v=spf1 include:_spf.google.com ~all'] },
			names: healthyNames('google-catch-all.test'),
		},
		'catch-all.test': { registeredDaysAgo: 700 },
		'parked.test': {
			zone: { ns: ['ns1.sedoparking.com', 'ns2.sedoparking.com'], txt: ['v=spf1 -all'] },
			registeredDaysAgo: 5,
		},
		'gateway.test': wellKept('gateway.test'),
	},
);

/** Domains whose server does not say whether the mailbox exists: it turns us away, now or for good. */
const REFUSALS = scenesOf(`
greylist.test | greylist | ada unknown greylisted slow | Greylists for five minutes: no single call can wait that long.
greylist-short.test | greylist-short | ada deliverable accepted_email no slow | Turns the first contact away and lets the same sender in five seconds later.
greylist-catch-all.test | greylist-catch-all | ada unknown catch_all_unresolved yes slow | Greylists each recipient for five seconds, and then accepts everybody.
rate-limit.test | rate-limit | ada unknown rate_limited slow | Too many recipients from us (451 4.7.1).
rate-limit-greeting.test | rate-limit-greeting | ada unknown rate_limited slow | Too many connections from us: 421 instead of a greeting.
blocked.test | blocked-recipient | ada unknown probe_blocked | Our IP address is on a block list, and the server says so at RCPT.
blocked-greeting.test | blocked-greeting | ada unknown probe_blocked | Our IP address is on a block list, and the server says so as its greeting.
refuses-address.test | refuses-address | ada unknown probe_blocked | Takes no connections from our IP address, and says so as its greeting (550 5.7.1).
refuses-sender.test | refuses-sender | ada unknown probe_blocked | Refuses our sender by its SPF record (550 5.7.23 to MAIL).
policy.test | policy | ada unknown antispam_system | Refuses our sender by a policy of its own.
tls-required.test | tls-required | ada deliverable accepted_email no | Demands STARTTLS before MAIL, and answers over TLS.
tls-broken.test | tls-broken | ada unknown tls_required | Demands STARTTLS before MAIL, and breaks off the handshake.
no-smtputf8.test | no-smtputf8 | jürgen unknown smtputf8_unsupported | Does not offer SMTPUTF8, which an address with an umlaut needs.
shuts-down.test | shuts-down | ada unknown unavailable_smtp slow | Shuts down in mid-session (421).
one-recipient.test | one-recipient | ada deliverable accepted_email no | Takes one recipient per transaction, and knows its users.
one-recipient-catch-all.test | one-recipient-catch-all | ada unknown catch_all_unresolved yes | Takes one recipient per transaction, whoever it is.
late-catch-all.test | late-catch-all | ada unknown catch_all_unresolved yes slow | Accepts everybody, after four seconds each.
shy-catch-all.test | shy-catch-all | ada deliverable accepted_email open | Accepts names that it has met, and puts off every other: whether it is catch-all stays open.
`);

/** Domains that differ in DNS, or in which of their servers can be reached. */
const NETWORK = scenesOf(
	`
no-such-domain.test | nowhere | ada undeliverable invalid_domain | Does not exist (NXDOMAIN).
no-mail.test | - | ada undeliverable no_mx_records | Exists, with neither MX nor address.
null-mx.test | - | ada undeliverable does_not_accept_mail | Declares that it takes no mail (null MX, RFC 7505).
implicit-mx.test | 0 implicit-mx.test plain | ada deliverable accepted_email no | Has no MX: its own address takes the mail (RFC 5321 §5.1).
alias.test | - | ada deliverable accepted_email no | A CNAME of inbox.test.
private-mx.test | - | ada undeliverable unroutable_mx | Its MX hosts have private addresses only.
dangling-mx.test | - | ada undeliverable unroutable_mx | Its MX host does not exist.
servfail.test | - | ada unknown dns_error | Its name servers are broken (SERVFAIL).
dns-timeout.test | - | ada unknown dns_error slow | Its name servers never answer.
// No promise: nonsense from the resolver is a 502 of our own (contract.md), not a verdict.
dns-garbage.test | - | | The resolver answers with bytes that are not DNS.
refused.test | 10 mx1.refused.test refused, 20 mx2.refused.test refused | ada unknown no_connect | Both MX hosts refuse the connection.
unreachable.test | unreachable | ada unknown no_connect | No route to its MX host.
black-hole.test | never | ada unknown no_connect slow | Its MX host never answers a connection attempt.
backup.test | 10 mx1.backup.test refused, 20 mx2.backup.test plain | ada deliverable accepted_email no; nobody undeliverable rejected_email | The first MX host is down, the second one knows its users.
backup-accepts-all.test | 10 mx1.backup-accepts-all.test refused, 20 mx2.backup-accepts-all.test catch-all | ada unknown no_connect open | The first MX host is down, the second one accepts everything: that proves nothing.
slow-primary.test | 10 mx1.slow-primary.test slow, 20 mx2.slow-primary.test catch-all | nobody undeliverable rejected_email no | The first MX host is slow and knows its users, the backup is fast and accepts everything.
unsorted.test | 20 mx2.unsorted.test catch-all, 10 mx1.unsorted.test plain | ada deliverable accepted_email no; nobody undeliverable rejected_email | DNS lists the backup, which accepts everything, before the first MX host.
`,
	{
		'no-mail.test': { zone: { txt: ['v=spf1 -all'] } },
		'null-mx.test': { zone: { mx: [[0, '.']], a: ['198.18.255.1'] } },
		'implicit-mx.test': { zone: { mx: [] } },
		'alias.test': { zone: { cname: 'inbox.test' } },
		'private-mx.test': {
			zone: { mx: [10, 20].map((preference, n) => [preference, `mx${n + 1}.private-mx.test`] as const) },
			names: {
				mx1: { a: ['127.0.0.1'], aaaa: ['::1'] },
				mx2: { a: ['10.0.0.25'], aaaa: ['::ffff:10.0.0.25'] },
			},
		},
		'dangling-mx.test': { zone: { mx: [[10, 'mx.dangling-mx.test']] } },
		'servfail.test': { zone: { fault: 'servfail' } },
		'dns-timeout.test': { zone: { fault: 'silence' } },
		'dns-garbage.test': { zone: { fault: 'garbage' } },
	},
);

/** Domains whose server speaks SMTP in its own way, or hardly. */
const MANNERS = scenesOf(`
three-line-greeting.test | three-line-greeting | ada deliverable accepted_email no | Greets with three lines.
postscreen.test | postscreen | ada deliverable accepted_email no | Greets with 220-, waits a second, and punishes who talks meanwhile.
no-pipelining.test | no-pipelining | ada deliverable accepted_email no | Does not offer PIPELINING.
lockstep.test | lockstep | ada deliverable accepted_email no | Hangs up on a client that does not wait for each reply.
helo-only.test | helo-only | ada deliverable accepted_email no | Knows HELO, not EHLO.
drops.test | closes-after-rejection | nobody undeliverable rejected_email; ada deliverable accepted_email no | Hangs up after its first 550.
deaf-to-quit.test | deaf-to-quit | ada deliverable accepted_email no | Never answers QUIT.
tarpit.test | tarpit | ada deliverable accepted_email no slow | Waits two seconds before every reply.
invalid-utf8.test | invalid-utf8 | ada deliverable accepted_email no; nobody undeliverable rejected_email | Replies in Latin-1, which is not valid UTF-8.
silent.test | silent | ada unknown timeout slow | Takes the connection and never says a word.
drips.test | drips | ada unknown timeout slow | Sends one byte per second.
hangs-up.test | closes-at-greeting | ada unknown unavailable_smtp | Hangs up instead of greeting.
half-reply.test | closes-mid-reply | ada unknown unavailable_smtp | Hangs up in the middle of its reply to RCPT.
babbles.test | 10 mx1.babbles.test babbles, 20 mx2.babbles.test babbles | ada unknown unavailable_smtp slow | Greets with 421 and 60 KB of control characters, at both of its hosts.
flood.test | floods-line | ada unknown unavailable_smtp | Greets with 10 MB without a line end.
endless.test | floods-replies | ada unknown unavailable_smtp | Answers EHLO with a reply that never ends.
`);

/** Domains that differ in what the DNS and the registry say of them. No address of theirs is in the table for people. */
const REGISTRATIONS = scenesOf(
	`
well-kept.test | catch-all | | Publishes SPF and DMARC; fifteen years old.
newborn.test | catch-all | | Registered three days ago.
reborn.test | catch-all | | Lapsed, and was registered anew twenty days ago.
on-hold.test | catch-all | | The registrar has switched it off.
rdap-unknown.test | plain | | In the DNS, and unknown to the registry.
rdap-busy.test | plain | | The registry wants to be left alone for two minutes (429).
rdap-loop.test | plain | | The registry redirects in a circle.
rdap-garbage.test | plain | | The registry answers half a JSON text.
rdap-silent.test | 1 rdap-silent.aspmx.l.google.com catch-all | | At Google, long registered, and the registry never answers.
txt-silent.test | 1 txt-silent.aspmx.l.google.com catch-all | | At Google, and its name servers never answer a question for TXT.
all-silent.test | 1 all-silent.aspmx.l.google.com catch-all | | At Google, and neither registry nor TXT answers.
slow-catch-all.test | slow-catch-all | | Accepts everybody, and takes a second for each reply.
slow-catch-all-too.test | slow-catch-all | | Accepts everybody, and takes a second for each reply.
`,
	{
		'well-kept.test': {
			...wellKept('well-kept.test'),
			registeredDaysAgo: 5500,
			rdap: { expiresInDays: 200 },
		},
		'newborn.test': { registeredDaysAgo: 3 },
		'reborn.test': { registeredDaysAgo: 4000, rdap: { reregisteredDaysAgo: 20, expiresInDays: 345 } },
		'on-hold.test': { rdap: { status: ['client hold', 'client transfer prohibited'], expiresInDays: 5 } },
		'rdap-unknown.test': { rdap: { fault: 'unknown' } },
		'rdap-busy.test': { rdap: { fault: 'busy' } },
		'rdap-loop.test': { rdap: { fault: 'loop' } },
		'rdap-garbage.test': { rdap: { fault: 'garbage' } },
		'rdap-silent.test': { ...wellKept('rdap-silent.test'), rdap: { fault: 'silence' } },
		'txt-silent.test': { zone: { silentTypes: ['TXT'] } },
		'all-silent.test': { zone: { silentTypes: ['TXT'] }, rdap: { fault: 'silence' } },
	},
);

/** Every domain that has a story of its own. */
export const SCENES: readonly Scene[] = [...MAILBOXES, ...REFUSALS, ...NETWORK, ...MANNERS, ...REGISTRATIONS];
