import { accessSync, constants } from 'node:fs';
import path from 'node:path';

/** How a browser is started. */
export interface BrowserCommand {
	readonly executablePath: string;
	/** In addition to our own environment. */
	readonly env: Readonly<Record<string, string>>;
}

const NAMES = ['google-chrome', 'google-chrome-stable', 'chromium', 'chromium-browser'];
const MAC_APPLICATIONS = ['Google Chrome', 'Chromium'];
const WINDOWS_ROOTS = ['PROGRAMFILES', 'PROGRAMFILES(X86)', 'LOCALAPPDATA'];

/** Where Chrome or Chromium may be installed: in PATH, or where the operating system keeps programs. */
export function installedChromiums(
	platform: NodeJS.Platform = process.platform,
	env: Readonly<Record<string, string | undefined>> = process.env,
): readonly string[] {
	if (platform === 'win32')
		return WINDOWS_ROOTS.flatMap((root) => env[root] ?? []).map((root) =>
			path.win32.join(root, 'Google', 'Chrome', 'Application', 'chrome.exe'),
		);
	const inPath = (env['PATH'] ?? '')
		.split(path.delimiter)
		.filter((folder) => path.isAbsolute(folder))
		.flatMap((folder) => NAMES.map((name) => path.join(folder, name)));
	if (platform !== 'darwin') return inPath;
	const applications = ['/Applications', path.join(env['HOME'] ?? '/', 'Applications')];
	const bundles = applications.flatMap((folder) =>
		MAC_APPLICATIONS.map((name) => path.join(folder, `${name}.app`, 'Contents/MacOS', name)),
	);
	return [...bundles, ...inPath];
}

/** Whether a file exists and is executable. */
export function isExecutable(file: string): boolean {
	try {
		accessSync(file, constants.X_OK);
		return true;
	} catch {
		return false;
	}
}
