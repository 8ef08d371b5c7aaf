import { writeFileSync } from 'node:fs';
import { VERDICTS, verdicts } from './verdicts.ts';

// Writes the golden verdicts anew. The diff of the file is the change of what customers are told.

const lines = await verdicts();
writeFileSync(VERDICTS, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
console.log(`${lines.length} verdicts`);
