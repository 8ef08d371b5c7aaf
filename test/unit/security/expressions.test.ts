import { analyse } from 'scslre';
import { describe, expect, test, vi } from 'vitest';
import { findExpressions } from '../../support/unit/expressions.ts';
import { growth } from '../../support/unit/growth.ts';

// An expression that looks at the same letters again and again is a way to stop us with one long text.

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

	test('that is made of texts does, nor takes more than its share of time over 100 KB', async () => {
		const made = await madeOnImport();
		expect(made.length).toBeGreaterThan(30);
		expect(made.flatMap(slownessOf)).toEqual([]);
		expect(made.flatMap(slowTextsOf)).toEqual([]);
	});

	test('takes more than its share of time over 100 KB of any letter that it knows', () => {
		const slow = judged.flatMap(({ where, expression }) =>
			slowTextsOf(expression).map((why) => `${where} ${why}`),
		);
		expect(slow).toEqual([]);
	});

	test('is excused that is not there', () => {
		const all = new Set(written.map(({ expression }) => String(expression)));
		expect(Object.keys(NOT_OF_STRANGERS).filter((known) => !all.has(known))).toEqual([]);
	});
});

/** The letters and words of which 100 KB take an expression much more than eight times as long as an eighth of that. */
function slowTextsOf(expression: RegExp): readonly string[] {
	return pumpsOf(expression)
		.filter(
			(pump) =>
				growth(
					(size) => textOf(pump, size),
					(text) => text.replace(expression, ''),
				) === 'steep',
		)
		.map((pump) => `${String(expression)} with many ${JSON.stringify(pump)}`);
}

// It ends in what hardly any expression wants, so that a match that depends on the end fails.
const textOf = (pump: string, size: number): string => `${pump.repeat(size / pump.length)}\0`;

/** Every letter of the expression, some words of it, and one of each kind of letter. */
function pumpsOf({ source }: RegExp): readonly string[] {
	const letters = source.replaceAll(/\\[a-zA-Z](?:\{[^}]*\})?/g, '');
	const words = letters.match(/[\p{L} -]{3,12}/gu) ?? [];
	return [
		...new Set([
			...[...new Set(letters)].slice(0, 5),
			...words.slice(0, 1),
			'a',
			'A',
			'7',
			' ',
			'\n',
			'.',
			'-',
			'é',
			'.a',
			'1.',
		]),
	];
}

test('the measure tells time by the square from time in proportion', () => {
	const steps = (count: number): number => {
		let sum = 0;
		for (let step = 0; step < count; step += 1) sum += step % 7;
		return sum;
	};
	const text = (size: number): string => 'a'.repeat(size);
	expect(growth(text, ({ length }) => steps(length * 500))).toBe('even');
	expect(growth(text, ({ length }) => steps((length * length) / 100))).toBe('steep');
});
