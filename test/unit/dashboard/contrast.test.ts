import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

// The colours as the style sheet states them, both schemes, against WCAG 2.2: text 4.5:1 (§1.4.3), what is no text but
// means something 3:1 (§1.4.11).

const CSS = readFileSync('src/dashboard/assets/look.css', 'utf8');
const COLOURS = new Map(
	[...CSS.matchAll(/--([a-z-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);/g)].map(
		([, name = '', light = '', dark = '']) => [name, { light, dark }],
	),
);

const GROUNDS = ['page', 'surface', 'sunken', 'hover'] as const;
const OUTCOMES = ['deliverable', 'undeliverable', 'risky', 'unknown'] as const;

const TEXTS: readonly (readonly [ink: string, ground: string])[] = [
	...GROUNDS.flatMap((ground) => [['text', ground] as const, ['quiet', ground] as const]),
	...['page', 'surface', 'sunken', 'accent-soft'].map((ground) => ['accent', ground] as const),
	['quiet', 'accent-soft'],
	['on-accent', 'accent-fill'],
	['on-accent', 'accent-fill-hover'],
	['on-accent', 'danger-fill'],
	['on-accent', 'danger-fill-hover'],
	...OUTCOMES.flatMap((outcome) => [
		[outcome, `${outcome}-soft`] as const,
		...['page', 'surface', 'sunken'].map((ground) => [outcome, ground] as const),
	]),
];

const SHAPES: readonly (readonly [ink: string, ground: string])[] = [
	...['page', 'surface'].flatMap((ground) => [
		['line-strong', ground] as const,
		['accent-fill', ground] as const,
		...OUTCOMES.map((outcome) => [`${outcome}-fill`, ground] as const),
	]),
	['accent', 'hover'],
];

describe.each(['light', 'dark'] as const)('in the %s scheme', (scheme) => {
	test.each(TEXTS)('text in %s can be read on %s', (ink, ground) => {
		expect(contrast(colour(ink, scheme), colour(ground, scheme))).toBeGreaterThanOrEqual(4.5);
	});

	test.each(SHAPES)('shapes in %s can be seen on %s', (ink, ground) => {
		expect(contrast(colour(ink, scheme), colour(ground, scheme))).toBeGreaterThanOrEqual(3);
	});
});

test('black on white is 21:1, and every colour is stated for both schemes', () => {
	expect(contrast('#000000', '#ffffff')).toBeCloseTo(21);
	const stated = [...CSS.matchAll(/^\t--([a-z-]+): light-dark/gm)].map(([, name]) => name);
	expect(stated.length).toBeGreaterThan(20);
	expect(CSS.match(/--[a-z-]+: #/g)).toBeNull();
});

function colour(name: string, scheme: 'light' | 'dark'): string {
	const found = COLOURS.get(name);
	if (found === undefined) throw new Error(`--${name} is not stated as light-dark(#…, #…)`);
	return found[scheme];
}

/** WCAG 2.2, "contrast ratio". */
function contrast(a: string, b: string): number {
	const [lighter = 0, darker = 0] = [luminance(a), luminance(b)].toSorted((x, y) => y - x);
	return (lighter + 0.05) / (darker + 0.05);
}

/** WCAG 2.2, "relative luminance". */
function luminance(hex: string): number {
	const [red = 0, green = 0, blue = 0] = (hex.match(/[0-9a-f]{2}/g) ?? []).map((pair) => {
		const channel = Number.parseInt(pair, 16) / 255;
		return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
	});
	return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
