import { writeFileSync } from 'node:fs';
import { renderCapacity } from './capacity.ts';

// `npm run update:capacity`: rewrites docs/capacity.md.
writeFileSync('docs/capacity.md', renderCapacity());
