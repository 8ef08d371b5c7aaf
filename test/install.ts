import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

// `node test/install.ts`: installs what `test/package.json` names, unless it is there.

interface Lock {
	readonly packages: Readonly<Record<string, { readonly version?: string; readonly optional?: boolean }>>;
}

/** Installs what the lock file of a folder names, unless it is there. No install script of a package runs. */
export function installPackages(folder: string): void {
	const lock = path.join(folder, 'package-lock.json');
	// npm writes this file when it has installed everything.
	const record = path.join(folder, 'node_modules/.package-lock.json');
	if (existsSync(record) && isInstalled(readLock(lock), readLock(record))) return;
	console.error(`Installing the packages of ${path.relative('.', lock)} …`);
	const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
	const isWindows = process.platform === 'win32';
	const { status } = spawnSync(isWindows ? 'npm.cmd' : 'npm', ['ci', '--prefix', folder, ...flags], {
		stdio: ['ignore', 'ignore', 'inherit'],
		shell: isWindows,
	});
	if (status !== 0) throw new Error(`npm did not install the packages of ${lock}`);
}

function readLock(file: string): Lock {
	return JSON.parse(readFileSync(file, 'utf8')) as Lock;
}

function isInstalled(wanted: Lock, present: Lock): boolean {
	return Object.entries(wanted.packages).every(
		([name, { version, optional }]) =>
			name === '' || optional === true || present.packages[name]?.version === version,
	);
}

if (import.meta.main) installPackages(import.meta.dirname);
