import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const read = (name: string): string => readFileSync(path.join(import.meta.dirname, '../../..', name), 'utf8');

/** Variables in a schema of the configuration: the deepest names in capitals. */
const variablesOf = (file: string): readonly string[] =>
	[...read(file).matchAll(/^\t{1,2}([A-Z][A-Z_]+):/gm)].map(([, name = '']) => name);

/** Names in the first column of a table. */
const namedIn = (text: string): readonly string[] =>
	[...text.matchAll(/^\| (`[A-Z_]+`(?:, `[A-Z_]+`)*) \|/gm)].flatMap(([, names = '']) =>
		names.split(', ').map((name) => name.replaceAll('`', '')),
	);

test('docs/configuration.md names every variable of the Worker and of the prober, and no other', () => {
	const [, worker = '', prober = ''] = read('docs/configuration.md').split(/^## /m);
	expect(namedIn(worker).toSorted()).toEqual([...variablesOf('src/config.ts')].toSorted());
	expect(namedIn(prober).toSorted()).toEqual([...variablesOf('src/prober/config.ts')].toSorted());
});
