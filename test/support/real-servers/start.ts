import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import path from 'node:path';
import { isInstalled, startChildServer } from '../proxies/child-server.ts';
import type { ChildServer } from '../proxies/child-server.ts';
import type { Program } from './programs.ts';

// Debian's mail servers conflict as packages. Each gets the machine's files with a layer of its own above them, in namespaces
// that end with it, and is installed there.

/** Why none can be started on this machine, or null. */
export function whyNone(): string | null {
	if (process.getuid?.() !== 0) return 'mail servers are installed by root alone';
	const lacking = ['unshare', 'chroot', 'apt-get'].filter((program) => !isInstalled(program));
	if (lacking.length > 0) return `without ${lacking.join(', ')} no mail server can be installed`;
	const inNamespaces = spawnSync('unshare', '--mount --pid --fork mount -t tmpfs none /mnt'.split(' '));
	return inNamespaces.status === 0 ? null : 'this machine allows no mounts';
}

/** Installs a program in a layer of its own, starts it on a free port of loopback, and waits until it takes connections. */
export async function startProgram(program: Program): Promise<ChildServer> {
	const folder = mkdtempSync(path.join(tmpdir(), 'mailsonar-mail-server-'));
	try {
		const server = await startChildServer((port) => {
			layOut(folder, program, port);
			return {
				program: 'unshare',
				args: ['--mount', '--pid', '--fork', '--kill-child', 'bash', '-e', path.join(folder, 'run.sh')],
			};
		});
		const close = async (): Promise<void> => {
			await server.close();
			rmSync(folder, { recursive: true, force: true });
		};
		return { port: server.port, close };
	} catch (error) {
		rmSync(folder, { recursive: true, force: true });
		throw error;
	}
}

function layOut(folder: string, program: Program, port: number): void {
	for (const name of ['upper', 'work', 'root', 'files'])
		mkdirSync(path.join(folder, name), { recursive: true });
	const files: Readonly<Record<string, string>> = {
		...program.files(port),
		// Services start by our hand alone.
		'/usr/sbin/policy-rc.d': '#!/bin/sh\nexit 101\n',
		// Else Sendmail looks for the machine's full name for a minute.
		'/etc/hosts': `127.0.0.1 localhost\n127.0.1.1 ${hostname()}.inbox.test ${hostname()}\n`,
	};
	for (const [name, text] of Object.entries(files)) {
		const file = path.join(folder, 'files', name);
		mkdirSync(path.dirname(file), { recursive: true });
		writeFileSync(file, text, { mode: name.startsWith('/usr/sbin') ? 0o755 : 0o644 });
	}
	const packages = [program.package, ...(program.others ?? [])].join(' ');
	writeFileSync(
		path.join(folder, 'run.sh'),
		`cd ${folder}
exec >&2
mount -t overlay overlay -o lowerdir=/,upperdir=upper,workdir=work root
mount --bind /dev root/dev
mount -t proc proc root/proc
mount -t tmpfs tmpfs root/run
mkdir -p root/run/lock
install -m 755 files/usr/sbin/policy-rc.d root/usr/sbin/
install -m 644 files/etc/hosts root/etc/
DEBIAN_FRONTEND=noninteractive chroot root apt-get install -y -qq --no-install-recommends ${packages}
cp -r --no-preserve=ownership files/. root/
chroot root bash -ec ${quoted(program.prepare ?? 'true')}
chroot root bash -ec ${quoted(program.start(port))}
`,
	);
}

function quoted(text: string): string {
	return `'${text.replaceAll("'", `'\\''`)}'`;
}
