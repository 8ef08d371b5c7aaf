// `npm run train:replies`: learns the weights by which a reply is judged that no rule knows, writes them to
// src/core/smtp/reply-words/data/weights.ts, and prints how well that reads: each group of the training file judged by
// what the others taught, and the labelled replies of the file in LABELLED_REPLIES, from which nothing is learnt.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { NOT_LABELLED, readLabelled, readWordings } from './replies/corpus.ts';
import { moduleOf, prepare, train } from './replies/model.ts';
import { METHODS, judge, leaveOneGroupOut, methodsTable } from './replies/validate.ts';

const OUT = path.join(import.meta.dirname, '../src/core/smtp/reply-words/data/weights.ts');

const wordings = readWordings().map(prepare);
const weights = train(wordings);
const text = moduleOf(weights);
writeFileSync(OUT, text);
console.log(
	`${weights.size} weights of ${wordings.length} wordings, ${text.length} bytes, ${gzipSync(text).length} gzipped`,
);

const judged = leaveOneGroupOut(wordings);
console.log(`\nWordings of our own, each group judged by what the others taught:\n\n${methodsTable(judged)}`);
if (process.argv.includes('--all')) {
	for (const one of judged) {
		const { label, code, line } = one.example;
		const isRight = METHODS['rules, then words'](one) === (label === 'missing');
		if (!isRight && code >= 500) console.log(`  ${label} ${code} ${line}`);
	}
}

const labelled = readLabelled();
if (labelled === null) {
	console.log(`\nSkipped: ${NOT_LABELLED}`);
} else {
	const checked = labelled.map((example) => judge(prepare(example), weights));
	console.log(`\nLabelled replies, from which nothing was learnt:\n\n${methodsTable(checked)}`);
}
