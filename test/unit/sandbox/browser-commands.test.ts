import { expect, test } from 'vitest';
import { installedChromiums } from '../../support/browser/commands.ts';

test.each([
	['linux', { PATH: '/usr/bin:/snap/bin' }, ['/usr/bin/chromium', '/snap/bin/google-chrome-stable']],
	['darwin', { HOME: '/Users/ada' }, ['/Applications/Google Chrome.app/Contents/MacOS/Google Chrome']],
	['darwin', { HOME: '/Users/ada' }, ['/Users/ada/Applications/Chromium.app/Contents/MacOS/Chromium']],
	['darwin', { PATH: '/opt/homebrew/bin' }, ['/opt/homebrew/bin/chromium']],
	[
		'win32',
		{ PROGRAMFILES: 'C:\\Program Files' },
		['C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe'],
	],
] as const)('an installed browser is looked for on %s with %j', (platform, env, expected) => {
	expect(installedChromiums(platform, env)).toEqual(expect.arrayContaining([...expected]));
});

test('a PATH that leads into folders of whoever starts the tests is not followed', () => {
	expect(installedChromiums('linux', { PATH: ':.:bin' })).toEqual([]);
	expect(installedChromiums('linux', {})).toEqual([]);
});
