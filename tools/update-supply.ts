import { writeFileSync } from 'node:fs';
import {
	LISTS_FILE,
	bundledLists,
	isShipped,
	lockedPackages,
	readLists,
	renderThirdParty,
} from './supply.ts';

// `npm run update:supply`: writes THIRD-PARTY.md and the hashes of the bundled lists. Their diffs are to be read.

const hashes = bundledLists();
const lists = readLists().map((one) => ({ ...one, sha256: hashes[one.file] ?? one.sha256 }));
writeFileSync(LISTS_FILE, `${JSON.stringify(lists, null, '\t')}\n`);
writeFileSync('THIRD-PARTY.md', renderThirdParty(lockedPackages().filter(isShipped), lists));
