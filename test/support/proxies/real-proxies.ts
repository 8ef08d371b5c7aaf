import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LOOPBACK } from '../../sandbox/listener.ts';
import { freePort, isInstalled, startChildServer } from './child-server.ts';
import type { ChildServer } from './child-server.ts';

const OPENSSL = 'openssl';
const USERNAME = 'sonar';
// Characters that a URL must escape, and one of two octets.
const PASSWORD = 'p@ss:w/ö#r d';

export type RealProxyName =
	| 'microsocks'
	| 'microsocksOpen'
	| 'dante'
	| 'danteOpen'
	| 'stunnel'
	| 'stunnelOtherName'
	| 'stunnelUntrusted';

export type RealProxy =
	| { readonly kind: 'running'; readonly url: string; readonly program: string }
	/** Not installed. Tests are then skipped locally, but fail where the project is built. */
	| { readonly kind: 'absent'; readonly reason: string };

interface RealProxies {
	readonly proxies: Readonly<Record<RealProxyName, RealProxy>>;
	/** PEM file of the authority that clients have to trust; null without stunnel. */
	readonly trustFile: string | null;
	close(): Promise<void>;
}

/** Starts microsocks, Dante and stunnel, as far as they are installed. */
export async function startRealProxies(): Promise<RealProxies> {
	const folder = mkdtempSync(join(tmpdir(), 'mailsonar-proxies-'));
	const children: ChildServer[] = [];
	const keep = async (starting: Promise<ChildServer>): Promise<ChildServer> => {
		const child = await starting;
		children.push(child);
		return child;
	};
	const [microsocks, dante] = await Promise.all([
		startMicrosocks(keep).catch((error) => both(['microsocks', 'microsocksOpen'], broken(error))),
		startDante(keep, folder).catch((error) => both(['dante', 'danteOpen'], broken(error))),
	]);
	const stunnel = await startStunnel(keep, folder, microsocks.microsocks).catch((error) => ({
		proxies: both(STUNNELS, broken(error)),
		trustFile: null,
	}));
	return {
		proxies: { ...microsocks, ...dante, ...stunnel.proxies },
		trustFile: stunnel.trustFile,
		async close() {
			await Promise.all(children.map((child) => child.close()));
			rmSync(folder, { recursive: true, force: true });
		},
	};
}

type Keep = (starting: Promise<ChildServer>) => Promise<ChildServer>;

async function startMicrosocks(keep: Keep): Promise<Record<'microsocks' | 'microsocksOpen', RealProxy>> {
	const program = 'microsocks';
	if (!isInstalled(program)) return both(['microsocks', 'microsocksOpen'], absent(program));
	const [guarded, open] = await Promise.all([
		keep(
			startChildServer((port) => ({
				program,
				args: ['-i', LOOPBACK, '-p', String(port), '-u', USERNAME, '-P', PASSWORD],
			})),
		),
		keep(startChildServer((port) => ({ program, args: ['-i', LOOPBACK, '-p', String(port)] }))),
	]);
	return {
		microsocks: running(program, guarded.port, true),
		microsocksOpen: running(program, open.port, false),
	};
}

/**
 * Dante looks users up in the system's tables. nss_wrapper (cwrap.org) gives it separate tables, so that the machine is
 * not modified. Without passwords Dante does not need it.
 */
async function startDante(keep: Keep, folder: string): Promise<Record<'dante' | 'danteOpen', RealProxy>> {
	const program = ['danted', 'sockd'].find(isInstalled);
	if (program === undefined) return both(['dante', 'danteOpen'], absent('danted'));
	const start = (name: string, method: string, env: Readonly<Record<string, string>>): Promise<ChildServer> =>
		keep(
			startChildServer((port) => {
				const file = join(folder, `${name}.conf`);
				writeFileSync(file, danteConfiguration(port, method));
				return { program, args: ['-f', file, '-p', join(folder, `${name}.pid`)], cwd: folder, env };
			}),
		);
	const open = await start('dante-open', 'none', {});
	const danteOpen = running(program, open.port, false);
	if (!isPreloadable('libnss_wrapper.so')) return { danteOpen, dante: absent('libnss_wrapper.so') };
	const guarded = await start('dante', 'username', ownUserTables(folder));
	return { danteOpen, dante: running(program, guarded.port, true) };
}

function danteConfiguration(port: number, method: string): string {
	return [
		'logoutput: stderr',
		`internal: ${LOOPBACK} port = ${port}`,
		`external: ${LOOPBACK}`,
		'clientmethod: none',
		`socksmethod: ${method}`,
		'client pass {\n\tfrom: 127.0.0.0/8 to: 0.0.0.0/0\n}',
		// One address that the rules block.
		'socks block {\n\tfrom: 127.0.0.0/8 to: 127.0.0.2/32\n}',
		`socks pass {\n\tfrom: 127.0.0.0/8 to: 127.0.0.0/8\n\tcommand: connect\n\tsocksmethod: ${method}\n}`,
		'',
	].join('\n');
}

/** The user tables with one more user, as nss_wrapper wants them. */
function ownUserTables(folder: string): Record<string, string> {
	const hashed = spawnSync(OPENSSL, ['passwd', '-6', '-stdin'], { input: PASSWORD, encoding: 'utf8' });
	const hash = hashed.stdout.trim();
	const [passwd, group, shadow] = ['passwd', 'group', 'shadow'].map((name) => join(folder, name));
	if (hash === '' || passwd === undefined || group === undefined || shadow === undefined)
		throw new Error(`openssl cannot hash a password: ${hashed.stderr}`);
	writeFileSync(
		passwd,
		`${readFileSync('/etc/passwd', 'utf8')}${USERNAME}:${hash}:61000:61000::/nonexistent:/bin/false\n`,
	);
	writeFileSync(group, `${readFileSync('/etc/group', 'utf8')}${USERNAME}:x:61000:\n`);
	writeFileSync(shadow, `${USERNAME}:${hash}:19000:0:99999:7:::\n`);
	return {
		LD_PRELOAD: 'libnss_wrapper.so',
		NSS_WRAPPER_PASSWD: passwd,
		NSS_WRAPPER_GROUP: group,
		NSS_WRAPPER_SHADOW: shadow,
	};
}

function isPreloadable(library: string): boolean {
	const tried = spawnSync('true', [], { env: { ...process.env, LD_PRELOAD: library }, encoding: 'utf8' });
	// If a library can't be loaded, the dynamic linker complains and continues.
	return process.platform === 'linux' && tried.stderr === '';
}

const STUNNELS = ['stunnel', 'stunnelOtherName', 'stunnelUntrusted'] as const;

/** One stunnel with three certificates: a valid one, one for another host, and one of an untrusted authority. */
async function startStunnel(
	keep: Keep,
	folder: string,
	behind: RealProxy,
): Promise<{
	proxies: Record<(typeof STUNNELS)[number], RealProxy>;
	trustFile: string | null;
}> {
	const missing = ['stunnel', OPENSSL].find((program) => !isInstalled(program));
	if (missing !== undefined || behind.kind === 'absent') {
		const reason = missing === undefined ? behind : absent(missing);
		return { proxies: both(STUNNELS, reason), trustFile: null };
	}
	const authority = makeAuthority(folder, 'authority');
	const stranger = makeAuthority(folder, 'stranger');
	const ourNames = `DNS:localhost,IP:${LOOPBACK}`;
	const trusted = makeCertificate(folder, 'trusted', authority, ourNames);
	const otherName = makeCertificate(folder, 'other-name', authority, 'DNS:proxy.example');
	const untrusted = makeCertificate(folder, 'untrusted', stranger, ourNames);
	const target = Number(new URL(behind.url).port);
	const [otherPort, untrustedPort] = [await freePort(), await freePort()];
	const stunnel = await keep(
		startChildServer((port) => {
			const file = join(folder, 'stunnel.conf');
			const services = [
				stunnelService(port, target, trusted),
				stunnelService(otherPort, target, otherName),
				stunnelService(untrustedPort, target, untrusted),
			];
			writeFileSync(file, `foreground = yes\npid =\ndebug = err\n${services.join('\n')}\n`);
			return { program: 'stunnel', args: [file], cwd: folder };
		}),
	);
	return {
		proxies: {
			stunnel: running('stunnel', stunnel.port, true, 'socks5s'),
			stunnelOtherName: running('stunnel', otherPort, true, 'socks5s'),
			stunnelUntrusted: running('stunnel', untrustedPort, true, 'socks5s'),
		},
		trustFile: authority.certificate,
	};
}

function stunnelService(accept: number, target: number, { certificate, key }: Certificate): string {
	const addresses = [`accept = ${LOOPBACK}:${accept}`, `connect = ${LOOPBACK}:${target}`];
	return [`[at-${accept}]`, ...addresses, `cert = ${certificate}`, `key = ${key}`].join('\n');
}

interface Certificate {
	readonly certificate: string;
	readonly key: string;
}

function makeAuthority(folder: string, name: string): Certificate {
	return certify(folder, name, ['basicConstraints = critical, CA:TRUE', 'keyUsage = keyCertSign'], []);
}

/** A certificate signed by the authority, as servers' certificates are. */
function makeCertificate(folder: string, name: string, authority: Certificate, names: string): Certificate {
	const signer = ['-CA', authority.certificate, '-CAkey', authority.key];
	return certify(folder, name, ['basicConstraints = CA:FALSE', `subjectAltName = ${names}`], signer);
}

function certify(
	folder: string,
	name: string,
	extensions: readonly string[],
	signer: readonly string[],
): Certificate {
	const [certificate, key, config] = [`${name}.pem`, `${name}.key`, `${name}.cnf`].map((file) =>
		join(folder, file),
	) as [string, string, string];
	const sections = ['[req]', 'distinguished_name = subject', '[subject]', '[extensions]', ...extensions];
	writeFileSync(config, `${sections.join('\n')}\n`);
	const args = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -extensions extensions';
	const made = spawnSync(
		OPENSSL,
		[
			...args.split(' '),
			'-config',
			config,
			'-subj',
			`/CN=${name}`,
			'-keyout',
			key,
			'-out',
			certificate,
			...signer,
		],
		{ encoding: 'utf8' },
	);
	if (made.status !== 0) throw new Error(`openssl cannot make a certificate: ${made.stderr}`);
	chmodSync(key, 0o600);
	return { certificate, key };
}

function running(program: string, port: number, guarded: boolean, scheme = 'socks5'): RealProxy {
	const user = guarded ? `${encodeURIComponent(USERNAME)}:${encodeURIComponent(PASSWORD)}@` : '';
	return { kind: 'running', url: `${scheme}://${user}${LOOPBACK}:${port}`, program };
}

function absent(what: string): RealProxy {
	return { kind: 'absent', reason: `${what} is not installed` };
}

/** A proxy that is installed but does not start, which must not fail tests that do not need it. */
function broken(error: unknown): RealProxy {
	return { kind: 'absent', reason: String(error) };
}

function both<N extends string>(names: readonly N[], proxy: RealProxy): Record<N, RealProxy> {
	return Object.fromEntries(names.map((name) => [name, proxy])) as Record<N, RealProxy>;
}
