import { LONG_EXPIRED, makeCertificate } from '../../sandbox/certificate.ts';

/** How the server is configured for a mailbox of inbox.test, or for a whole domain. */
export type Kind =
	| 'existing'
	| 'missing'
	| 'full'
	| 'disabled'
	| 'greylisted'
	| 'refused'
	| 'catchAll'
	| 'relay';

/** The address of each kind. The server serves inbox.test and all.test, and does not serve other.test. */
export const ADDRESSES: Readonly<Record<Kind, string>> = {
	existing: 'ada@inbox.test',
	missing: 'nobody@inbox.test',
	full: 'full@inbox.test',
	disabled: 'disabled@inbox.test',
	greylisted: 'grey@inbox.test',
	refused: 'refused@inbox.test',
	catchAll: 'grace@all.test',
	relay: 'ada@other.test',
};

/** A mail server as Debian packages it, set up in its own usual way. */
export interface Program {
	readonly package: string;
	/** Further packages that its setup needs. */
	readonly others?: readonly string[];
	/** Its configuration, by path. */
	files(port: number): Readonly<Record<string, string>>;
	/** Shell commands before the start. */
	readonly prepare?: string;
	/** The shell command that runs it in the foreground. */
	start(port: number): string;
	/** It takes a sender over TLS alone, so nothing of it can be recorded; its words are those of the same program above. */
	readonly demandsTls?: boolean;
	/** The kinds that this setup has. Its words about each stand in test/golden/conversations. */
	readonly kinds: readonly Kind[];
}

const FULL = '5.2.2 Mailbox is full';
const DISABLED = '5.2.1 Mailbox disabled';
const GREY = '4.7.1 Greylisted, come back later';
const REFUSED = '5.7.1 Recipient refuses mail from outside';
const USUAL = ['existing', 'missing', 'full', 'disabled', 'greylisted', 'refused', 'catchAll'] as const;

const POSTFIX: Program = {
	package: 'postfix',
	files: (port) => ({
		'/etc/postfix/main.cf': `compatibility_level = 3.6
maillog_file = /var/log/postfix.log
myhostname = mx.inbox.test
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
mynetworks =
mydestination =
alias_maps =
local_recipient_maps =
virtual_mailbox_domains = inbox.test, all.test
virtual_mailbox_maps = inline:{ada@inbox.test=ada, full@inbox.test=full, refused@inbox.test=refused, @all.test=all}
virtual_transport = discard
smtpd_recipient_restrictions = reject_unauth_destination, check_recipient_access texthash:/etc/postfix/recipients
`,
		'/etc/postfix/recipients': `full@inbox.test 552 ${FULL}
disabled@inbox.test 550 ${DISABLED}
grey@inbox.test 450 ${GREY}
refused@inbox.test 550 ${REFUSED}
`,
		'/etc/postfix/master.cf': `127.0.0.1:${port} inet n - n - - smtpd
rewrite unix - - n - - trivial-rewrite
proxymap unix - - n - - proxymap
anvil unix - - n - 1 anvil
cleanup unix n - n - 0 cleanup
discard unix - - n - - discard
postlog unix-dgram n - n - 1 postlogd
`,
	}),
	prepare: 'postfix check',
	start: () => '/usr/lib/postfix/sbin/master -d',
	kinds: [...USUAL, 'relay'],
};

const CERTIFICATE = '/etc/postfix/certificate.pem';

/** Postfix that demands TLS, with a certificate long expired. */
const POSTFIX_OVER_TLS: Program = {
	...POSTFIX,
	files: (port) => {
		const files = POSTFIX.files(port);
		const { key, cert } = makeCertificate(LONG_EXPIRED);
		return {
			...files,
			'/etc/postfix/main.cf': `${files['/etc/postfix/main.cf'] ?? ''}smtpd_tls_security_level = encrypt
smtpd_tls_chain_files = ${CERTIFICATE}
`,
			'/etc/postfix/master.cf': `${files['/etc/postfix/master.cf'] ?? ''}tlsmgr unix - - n 1000? 1 tlsmgr
`,
			[CERTIFICATE]: key + cert,
		};
	},
	prepare: `chmod 600 ${CERTIFICATE}; postfix check`,
	demandsTls: true,
};

/** Mail servers that other people wrote, by name. */
export const PROGRAMS: Readonly<Record<string, Program>> = {
	Postfix: POSTFIX,
	'Postfix over TLS': POSTFIX_OVER_TLS,
	Exim: {
		package: 'exim4-daemon-light',
		files: () => ({
			'/etc/exim4/exim4.conf': `primary_hostname = mx.inbox.test
domainlist local_domains = inbox.test : all.test
acl_smtp_rcpt = at_rcpt
host_lookup =
rfc1413_query_timeout = 0s
tls_advertise_hosts =
begin acl
at_rcpt:
  deny message = ${REFUSED}
       local_parts = refused
  require message = relay not permitted
       domains = +local_domains
  require verify = recipient
  accept
begin routers
all:
  driver = accept
  domains = all.test
  transport = nowhere
full:
  driver = redirect
  local_parts = full
  allow_fail
  data = :fail: ${FULL}
disabled:
  driver = redirect
  local_parts = disabled
  allow_fail
  data = :fail: ${DISABLED}
grey:
  driver = redirect
  local_parts = grey
  allow_defer
  data = :defer: ${GREY}
users:
  driver = accept
  local_parts = ada
  transport = nowhere
begin transports
nowhere:
  driver = appendfile
  file = /dev/null
begin retry
begin rewrite
begin authenticators
`,
		}),
		start: (port) => `exim4 -bdf -oX 127.0.0.1.${port}`,
		kinds: [...USUAL, 'relay'],
	},
	OpenSMTPD: {
		package: 'opensmtpd',
		files: (port) => ({
			'/etc/smtpd.conf': `table users { "ada@inbox.test" = "nobody" }
table everybody { "@all.test" = "nobody" }
listen on 127.0.0.1 port ${port} hostname mx.inbox.test
action "deliver" mbox virtual <users>
action "collect" mbox virtual <everybody>
match from any for domain "inbox.test" action "deliver"
match from any for domain "all.test" action "collect"
`,
		}),
		start: () => 'smtpd -d',
		kinds: ['existing', 'missing', 'catchAll', 'relay'],
	},
	Sendmail: {
		package: 'sendmail-bin',
		files: (port) => ({
			'/etc/mail/sendmail.mc': `divert(0)dnl
define(\`_USE_ETC_MAIL_')dnl
include(\`/usr/share/sendmail/cf/m4/cf.m4')dnl
OSTYPE(\`debian')dnl
DOMAIN(\`debian-mta')dnl
define(\`confDOMAIN_NAME', \`mx.inbox.test')dnl
define(\`confDONT_PROBE_INTERFACES', \`True')dnl
define(\`confTO_IDENT', \`0')dnl
FEATURE(\`no_default_msa')dnl
FEATURE(\`nocanonify')dnl
FEATURE(\`accept_unresolvable_domains')dnl
FEATURE(\`virtusertable', \`hash /etc/mail/virtusertable')dnl
VIRTUSER_DOMAIN(\`inbox.test')dnl
VIRTUSER_DOMAIN(\`all.test')dnl
DAEMON_OPTIONS(\`Family=inet, Name=MTA, Port=${port}, Addr=127.0.0.1')dnl
MAILER(\`local')dnl
MAILER(\`smtp')dnl
`,
			'/etc/mail/local-host-names': 'inbox.test\nall.test\n',
			'/etc/mail/virtusertable': `ada@inbox.test nobody
full@inbox.test error:5.2.2:552 ${FULL}
disabled@inbox.test error:5.2.1:550 ${DISABLED}
grey@inbox.test error:4.7.1:450 ${GREY}
refused@inbox.test error:5.7.1:550 ${REFUSED}
@inbox.test error:nouser User has moved
@all.test nobody
`,
		}),
		prepare: 'cd /etc/mail; m4 sendmail.mc > sendmail.cf; makemap hash virtusertable < virtusertable',
		start: () => 'sendmail-mta -bD',
		kinds: USUAL,
	},
	chasquid: {
		package: 'chasquid',
		others: ['openssl'],
		files: (port) => ({
			'/etc/chasquid/chasquid.conf': `hostname: "mx.inbox.test"
smtp_address: "127.0.0.1:${port}"
mail_log_path: "/dev/null"
`,
		}),
		prepare: `cd /etc/chasquid; mkdir -p certs/mx.inbox.test domains/inbox.test
openssl req -x509 -newkey rsa:2048 -nodes -keyout certs/mx.inbox.test/privkey.pem \\
  -out certs/mx.inbox.test/fullchain.pem -days 30 -subj /CN=mx.inbox.test
chasquid-util -C=/etc/chasquid user-add ada@inbox.test --password=secret`,
		start: () => 'chasquid',
		kinds: ['existing', 'missing', 'relay'],
	},
	qpsmtpd: {
		package: 'qpsmtpd',
		files: () => ({
			'/etc/qpsmtpd/plugins': 'rcpt_map domain inbox.test file /etc/qpsmtpd/people\nrcpt_ok\n',
			'/etc/qpsmtpd/people': `ada@inbox.test OK Welcome
full@inbox.test DENY ${FULL}
disabled@inbox.test DENY ${DISABLED}
grey@inbox.test DENYSOFT ${GREY}
refused@inbox.test DENY ${REFUSED}
`,
			'/etc/qpsmtpd/rcpthosts': 'inbox.test\nall.test\n',
			'/etc/qpsmtpd/me': 'mx.inbox.test\n',
		}),
		start: (port) => `QPSMTPD_CONFIG=/etc/qpsmtpd qpsmtpd-forkserver -p ${port} -l 127.0.0.1 -u qpsmtpd`,
		kinds: [...USUAL, 'relay'],
	},
	Twisted: {
		package: 'python3-twisted',
		files: (port) => ({
			'/root/server.py': `from twisted.internet import reactor
from twisted.mail import smtp
from zope.interface import implementer

@implementer(smtp.IMessageDelivery)
class Delivery:
    def receivedHeader(self, helo, origin, recipients): return b''
    def validateFrom(self, helo, origin): return origin
    def validateTo(self, user):
        if user.dest.domain == b'all.test' or str(user.dest) == 'ada@inbox.test': return lambda: None
        raise smtp.SMTPBadRcpt(user)

class Factory(smtp.SMTPFactory):
    def buildProtocol(self, address):
        protocol = smtp.SMTP(Delivery())
        protocol.factory = self
        return protocol

reactor.listenTCP(${port}, Factory(), interface='127.0.0.1')
reactor.run()
`,
		}),
		start: () => '/usr/bin/python3 /root/server.py',
		kinds: ['existing', 'missing', 'catchAll'],
	},
};
