import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { PAGES, htmlOf } from '../../support/dashboard/pages.tsx';

const PAGE_OCTETS_MAX = 60_000;

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

	test('gives every id once', () => {
		const ids = [...html.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id);
		expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
	});

	test('is at most 60 KB when packed', () => {
		expect(gzipSync(html).length).toBeLessThan(PAGE_OCTETS_MAX);
	});
});
