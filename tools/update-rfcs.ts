import { writeFileSync } from 'node:fs';
import { readCitations, renderRfcs } from './rfcs.ts';

// `npm run update:rfcs`: writes docs/rfcs.md anew.
writeFileSync('docs/rfcs.md', renderRfcs(readCitations('.').citations));
