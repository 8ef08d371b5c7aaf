import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { Visitor, parseSync } from 'oxc-parser';

const ROOT = path.join(import.meta.dirname, '../../..');
const FOLDERS = ['src', 'clients/typescript/src'];

/** A regular expression as the code has it. */
export interface Written {
	/** Relative to the project, with its line. */
	readonly where: string;
	readonly expression: RegExp;
}

/** The regular expressions in the code of the Worker, the prober and the client. */
export interface Expressions {
	readonly written: readonly Written[];
	/** Files that make some of texts, relative to the project. */
	readonly makers: readonly string[];
}

/** Reads the syntax of every file, so that none is missed. */
export function findExpressions(): Expressions {
	const written: Written[] = [];
	const makers = new Set<string>();
	for (const name of FOLDERS.flatMap(sourcesOf)) {
		const text = readFileSync(path.join(ROOT, name), 'utf8');
		new Visitor({
			Literal: (node) => {
				if (!('regex' in node)) return;
				const { pattern, flags } = node.regex;
				const line = text.slice(0, node.start).split('\n').length;
				written.push({ where: `${name}:${line}`, expression: new RegExp(pattern, flags) });
			},
			NewExpression: ({ callee }) => {
				if (callee.type === 'Identifier' && callee.name === 'RegExp') makers.add(name);
			},
			CallExpression: ({ callee }) => {
				if (callee.type === 'Identifier' && callee.name === 'RegExp') makers.add(name);
			},
		}).visit(parseSync(name, text).program);
	}
	return { written, makers: [...makers].toSorted() };
}

function sourcesOf(folder: string): readonly string[] {
	return readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
		.filter((name) => /\.(?:tsx?|js)$/.test(name) && !name.endsWith('.d.ts'))
		.map((name) => `${folder}/${name}`);
}
