// The first match counts: a browser's user agent also names the browsers it descends from.
const BROWSERS = [
	[/\bEdg(?:e|A|iOS)?\//, 'Edge'],
	[/\bOPR\//, 'Opera'],
	[/\b(?:Firefox|FxiOS)\//, 'Firefox'],
	[/\b(?:Chrome|CriOS|Chromium)\//, 'Chrome'],
	[/\bSafari\//, 'Safari'],
] as const;
const SYSTEMS = [
	[/\b(?:iPhone|iPad)\b/, 'iOS'],
	[/\bAndroid\b/, 'Android'],
	[/\bWindows\b/, 'Windows'],
	[/\bMac OS X\b/, 'macOS'],
	[/\bCrOS\b/, 'ChromeOS'],
	[/\bLinux\b/, 'Linux'],
] as const;

/** A short name by which a person recognises a browser: `Firefox on Linux`. The user agent itself is not stored. */
export function describeDevice(userAgent: string): string {
	const browser = BROWSERS.find(([pattern]) => pattern.test(userAgent))?.[1] ?? 'A browser';
	const system = SYSTEMS.find(([pattern]) => pattern.test(userAgent))?.[1];
	return system === undefined ? browser : `${browser} on ${system}`;
}
