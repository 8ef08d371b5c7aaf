import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LOOPBACK } from '../../sandbox/listener.ts';
import { isInstalled, startChildServer } from './child-server.ts';
import type { ChildCommand } from './child-server.ts';

const USERNAME = 'sonar';
// Characters that a URL must escape, and one of two octets.
const PASSWORD = 'p@ss:w/ö#r d';

/** A proxy that other people wrote. Where it is absent its tests are skipped locally, but fail where the project is built. */
export type RealProxy =
	| { readonly kind: 'running'; readonly url: string; close(): Promise<void> }
	| { readonly kind: 'absent'; readonly reason: string };

/** Starts microsocks with a password. */
export async function startMicrosocks(): Promise<RealProxy> {
	const user = `${encodeURIComponent(USERNAME)}:${encodeURIComponent(PASSWORD)}@`;
	return start(['microsocks'], user, (program, port) => ({
		program,
		args: ['-i', LOOPBACK, '-p', String(port), '-u', USERNAME, '-P', PASSWORD],
	}));
}

/** Starts Dante without a password, and with a rule against 127.0.0.2. */
export async function startDante(): Promise<RealProxy> {
	const folder = mkdtempSync(join(tmpdir(), 'mailsonar-dante-'));
	const dante = await start(['danted', 'sockd'], '', (program, port) => {
		const file = join(folder, 'dante.conf');
		writeFileSync(file, danteConfiguration(port));
		return { program, args: ['-f', file, '-p', join(folder, 'dante.pid')], cwd: folder };
	});
	const remove = (): void => rmSync(folder, { recursive: true, force: true });
	if (dante.kind === 'running') return { ...dante, close: () => dante.close().then(remove) };
	remove();
	return dante;
}

/** Starts the first of the programs that is installed. One that does not start must not fail tests that do not need it. */
async function start(
	programs: readonly string[],
	user: string,
	command: (program: string, port: number) => ChildCommand,
): Promise<RealProxy> {
	const program = programs.find(isInstalled);
	if (program === undefined) return { kind: 'absent', reason: `${programs[0] ?? ''} is not installed` };
	try {
		const child = await startChildServer((port) => command(program, port));
		return { kind: 'running', url: `socks5://${user}${LOOPBACK}:${child.port}`, close: () => child.close() };
	} catch (error) {
		return { kind: 'absent', reason: String(error) };
	}
}

function danteConfiguration(port: number): string {
	return `logoutput: stderr
internal: ${LOOPBACK} port = ${port}
external: ${LOOPBACK}
clientmethod: none
socksmethod: none
client pass {
	from: 127.0.0.0/8 to: 0.0.0.0/0
}
socks block {
	from: 127.0.0.0/8 to: 127.0.0.2/32
}
socks pass {
	from: 127.0.0.0/8 to: 127.0.0.0/8
	command: connect
}
`;
}
