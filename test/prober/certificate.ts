import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const AUTHORITY = `
[ca]
default_ca = own
[own]
database = index.txt
rand_serial = yes
new_certs_dir = .
default_md = sha256
policy = any
[any]
commonName = supplied
`;

/** A self-signed certificate for `mx.test`, made by openssl. */
export interface Certificate {
	readonly key: string;
	readonly cert: string;
}

/** @param valid its first and last moment, as openssl writes them (`20200101000000Z`) */
export function makeCertificate(
	valid: readonly [string, string] = ['20260101000000Z', '20460101000000Z'],
): Certificate {
	const folder = mkdtempSync(path.join(tmpdir(), 'mailsonar-certificate-'));
	const openssl = (...words: string[]): void =>
		void execFileSync('openssl', words, { cwd: folder, stdio: 'ignore' });
	try {
		writeFileSync(path.join(folder, 'ca.conf'), AUTHORITY);
		writeFileSync(path.join(folder, 'index.txt'), '');
		openssl(
			'req',
			'-new',
			'-newkey',
			'rsa:2048',
			'-nodes',
			'-subj',
			'/CN=mx.test',
			'-keyout',
			'key',
			'-out',
			'csr',
		);
		openssl(
			...['ca', '-batch', '-config', 'ca.conf', '-selfsign', '-keyfile', 'key', '-in', 'csr', '-out', 'cert'],
			...['-startdate', valid[0], '-enddate', valid[1], '-notext'],
		);
		const read = (name: string): string => readFileSync(path.join(folder, name), 'utf8');
		return { key: read('key'), cert: read('cert') };
	} finally {
		rmSync(folder, { recursive: true });
	}
}

/** Its last moment was years ago. */
export const LONG_EXPIRED = ['20200101000000Z', '20210101000000Z'] as const;
