import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';

const ASSETS = path.join(import.meta.dirname, '../../../src/dashboard/assets');

/** The style files in the order in which `texts.js` joins them. Only the Worker's bundler can run that file itself. */
export function styleFiles(): readonly { readonly name: string; readonly text: string }[] {
	const source = readFileSync(path.join(ASSETS, 'texts.js'), 'utf8');
	const imports = new Map(
		[...source.matchAll(/^import (\w+) from '\.\/css\/([\w-]+)\.css';$/gm)].map(
			([, word = '', name = '']) => [word, name],
		),
	);
	const [, joined = ''] = /STYLE = \[([^\]]*)\]/.exec(source) ?? [];
	return (joined.match(/\w+/g) ?? []).map((word) => {
		const name = imports.get(word);
		if (name === undefined) throw new Error(`${word} is no style sheet that texts.js imports`);
		return { name, text: readFileSync(path.join(ASSETS, 'css', `${name}.css`), 'utf8') };
	});
}

/** The style sheet as it is served. */
export function styleSheet(): string {
	return styleFiles()
		.map(({ text }) => text)
		.join('\n');
}

/** The names of all style files. */
export function storedStyles(): readonly string[] {
	return readdirSync(path.join(ASSETS, 'css')).map((name) => name.replace(/\.css$/, ''));
}
