import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { docsPages, textPages } from './docs/pages.ts';

// What is uploaded beside the Worker: the pages' own files, and the texts of the documentation.

const OWN = 'src/dashboard/assets';
const GEIST = 'node_modules/@fontsource-variable/geist/files/geist-latin-wght-normal.woff2';
// Of a page. Its texts are read with a request for it.
const KNOWN = ['path', 'title', 'group', 'summary', 'headings', 'id'];

/** The files, and the module `built:site`, by which the Worker knows them. */
export function buildSite() {
	const files = new Map<string, string | Buffer>();
	// Names contain a hash of the content, so that browsers can keep them for ever.
	const put = (name: string, content: string | Buffer = readFileSync(`${OWN}/${name}`)): string => {
		const hash = createHash('sha256').update(content).digest('hex').slice(0, 12);
		const path = `assets/${name.replace(/^pictures\//, '').replace('.', `.${hash}.`)}`;
		files.set(path, content);
		return `/${path}`;
	};
	const sans = put('sans.woff2', readFileSync(GEIST));
	// The sheet names the typeface beside it, and so has another name itself when that changes.
	const look = readFileSync(`${OWN}/look.css`, 'utf8').replace('sans.woff2', sans.replace('/assets/', ''));
	// One request for all scripts: each looks for its own part of a page.
	const scripts = ['copy', 'drop', 'live', 'typed'].map((name) => readFileSync(`${OWN}/islands/${name}.js`));
	const paths = {
		sans,
		style: put('mailsonar.css', look),
		script: put('mailsonar.js', scripts.join('\n')),
		icon: put('icon.svg'),
		favicon: put('pictures/icon-32.png'),
		touchIcon: put('pictures/icon-180.png'),
		preview: put('pictures/preview.png'),
	};
	const [pages, texts] = [docsPages(), textPages()];
	for (const { path, markdown, html } of [...pages, ...texts])
		files.set(`texts${path}.md`, markdown).set(`texts${path}.html`, html);
	const module = `export const ASSET_PATHS = ${JSON.stringify(paths)};
		export const PAGES = ${JSON.stringify(pages, KNOWN)}, TEXTS = ${JSON.stringify(texts, KNOWN)};`;
	return { files, module };
}
