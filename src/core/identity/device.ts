// The first that fits: browsers name their ancestors, too.
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

/** What a person recognises a browser by: `Firefox on Linux`. No more of it is kept. */
export function describeDevice(userAgent: string): string {
	const browser = BROWSERS.find(([pattern]) => pattern.test(userAgent))?.[1] ?? 'A browser';
	const system = SYSTEMS.find(([pattern]) => pattern.test(userAgent))?.[1];
	return system === undefined ? browser : `${browser} on ${system}`;
}
