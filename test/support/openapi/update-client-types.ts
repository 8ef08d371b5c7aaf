import { readFileSync, writeFileSync } from 'node:fs';
import { renderTypes } from './client-types.ts';
import { COPY } from './document.ts';

// `npm run update:client-types`: rewrites the generated files of the client's `src`.

const document = JSON.parse(readFileSync(COPY, 'utf8')) as object;
for (const [name, text] of Object.entries(await renderTypes(document)))
	writeFileSync(`clients/typescript/src/${name}`, text);
