import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';

// The Node that a newcomer needs, so that `npm ci` prints no EBADENGINE.

const ROOT = path.join(import.meta.dirname, '../../..');
const read = (name: string): string => readFileSync(path.join(ROOT, name), 'utf8');
const { engines } = JSON.parse(read('package.json')) as { engines: { node: string } };
const { packages } = JSON.parse(read('package-lock.json')) as {
	packages: Readonly<Record<string, { engines?: { node?: string }; optional?: boolean }>>;
};
const LOWEST = engines.node.match(/\d+\.\d+\.\d+/g) ?? [];

const numbersOf = (version: string): readonly number[] => (version.match(/\d+/g) ?? []).map(Number);
const compare = (a: readonly number[], b: readonly number[]): number =>
	[0, 1, 2].map((at) => (a[at] ?? 0) - (b[at] ?? 0)).find((difference) => difference !== 0) ?? 0;

/** Whether a version is in a range of npm, as far as the lock file's ranges go. */
function isIn(range: string, version: string): boolean {
	return range.split('||').some((alternative) =>
		[...alternative.matchAll(/(>=|<=|>|<|\^|~)?\s*v?(\d[\d.]*|\*)/g)].every(([, sign = '', text = '']) => {
			const [bound, given] = [numbersOf(text), numbersOf(version)];
			const order = compare(given, bound);
			if (sign === '<') return order < 0;
			if (sign === '<=') return order <= 0;
			if (sign === '>') return order > 0;
			if (sign === '>=') return order >= 0;
			if (sign === '~') return order >= 0 && given[0] === bound[0] && given[1] === bound[1];
			if (sign === '^') return order >= 0 && given[0] === bound[0];
			return bound.every((part, at) => part === given[at]);
		}),
	);
}

describe('the Node of `engines`', () => {
	test('is the one that README and docs/deploy.md name, and the locked one is of it', () => {
		const [lowest = ''] = LOWEST;
		const words = `Node ${lowest.replace(/\.0$/, '')} or newer`;
		expect([read('README.md').includes(words), read('docs/deploy.md').includes(words)]).toEqual([true, true]);
		const { devDependencies } = JSON.parse(read('package.json')) as { devDependencies: { node: string } };
		expect(isIn(engines.node, devDependencies.node)).toBe(true);
		expect(isIn(engines.node, '20.20.2')).toBe(false);
	});

	test.each(LOWEST)('%s suits every package', (version) => {
		const ranges = Object.entries(packages).filter(([, { optional }]) => optional !== true);
		const refusing = ranges.filter(([, one]) => !isIn(one.engines?.node ?? '*', version));
		expect(refusing.map(([name, one]) => [name, one.engines?.node])).toEqual([]);
	});
});
