import type { Child } from 'hono/jsx';
import type { Token, Tokens } from 'marked';
import type { Section } from '../docs/sections.ts';
import { plainText } from '../docs/sections.ts';
import { STATUSES } from '../../core/verification/sub-status.ts';
import { StatusBadge } from './badge.tsx';
import { CodeBlock, CodeTabs } from './code.tsx';
import { breakable, Table, wordParts } from './table.tsx';

// Markdown with the parts of our pages. HTML in it is shown as text.

const LANGUAGES: Readonly<Record<string, string>> = {
	sh: 'curl',
	js: 'Node',
	python: 'Python',
	php: 'PHP',
	go: 'Go',
};
// The widths of a table's columns: it is as wide as the text, and scrolls only where its longest words don't fit.
const TABLE_WIDTH = 456;
// The width of a letter of the monospaced font, which is the widest.
const SIGN = 8;
const PADDING = 16;
const BADGE = 32;
// A column of long sentences leaves room for the others.
const WEIGHT_MAX = 60;

/** A page of Markdown below its first heading. Sections of the fourth level are folded. */
export function Markdown({ sections }: { readonly sections: readonly Section[] }) {
	return (
		<>
			{sections.map((section) =>
				section.level === 4 ? (
					<details class="fold" id={section.id}>
						<summary>{section.heading !== null && <Inline tokens={section.heading.tokens} />}</summary>
						<Blocks section={section} />
					</details>
				) : (
					<>
						{section.level > 1 && <Heading section={section} />}
						<Blocks section={section} />
					</>
				),
			)}
		</>
	);
}

function Heading({ section: { id, title, level, heading } }: { readonly section: Section }) {
	const content = (
		<>
			<Inline tokens={heading?.tokens ?? []} />{' '}
			<a class="heading-link" href={`#${id}`} aria-label={`Link to “${title}”`}>
				#
			</a>
		</>
	);
	return level === 2 ? <h2 id={id}>{content}</h2> : <h3 id={id}>{content}</h3>;
}

function Blocks({ section }: { readonly section: Section }) {
	const { id, title } = section;
	return (
		<>
			{blocksOf(section.tokens).map((block, index) =>
				Array.isArray(block) ? (
					<Code blocks={block} id={`${id}-code-${index}`} of={title} />
				) : (
					<Block token={block} caption={title} id={`${id}-${index}`} />
				),
			)}
		</>
	);
}

/** Blocks of code that follow each other belong together. */
function blocksOf(tokens: readonly Token[]): readonly (Token | Tokens.Code[])[] {
	const blocks: (Token | Tokens.Code[])[] = [];
	for (const token of tokens) {
		if (token.type === 'space') continue;
		const last = blocks.at(-1);
		if (token.type !== 'code') blocks.push(token);
		else if (Array.isArray(last)) last.push(token as Tokens.Code);
		else blocks.push([token as Tokens.Code]);
	}
	return blocks;
}

function Code(props: { readonly blocks: readonly Tokens.Code[]; readonly id: string; readonly of: string }) {
	const { blocks, id, of } = props;
	const [first] = blocks;
	if (blocks.length === 1 && first !== undefined) {
		return <CodeBlock id={id} code={first.text} what={`${(first.lang ?? '').toUpperCase()}: ${of}`} />;
	}
	const examples = blocks.map(({ lang = '', text }) => ({ language: LANGUAGES[lang] ?? lang, code: text }));
	return <CodeTabs id={id} of={of} examples={examples} />;
}

function Block({
	token,
	caption,
	id,
}: {
	readonly token: Token;
	readonly caption: string;
	readonly id: string;
}) {
	switch (token.type) {
		case 'paragraph':
			return (
				<p>
					<Inline tokens={token.tokens ?? []} />
				</p>
			);
		case 'list':
			return <List list={token as Tokens.List} />;
		case 'table':
			return <MarkdownTable table={token as Tokens.Table} caption={caption} />;
		case 'code':
			return <CodeBlock id={id} code={(token as Tokens.Code).text} what={caption} />;
		default:
			return 'tokens' in token && token.tokens !== undefined ? (
				<Inline tokens={token.tokens} />
			) : (
				<p>{token.raw}</p>
			);
	}
}

function List({ list }: { readonly list: Tokens.List }) {
	const items = list.items.map((item) => (
		<li>
			{item.tokens.map((token) =>
				token.type === 'text' ? (
					<Inline tokens={token.tokens ?? []} />
				) : (
					<Block token={token} caption="" id="" />
				),
			)}
		</li>
	));
	return list.ordered ? <ol class="prose-list">{items}</ol> : <ul class="prose-list">{items}</ul>;
}

function MarkdownTable({ table, caption }: { readonly table: Tokens.Table; readonly caption: string }) {
	const widths = widthsOf(table);
	return (
		<Table
			caption={caption}
			rows={table.rows}
			empty={null}
			columns={table.header.map((head, at) => ({
				head: plainText(head.tokens),
				names: at === 0,
				width: widths[at] ?? 0,
				...(isFigures(table, at) ? { align: 'right' as const } : {}),
				cell: (row: readonly Tokens.TableCell[]) => cellOf(row[at]),
			}))}
		/>
	);
}

/** Shares of the width by how much stands in a column; each has room for its longest word. */
function widthsOf({ header, rows }: Tokens.Table): readonly number[] {
	const columns = header.map((head, at) => {
		const texts = rows.map((row) => plainText(row[at]?.tokens ?? []));
		const mean = texts.reduce((sum, text) => sum + text.length, 0) / Math.max(1, rows.length);
		// A head stays on one line.
		const longest = Math.max(plainText(head.tokens).length, ...texts.map(longestWord));
		const badge = texts.some((text) => STATUSES.some((status) => status === text)) ? BADGE : 0;
		return { weight: Math.min(WEIGHT_MAX, mean), least: Math.ceil(longest * SIGN) + PADDING + badge };
	});
	const sum = columns.reduce((all, { weight }) => all + weight, 0);
	return columns.map(({ weight, least }) => Math.max(least, Math.round((TABLE_WIDTH * weight) / sum)));
}

/** How many signs of a text stay on one line, whatever the width. */
function longestWord(text: string): number {
	return Math.max(
		0,
		...text
			.split(/\s+/)
			.flatMap((word) => wordParts(word))
			.map((part) => part.length),
	);
}

function isFigures({ rows }: Tokens.Table, at: number): boolean {
	return at > 0 && rows.every((row) => /^[\d,]+$/.test(plainText(row[at]?.tokens ?? [])));
}

function cellOf(cell: Tokens.TableCell | undefined): Child {
	if (cell === undefined) return null;
	const status = STATUSES.find((one) => one === cell.text);
	if (status !== undefined) return <StatusBadge status={status} />;
	return cell.tokens.length === 0 ? null : <Inline tokens={cell.tokens} />;
}

function Inline({ tokens }: { readonly tokens: readonly Token[] }) {
	return <>{tokens.map(inlineOf)}</>;
}

function inlineOf(token: Token): Child {
	switch (token.type) {
		case 'strong':
			return (
				<strong>
					<Inline tokens={token.tokens ?? []} />
				</strong>
			);
		case 'em':
			return (
				<em>
					<Inline tokens={token.tokens ?? []} />
				</em>
			);
		case 'codespan':
			return <code>{breakable((token as Tokens.Codespan).text)}</code>;
		case 'br':
			return <br />;
		case 'link':
			return linkOf(token as Tokens.Link);
		default:
			if ('tokens' in token && token.tokens !== undefined) return <Inline tokens={token.tokens} />;
			return 'text' in token ? String(token.text) : token.raw;
	}
}

/** An address in a text is an example, and gets no link. */
function linkOf({ href, tokens }: Tokens.Link): Child {
	if (!/^(?:https?:\/\/|\/|#)/.test(href)) return <Inline tokens={tokens} />;
	return (
		<a href={href}>
			<Inline tokens={tokens} />
		</a>
	);
}
