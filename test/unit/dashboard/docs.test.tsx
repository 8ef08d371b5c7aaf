import { readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { API_ERROR_CODES } from '../../../src/core/errors/error-table.ts';
import type { OperatorRow } from '../../../src/core/mail-operators/operator-row.ts';
import { OPERATORS } from '../../../src/core/mail-operators/operators.ts';
import { ANSWERS } from '../../../src/core/test-keys/words.ts';
import { SUB_STATUSES } from '../../../src/core/verification/sub-status.ts';
import { DocsTextPage } from '../../../src/dashboard/pages/docs.tsx';
import { docsPages } from '../../../tools/docs/pages.ts';
import { toHtml } from '../../../tools/docs/markdown.ts';
import { apiCalls } from '../../../tools/docs/reference.ts';
import { htmlOf } from '../../support/dashboard/pages.tsx';
import { DOCS_FACTS } from '../../support/dashboard/people-pages.tsx';
import { viewed } from '../../support/dashboard/viewed.tsx';

const PAGES = docsPages();
const textOf = (path: string): string => PAGES.find((page) => page.path === path)?.markdown ?? '';
const idsOf = (html: string): readonly string[] =>
	[...html.matchAll(/<h[2-6] id="([^"]+)"/g)].map(([, id = '']) => id);

test('every call has a place in the reference, with a request to copy and every field explained', () => {
	expect(apiCalls().length).toBeGreaterThan(20);
	for (const { operationId, method, path, tags } of apiCalls()) {
		const text = textOf(`/docs/reference/${tags[0]?.toLowerCase()}`).split(/^## /m);
		const own = text.find((section) => section.includes(`{#${operationId}}`)) ?? '';
		expect(own, operationId).toContain(`\`${method} ${path}\``);
		expect(own, operationId).toMatch(/```sh[^]*```js[^]*```python/);
		for (const row of own.split('\n').filter((line) => line.startsWith('| `')))
			expect(row, operationId).toMatch(/\S \|$/);
		expect(own, operationId).not.toMatch(/\w\.\.(?:\s|$)|undefined/);
	}
});

test('the guides have every error, reason and word of a test key', () => {
	for (const code of API_ERROR_CODES) expect(textOf('/docs/guides/errors')).toContain(`\`${code}\``);
	for (const code of Object.keys(SUB_STATUSES))
		expect(textOf('/docs/guides/statuses')).toContain(`\`${code}\``);
	for (const word of ANSWERS.keys()) expect(textOf('/docs/guides/test-keys')).toContain(`\`${word}\``);
});

test('what the moving guide names on our side is a word that we use', () => {
	const rows = textOf('/docs/guides/moving')
		.split('\n')
		.filter((line) => line.startsWith('| '));
	expect(rows.length).toBeGreaterThan(40);
	const known = [
		...Object.keys(SUB_STATUSES),
		...API_ERROR_CODES,
		...textOf('/docs/reference/single').matchAll(/\b[a-z]+(?:_[a-z]+)+\b/g),
	].map(String);
	for (const row of rows) {
		const ours = row.split(/(?<!\\)\|/).at(2) ?? '';
		for (const [word] of ours.matchAll(/\b[a-z]+(?:_[a-z]+)+\b/g)) expect(known, row).toContain(word);
	}
});

test('every link within the documentation leads to a page, and to a heading of it', () => {
	const ids = new Map(PAGES.map(({ path, html }) => [path, new Set(idsOf(html))]));
	for (const { operationId } of apiCalls()) ids.set(`/docs/reference/${operationId}`, new Set());
	const broken = PAGES.flatMap(({ path: from, markdown }) =>
		[...markdown.matchAll(/\]\((\/docs[^)#\s]*|)(?:#([^)\s]+))?\)/g)]
			.filter(([, to = '', id]) => {
				const there = ids.get(to === '' ? from : to);
				return there === undefined || (id !== undefined && !there.has(id));
			})
			.map(([link]) => `${from}: ${link}`),
	);
	expect(broken).toEqual([]);
});

test('each page says its text, with a link to every heading, a copy button for every example and no id twice', async () => {
	for (const page of PAGES) {
		const html = await htmlOf(viewed(<DocsTextPage facts={DOCS_FACTS} page={page} html={page.html} />));
		const ids = idsOf(page.html);
		expect(new Set(ids).size, page.path).toBe(ids.length);
		for (const id of ids) expect(html, page.path).toContain(`href="#${id}"`);
		const fences = page.markdown.match(/^```\w/gm) ?? [];
		expect(html.match(/data-copy=/g) ?? [], page.path).toHaveLength(fences.length);
		expect(html, page.path).not.toMatch(/\{\{|```|\{#|undefined/);
		expect(gzipSync(html).length, page.path).toBeLessThan(60_000);
		expect(page.summary, page.path).toMatch(/\w{2}/);
	}
});

test('no text states a price by hand', () => {
	for (const name of readdirSync('src/dashboard/texts'))
		expect(readFileSync(`src/dashboard/texts/${name}`, 'utf8'), name).not.toMatch(/\b1 credit\b/);
});

test('HTML in a text is shown as text, and an address in it is no link', () => {
	const { html } = toHtml('# T\n\nA <b onclick="x()">word</b>, ada@acme.com\n\n<script>alert(1)</script>');
	expect(html).not.toMatch(/<(?:b|script|a)\b/);
	expect(html).toContain('&lt;script&gt;');
});

test('the page about mail operators has a row for each, with its source and date', () => {
	const text = textOf('/docs/operators');
	for (const row of Object.values<OperatorRow>(OPERATORS))
		expect(text).toContain(`| ${row.source} | ${row.date} |`);
	expect(text).toContain('| docomo | not known + filter, own domains |');
	expect(text).toMatch(/\| Yahoo Japan \| accepts all \|/);
});
