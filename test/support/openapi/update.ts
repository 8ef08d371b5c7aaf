import { writeFileSync } from 'node:fs';
import { describeApi, renderApi } from './copy.ts';
import { COPY } from './document.ts';

// `npm run update -- openapi`: rewrites docs/openapi.json. Its diff says what becomes of the API.

writeFileSync(COPY, renderApi(describeApi()));
