import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Program, Samples } from '../../../src/dashboard/docs/inserts.ts';
import type { DocsTexts } from '../../../src/dashboard/docs/pages.ts';

const FOLDER = path.join(import.meta.dirname, '../../../src/dashboard/docs');

/** The imports of `texts.js`, read from the disk: only the Worker's bundler can run that file itself. */
export function docsTexts(): { readonly texts: DocsTexts; readonly samples: Samples } {
	const source = readFileSync(path.join(FOLDER, 'texts.js'), 'utf8');
	const imports = new Map(
		[...source.matchAll(/^import (\w+) from '([^']+)';$/gm)].map(([, word = '', file = '']) => [word, file]),
	);
	const read = (word: string): string => {
		const file = imports.get(word);
		if (file === undefined) throw new Error(`${word} is nothing that texts.js imports`);
		return readFileSync(path.join(FOLDER, file), 'utf8');
	};
	const [, names = ''] = /TEXTS = \{([^}]*)\}/.exec(source) ?? [];
	const [, list = ''] = /list: \{([^}]*)\}/.exec(source) ?? [];
	const texts = (names.match(/\w+/g) ?? []).map((word) => [word, read(word)]);
	const programs = [...list.matchAll(/(\w+): (\w+)/g)].map(([, language = '', word = '']) => [
		language,
		read(word),
	]);
	return {
		texts: Object.fromEntries(texts) as DocsTexts,
		samples: { list: Object.fromEntries(programs) as Program },
	};
}
