import { writeFileSync } from 'node:fs';
import { COPY, describeApi, renderApi } from './copy.ts';

// `npm run update:openapi`: rewrites docs/openapi.json. Its diff says what becomes of the API.

writeFileSync(COPY, renderApi(describeApi()));
