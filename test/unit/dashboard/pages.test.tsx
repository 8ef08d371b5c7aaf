import { globSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { PAGES, htmlOf } from '../../support/dashboard/pages.tsx';
import { buildSite } from '../../../tools/site.ts';

// A page as a browser loads it first: the text, the style sheet, the scripts and the typeface. A slow phone (400 kbit/s, five
// round trips of 100 ms) draws 75 KB within two seconds, headers included.
const PAGE_OCTETS_MAX = 70_000;
const { files: SENT } = buildSite();
/** The octets of a page and of all that it loads, packed as Cloudflare sends them. */
function weightOf(html: string): number {
	const loaded = [...html.matchAll(/<(?:script|link)[^>]* (?:src|href)="\/([^"]+\.(?:js|css|woff2))"/g)];
	const files = new Set(loaded.map(([, name = '']) => name));
	expect(files.size).toBeGreaterThan(2);
	return [...files].reduce((sum, name) => {
		const content = SENT.get(name) ?? '';
		return sum + (name.endsWith('.woff2') ? content.length : gzipSync(content).length);
	}, gzipSync(html).length);
}

const rendered = await Promise.all(
	Object.entries(PAGES).map(async ([name, page]) => [name, await htmlOf(page)] as const),
);

describe.each(rendered)('the page %s', (_name, html) => {
	test('has one title, one heading of the first order, and its landmarks', () => {
		expect(html.match(/<head>.*<title>.*<\/head>/gs)).toHaveLength(1);
		expect(html.match(/<h1[\s>]/g)).toHaveLength(1);
		expect(html.match(/<main[\s>]/g)).toHaveLength(1);
		expect(html).toContain('href="#main"');
	});

	test('holds neither styles nor scripts of its own, so that a strict policy can forbid them', () => {
		expect(html).not.toMatch(/\sstyle="|<style|\son[a-z]+="/);
		expect(html.match(/<script(?![^>]*src="\/assets\/)/g)).toBeNull();
	});

	test('has the focus in each wrong field, of which the browser takes the first', () => {
		const wrong = html.match(/<[a-z]+[^>]*aria-invalid="true"[^>]*>/g) ?? [];
		expect(wrong.filter((control) => !/ autofocus/.test(control))).toEqual([]);
	});

	test('shows no value that nobody has set, and no word of a text that nothing fills in', () => {
		expect(html).not.toMatch(/value="(?:null|undefined|NaN)"|\{\{/);
	});

	test('gives every id once', () => {
		const ids = [...html.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id);
		expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
	});

	test('names one balance of the account, however often it does', () => {
		const words = html.replaceAll(/<[^>]*>/g, '');
		const told = words.matchAll(/you have ([\d,]+)|([\d,]+) (?:credits )?available\b/gi);
		expect(new Set([...told].map(([, first, second]) => first ?? second)).size).toBeLessThanOrEqual(1);
	});

	test('weighs at most 70 KB with all that it loads', () => {
		expect(weightOf(html)).toBeLessThan(PAGE_OCTETS_MAX);
	});
});

test('each place of the application is among these pages', () => {
	const textOf = (files: string) =>
		globSync(files)
			.map((file) => readFileSync(file, 'utf8'))
			.join('\n');
	const places = [...textOf('src/dashboard/pages/*.tsx').matchAll(/const (\w+) = new Place\(/g)];
	const samples = textOf('test/support/dashboard/*.tsx');
	expect(places.length).toBeGreaterThan(15);
	expect(places.map(([, name]) => name).filter((name) => !samples.includes(`${name}.draw(`))).toEqual([]);
});
