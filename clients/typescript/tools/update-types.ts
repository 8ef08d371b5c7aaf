import { writeFileSync } from 'node:fs';
import { apiDocument } from './api-document.ts';
import { renderTypes } from './render-types.ts';

// `npm run update:client-types`: rewrites the generated files of the client's `src`.
for (const [name, text] of Object.entries(await renderTypes(apiDocument())))
	writeFileSync(`clients/typescript/src/${name}`, text);
