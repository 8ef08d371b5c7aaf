import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { CALIBRATION } from '../src/core/catchall/data/calibration.ts';
import { readExported, Unusable } from './calibration/counts.ts';
import { findCalibration } from './calibration/propose.ts';
import { moduleOf, reportOf } from './calibration/report.ts';

// `npm run calibrate -- outcomes.json`: fits the catch-all score to real outcomes, and proposes a version if it is better.

const USAGE = `Usage: npm run calibrate -- OUTCOMES.json [--out FILE] [--seed N]

OUTCOMES.json  of \`npm run -s ops -- outcomes export --json > OUTCOMES.json\`
--out          where a proposal is written: calibration.proposed.ts unless given. A file is never overwritten
--seed         decides which outcomes are held out: 1 unless given`;

const { values, positionals } = parseArgs({
	allowPositionals: true,
	options: {
		out: { type: 'string', default: 'calibration.proposed.ts' },
		seed: { type: 'string', default: '1' },
		help: { type: 'boolean', default: false },
	},
});
const [file] = positionals;
const seed = Number(values.seed);

if (values.help || file === undefined || positionals.length > 1 || !Number.isSafeInteger(seed)) {
	console.log(USAGE);
	process.exitCode = values.help ? 0 : 2;
} else {
	try {
		const exported = readExported(readFileSync(file, 'utf8'));
		const findings = findCalibration(exported, CALIBRATION, seed);
		console.log(reportOf(findings, CALIBRATION));
		const { proposal } = findings;
		if (proposal !== null) {
			if (existsSync(values.out)) throw new Unusable(`${values.out} is there already`);
			writeFileSync(values.out, moduleOf(proposal, { findings, seed, exportedAt: exported.exportedAt }));
			console.log(
				`\nProposed in ${values.out}. To adopt it, put it in the place of src/core/catchall/data/calibration.ts.`,
			);
		}
	} catch (error) {
		if (!(error instanceof Unusable || error instanceof SyntaxError)) throw error;
		console.error(error.message);
		process.exitCode = 1;
	}
}
