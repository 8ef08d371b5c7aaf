import { OPERATORS } from '../../../src/core/mail-operators/operators.ts';
import type { OperatorRow } from '../../../src/core/mail-operators/operator-row.ts';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { API_ERROR_CODES } from '../../../src/core/errors/error-table.ts';
import { ANSWERS } from '../../../src/core/test-keys/words.ts';
import { SUB_STATUSES } from '../../../src/core/verification/sub-status.ts';
import { llmsText, markdownPath } from '../../../src/dashboard/docs/pages.ts';
import { searchDocs, searchIndex } from '../../../src/dashboard/docs/search.ts';
import { sectionsOf } from '../../../src/dashboard/docs/sections.ts';
import { DocsTextPage } from '../../../src/dashboard/pages/public/docs.tsx';
import { DOCS_CALLS, DOCS_PAGES } from '../../support/dashboard/docs-pages.ts';
import { htmlOf } from '../../support/dashboard/pages.tsx';
import { view } from '../../support/dashboard/samples.ts';

const pageAt = (path: string) => DOCS_PAGES.find((page) => page.path === path);
const textOf = (path: string): string => pageAt(path)?.markdown ?? '';

test('every call has a page, with an example of every answer and error, and every field explained', () => {
	for (const call of DOCS_CALLS) {
		const text = textOf(`/docs/reference/${call.id}`);
		expect(text, call.id).not.toMatch(/\w\.\.(?:\s|$)/);
		for (const { status, examples } of call.answers) {
			expect(text, call.id).toContain(`### ${status}`);
			if (status !== '204') expect(examples.length, `${call.id} ${status}`).toBeGreaterThan(0);
			for (const { value } of examples) {
				const shown = typeof value === 'string' ? value.trim() : JSON.stringify(value, null, 2);
				expect(text, call.id).toContain(shown);
			}
		}
		for (const { name, notes } of [
			...call.parameters,
			...call.body,
			...call.fields,
			...call.data,
			...call.meta,
		]) {
			expect(text, call.id).toContain(`\`${name}\``);
			expect(notes, `${call.id}: ${name} is explained`).not.toBeNull();
		}
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
		...textOf('/docs/reference/verifyAddress').matchAll(/\b[a-z]+(?:_[a-z]+)+\b/g),
	].map(String);
	for (const row of rows) {
		const ours = row.split(/(?<!\\)\|/).at(2) ?? '';
		for (const [word] of ours.matchAll(/\b[a-z]+(?:_[a-z]+)+\b/g)) expect(known, row).toContain(word);
	}
});

test('every link within the documentation leads to a page, and to a heading of it', () => {
	const ids = new Map(
		DOCS_PAGES.map(({ path, markdown }) => [path, new Set(sectionsOf(markdown).map(({ id }) => id))]),
	);
	const broken = DOCS_PAGES.flatMap(({ path: from, markdown }) =>
		[...markdown.matchAll(/\]\((\/docs[^)#\s]*|)(?:#([^)\s]+))?\)/g)]
			.filter(([, to = '', id]) => {
				const there = ids.get(to === '' ? from : to);
				return there === undefined || (id !== undefined && !there.has(id));
			})
			.map(([link]) => `${from}: ${link}`),
	);
	expect(broken).toEqual([]);
});

test('no heading of a page has the id of another', () => {
	for (const { path, markdown } of DOCS_PAGES) {
		const ids = sectionsOf(markdown).map(({ id }) => id);
		expect(new Set(ids).size, path).toBe(ids.length);
	}
});

test('a page says in HTML what its Markdown says, with a link to every heading and a copy button for every example', async () => {
	for (const page of DOCS_PAGES) {
		const html = await htmlOf(<DocsTextPage view={view} pages={DOCS_PAGES} page={page} offer={null} />);
		const headings = sectionsOf(page.markdown).filter(({ level }) => level === 2 || level === 3);
		for (const { id } of headings) {
			expect(html, page.path).toContain(`id="${id}"`);
			expect(html, page.path).toContain(`href="#${id}"`);
		}
		const fences = page.markdown.match(/^```\w/gm) ?? [];
		expect(html.match(/data-copy=/g) ?? [], page.path).toHaveLength(fences.length);
		expect(html, page.path).not.toMatch(/\{\{|```|undefined/);
		expect(gzipSync(html).length, page.path).toBeLessThan(60_000);
	}
});

test('llms.txt names every page, as Markdown', () => {
	const text = llmsText(DOCS_PAGES, 'https://api.test');
	for (const { path } of DOCS_PAGES) expect(text).toContain(`(https://api.test${markdownPath(path)})`);
});

describe('search', () => {
	const index = searchIndex(DOCS_PAGES);
	test.each([
		['429', '/docs/guides/errors#429-is-different'],
		['zerobounce', '/docs/guides/moving#zerobounce'],
		['how long key lives', '/docs/guides/idempotency#how-long-a-key-lives'],
		['Webhooks', '/docs/guides/webhooks'],
		['sdk', '/docs/guides/client'],
		['command line', '/docs/guides/client'],
	])('%s leads to %s first', (query, href) => {
		expect(searchDocs(index, query)[0]?.href).toBe(href);
	});

	test('a word that is nowhere finds nothing, and so does nothing', () => {
		expect(searchDocs(index, 'xyzzy lists')).toEqual([]);
		expect(searchDocs(index, '  ')).toEqual([]);
	});
});

test('the page about mail operators has a row for each, with its source and date', () => {
	const text = textOf('/docs/operators');
	for (const row of Object.values<OperatorRow>(OPERATORS))
		expect(text).toContain(`| ${row.source} | ${row.date} |`);
	expect(text).toContain('| docomo | not known + filter, own domains |');
	expect(text).toMatch(/\| Yahoo Japan \| accepts all \|/);
});
