import { writeFileSync } from 'node:fs';
import { readCitations, renderRfcs } from './rfcs.ts';

// `npm run update:rfcs`: rewrites docs/rfcs.md.
writeFileSync('docs/rfcs.md', renderRfcs(readCitations('.').citations));
