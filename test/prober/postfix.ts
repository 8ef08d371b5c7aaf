import { spawnSync } from 'node:child_process';
import {
	accessSync,
	chmodSync,
	constants,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { LONG_EXPIRED, makeCertificate } from '../sandbox/certificate.ts';
import { LOOPBACK } from '../sandbox/listener.ts';
import { startChildServer } from '../support/proxies/child-server.ts';

const POSTFIX = '/usr/sbin/postfix';
const MASTER = '/usr/lib/postfix/sbin/master';
// Services without which smtpd says nothing about a recipient.
const HELPERS = [
	'rewrite unix - - n - - trivial-rewrite',
	'proxymap unix - - n - - proxymap',
	'anvil unix - - n - 1 anvil',
	'tlsmgr unix - - n 1000? 1 tlsmgr',
	'cleanup unix n - n - 0 cleanup',
	'discard unix - - n - - discard',
	'postlog unix-dgram n - n - 1 postlogd',
];

/** A private instance of Debian's Postfix that knows `ada@inbox.test`, and demands TLS with a certificate long expired. */
export interface Postfix {
	readonly port: number;
	/** What it logged so far. */
	log(): string;
	close(): Promise<void>;
}

/** Why there can be none on this machine, or null. */
export function whyNoPostfix(): string | null {
	if (![POSTFIX, MASTER].every(isProgram)) return 'Postfix is not installed';
	// Its master changes to other users.
	return process.getuid?.() === 0 ? null : 'Postfix is started by root alone';
}

function isProgram(file: string): boolean {
	try {
		accessSync(file, constants.X_OK);
		return true;
	} catch {
		return false;
	}
}

/** Starts it on a free port of loopback, with all that it writes in a folder that goes away with it. */
export async function startPostfix(): Promise<Postfix> {
	const folder = mkdtempSync(path.join(tmpdir(), 'mailsonar-postfix-'));
	// Its processes belong to its own user.
	chmodSync(folder, 0o755);
	const at = (name: string): string => path.join(folder, name);
	for (const name of ['etc', 'spool']) mkdirSync(at(name));
	const { key, cert } = makeCertificate(LONG_EXPIRED);
	writeFileSync(at('etc/certificate.pem'), key + cert, { mode: 0o600 });
	writeFileSync(at('etc/main.cf'), mainOf(folder));
	writeFileSync(at('etc/master.cf'), `${HELPERS.join('\n')}\n`);
	// Makes the folders of the spool, each with its owner.
	const made = spawnSync(POSTFIX, ['-c', at('etc'), 'check'], {
		env: { ...process.env, MAIL_CONFIG: at('etc') },
		encoding: 'utf8',
	});
	if (made.status !== 0) throw new Error(`Postfix is not content: ${made.stderr}`);
	const log = (): string => {
		try {
			return readFileSync(at('log'), 'utf8');
		} catch {
			return '';
		}
	};
	// `-d`: it does not go into the background, so that it ends with us.
	const args = ['-c', at('etc'), '-d'];
	const env = { MAIL_CONFIG: at('etc') };
	try {
		const master = await startChildServer((port) => {
			const services = [`${LOOPBACK}:${port} inet n - n - - smtpd`, ...HELPERS];
			writeFileSync(at('etc/master.cf'), `${services.join('\n')}\n`);
			return { program: MASTER, args, env, isGroup: true };
		});
		const close = async (): Promise<void> => {
			await master.close();
			rmSync(folder, { recursive: true, force: true });
		};
		return { port: master.port, log, close };
	} catch (error) {
		throw new Error(`Postfix does not start: ${log()}`, { cause: error });
	}
}

function mainOf(folder: string): string {
	return `
compatibility_level = 3.6
queue_directory = ${folder}/spool
data_directory = ${folder}/lib
command_directory = /usr/sbin
daemon_directory = /usr/lib/postfix/sbin
mail_owner = postfix
setgid_group = postdrop
maillog_file = ${folder}/log
maillog_file_prefixes = ${folder}
myhostname = mx.inbox.test
inet_interfaces = ${LOOPBACK}
inet_protocols = ipv4
mynetworks =
mydestination =
alias_maps =
local_recipient_maps =
virtual_mailbox_domains = inbox.test
virtual_mailbox_maps = inline:{ada@inbox.test=ada}
virtual_transport = discard
smtpd_recipient_restrictions = reject_unauth_destination
smtpd_tls_security_level = encrypt
smtpd_tls_chain_files = ${folder}/etc/certificate.pem
smtpd_tls_loglevel = 1
smtpd_starttls_timeout = 20s
`;
}
