import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** The RFCs that we have read, at least in the clauses that we cite. Others may not be cited. */
export const RFC_TITLES: Readonly<Record<number, string>> = {
	1034: 'Domain names: concepts and facilities',
	1035: 'Domain names: implementation and specification',
	1123: 'Requirements for Internet hosts',
	1591: 'Domain Name System structure and delegation',
	1928: 'SOCKS protocol version 5',
	1929: 'Username/password authentication for SOCKS V5',
	1952: 'GZIP file format',
	2046: 'MIME part two: media types',
	2104: 'HMAC',
	2142: 'Mailbox names for common services, roles and functions',
	2181: 'Clarifications to the DNS specification',
	2308: 'Negative caching of DNS queries',
	2544: 'Benchmarking methodology for network interconnect devices',
	2920: 'SMTP service extension for command pipelining',
	3172: 'Management guidelines for .arpa',
	3207: 'SMTP service extension for secure SMTP over TLS',
	3339: 'Date and time on the Internet',
	3463: 'Enhanced mail system status codes',
	3490: 'Internationalizing domain names in applications (2003)',
	3696: 'Application techniques for checking and transformation of names',
	4035: 'Protocol modifications for the DNS security extensions',
	4180: 'Common format and MIME type for CSV files',
	4226: 'HOTP: an HMAC-based one-time password algorithm',
	4592: 'The role of wildcards in the DNS',
	4648: 'The base16, base32 and base64 data encodings',
	4954: 'SMTP service extension for authentication',
	5280: 'Internet X.509 public key infrastructure certificate',
	5321: 'Simple Mail Transfer Protocol',
	5322: 'Internet message format',
	5782: 'DNS blacklists and whitelists',
	5890: 'Internationalized domain names for applications: definitions',
	5891: 'Internationalized domain names in applications: protocol',
	5892: 'The Unicode code points and IDNA',
	6066: 'Transport Layer Security extensions: definitions',
	6068: 'The mailto URI scheme',
	6238: 'TOTP: time-based one-time password algorithm',
	6265: 'HTTP state management mechanism',
	6266: 'the Content-Disposition header field in HTTP',
	6376: 'DomainKeys Identified Mail signatures',
	6531: 'SMTP extension for internationalized email',
	6647: 'Email greylisting',
	6750: 'OAuth 2.0: bearer tokens',
	6761: 'Special-use domain names',
	6762: 'Multicast DNS',
	6797: 'HTTP strict transport security',
	6840: 'Clarifications and implementation notes for DNS security',
	6890: 'Special-purpose IP address registries',
	6891: 'Extension mechanisms for DNS (EDNS(0))',
	7208: 'Sender Policy Framework',
	6454: 'The web origin concept',
	7372: 'Email authentication status codes',
	7480: 'HTTP usage in RDAP',
	7489: 'DMARC',
	7504: 'The reply codes 521 and 556 of SMTP',
	7505: 'A null MX resource record',
	7578: 'Returning values from forms: multipart/form-data',
	7672: 'SMTP security via opportunistic DANE TLS',
	7686: 'The .onion special-use domain name',
	7914: 'The scrypt password-based key derivation function',
	8020: 'NXDOMAIN: there really is nothing underneath',
	8056: 'EPP and RDAP status mapping',
	8187: 'character encoding and language of HTTP header parameters',
	8259: 'The JavaScript Object Notation data interchange format',
	8460: 'SMTP TLS reporting',
	8461: 'SMTP MTA strict transport security (MTA-STS)',
	8484: 'DNS queries over HTTPS',
	8659: 'DNS certification authority authorization resource record',
	9083: 'JSON responses for RDAP',
	9110: 'HTTP semantics',
	9111: 'HTTP caching',
	9112: 'HTTP/1.1',
	9116: 'A file format to aid in security vulnerability disclosure',
	9224: 'Finding the authoritative RDAP service',
	9309: 'Robots exclusion protocol',
	9824: 'Compact denial of existence in DNSSEC',
};

/** A clause that a file cites: `RFC 5321 §4.2.1`. */
export interface Citation {
	readonly rfc: number;
	/** `4.2.1`; empty: the whole document. */
	readonly clause: string;
	readonly file: string;
}

const ROOTS = ['src', 'test', 'tools'];
// This file names all RFCs, and its test has invalid citations.
const LEFT_OUT = new Set(['tools/rfcs.ts', 'test/unit/rfcs.test.ts']);
const CITATION = /\bRFC (\d{3,5})(?: §(\d+(?:\.\d+)*))?/g;
// An option of a program, such as rfc1413_hosts, cites nothing.
const MENTION = /\brfc[\s_-]?\d{3,5}(?![\d_])/gi;

/** The citations in the sources under `root`, and texts that look like citations but have another form. */
export function readCitations(root: string): { citations: readonly Citation[]; odd: readonly string[] } {
	const citations: Citation[] = [];
	const odd: string[] = [];
	for (const file of sourceFiles(root)) {
		const text = readFileSync(path.join(root, file), 'utf8');
		for (const [, rfc, clause = ''] of text.matchAll(CITATION))
			citations.push({ rfc: Number(rfc), clause, file });
		for (const [mention] of text.matchAll(MENTION))
			if (!/^RFC \d/.test(mention)) odd.push(`${file}: ${mention}`);
	}
	return { citations, odd };
}

/** Renders `docs/rfcs.md`: which clause is cited where. */
export function renderRfcs(citations: readonly Citation[]): string {
	const byRfc = Map.groupBy(citations, ({ rfc }) => rfc);
	const sections = [...byRfc]
		.toSorted(([a], [b]) => a - b)
		.map(([rfc, cited]) => {
			const byClause = Map.groupBy(cited, ({ clause }) => clause);
			const rows = [...byClause]
				.toSorted(([a], [b]) => a.localeCompare(b, 'en', { numeric: true }))
				.map(([clause, places]) => {
					const files = [...new Set(places.map(({ file }) => `\`${file}\``))].toSorted();
					return `| ${clause === '' ? 'as a whole' : `§${clause}`} | ${files.join(', ')} |`;
				});
			return `## RFC ${rfc}: ${RFC_TITLES[rfc] ?? '?'}\n\n| clause | cited in |\n|---|---|\n${rows.join('\n')}\n`;
		});
	return `# RFCs\n\nWhich clause stands behind which file. Made from the sources by \`npm run update:rfcs\`.\n\n${sections.join('\n')}`;
}

function sourceFiles(root: string): readonly string[] {
	return ROOTS.flatMap((folder) =>
		readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
			path.posix.join(folder, name.replaceAll('\\', '/')),
		),
	)
		.filter(
			(name) =>
				/\.tsx?$/.test(name) &&
				!name.includes('node_modules') &&
				!name.includes('/data/') &&
				!LEFT_OUT.has(name),
		)
		.toSorted();
}
