import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Visitor, parseSync } from 'oxc-parser';
import type { Expression } from 'oxc-parser';
import { analyse } from 'scslre';
import { describe, expect, test, vi } from 'vitest';

// An expression that looks at the same letters again and again is a way to stop us with one long text. What the readers
// of long texts take in time is in readers.test.ts.

const ROOT = path.join(import.meta.dirname, '../../..');
const SOURCES = globSync('{src,clients/typescript/src}/**/*.{ts,tsx,js}', { cwd: ROOT });

/** Those in the code of the Worker, the prober and the client, and the files that make some of texts: by the syntax, so that none is missed. */
function findExpressions() {
	const written: { readonly where: string; readonly expression: RegExp }[] = [];
	const makers = new Set<string>();
	for (const name of SOURCES.filter((file) => !file.endsWith('.d.ts'))) {
		const text = readFileSync(path.join(ROOT, name), 'utf8');
		const makes = ({ callee }: { readonly callee: Expression }): void => {
			if (callee.type === 'Identifier' && callee.name === 'RegExp') makers.add(name);
		};
		new Visitor({
			Literal: (node) => {
				if (!('regex' in node)) return;
				const { pattern, flags } = node.regex;
				const line = text.slice(0, node.start).split('\n').length;
				written.push({ where: `${name}:${line}`, expression: new RegExp(pattern, flags) });
			},
			NewExpression: makes,
			CallExpression: makes,
		}).visit(parseSync(name, text).program);
	}
	return { written, makers: [...makers].toSorted() };
}

/** Those that are slow by their form, and never see a text of strangers. */
const NOT_OF_STRANGERS: Readonly<Record<string, string>> = {
	[String.raw`/(?<=(?:^|: |^ +))(?:true|false|null)(?=,?$)/gm`]: 'reads our own example of a request',
	[String.raw`/\B(?=(?:\d{3})+$)/g`]: 'groups the digits of a number of ours',
};

const { written, makers } = findExpressions();
const judged = written.filter(({ expression }) => !(String(expression) in NOT_OF_STRANGERS));

/** Why an expression may look at a letter more than a bounded number of times. */
function slownessOf(expression: RegExp): readonly string[] {
	const { reports } = analyse(expression, { reportTypes: { Move: true, Self: true, Trade: true } });
	return reports.map(({ type, character }) => `${String(expression)}: ${type} at many ${character.pick}`);
}

/** The expressions that are made while modules load. */
async function madeOnImport(): Promise<readonly RegExp[]> {
	const made: RegExp[] = [];
	const Real = RegExp;
	vi.resetModules();
	vi.stubGlobal(
		'RegExp',
		new Proxy(Real, {
			construct(target, parts: ConstructorParameters<typeof RegExp>) {
				const expression = new target(...parts);
				made.push(expression);
				return expression;
			},
		}),
	);
	try {
		await import('../../../src/core/address/parse-address.ts');
		await import('../../../src/core/catchall/mailbox/letters.ts');
		await import('../../../src/core/lists/domain-kinds.ts');
		await import('../../../src/core/mail-operators/operators.ts');
		await import('../../../src/core/smtp/classify-reply.ts');
	} finally {
		vi.unstubAllGlobals();
	}
	return made;
}

describe('no expression', () => {
	test('is overlooked: each is written down, or made of texts in one of these files', () => {
		expect(written.length).toBeGreaterThan(250);
		expect(makers).toEqual([
			'src/core/address/parse-address.ts',
			'src/core/catchall/mailbox/letters.ts',
			'src/core/lists/domain-kinds.ts',
			'src/core/mail-operators/operators.ts',
			'src/core/smtp/reply-rule.ts',
			'src/core/smtp/reply-words/vocabulary.ts',
			'src/mcp/tools.ts',
			'src/prober/steps.ts',
		]);
	});

	test('that is written down looks at a letter again and again, by its form', () => {
		const slow = judged.flatMap(({ where, expression }) =>
			slownessOf(expression).map((why) => `${where} ${why}`),
		);
		expect(slow).toEqual([]);
	});

	test('that is made of texts does', async () => {
		const made = await madeOnImport();
		expect(made.length).toBeGreaterThan(30);
		expect(made.flatMap(slownessOf)).toEqual([]);
	});

	test('is excused that is not there', () => {
		const all = new Set(written.map(({ expression }) => String(expression)));
		expect(Object.keys(NOT_OF_STRANGERS).filter((known) => !all.has(known))).toEqual([]);
	});
});
