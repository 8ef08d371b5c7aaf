import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { EXPLAINED_FILE, auditProblems, readExplained, readFindings } from './supply/audit.ts';
import { licenceProblems, renderThirdParty } from './supply/licences.ts';
import { LISTS_FILE, bundledLists, hashOf, listProblems, readLists } from './supply/lists.ts';
import { lockProblems, readLock, scriptProblems } from './supply/lock.ts';

// `npm run check:supply`: what we ship of others, and whether it is what we think. `npm run update:supply` writes anew what
// can be derived: THIRD-PARTY.md, and the hashes of the bundled lists. docs/supply-chain.md.

const THIRD_PARTY = 'THIRD-PARTY.md';

const packages = readLock();
const shipped = packages.filter(({ isShipped }) => isShipped);

if (process.argv.includes('--update')) {
	const lists = readLists().map((one) => ({ ...one, sha256: hashOf(one.file) }));
	writeFileSync(LISTS_FILE, `${JSON.stringify(lists, null, '\t')}\n`);
	writeFileSync(THIRD_PARTY, renderThirdParty(shipped, lists));
	console.log(`Written: ${THIRD_PARTY}, ${LISTS_FILE}`);
}

const { allowScripts } = JSON.parse(readFileSync('package.json', 'utf8')) as {
	allowScripts: Readonly<Record<string, boolean>>;
};
const isTold = readFileSync(THIRD_PARTY, 'utf8') === renderThirdParty(shipped, readLists());
const audit = askAudit();
const checks: readonly (readonly [string, readonly string[]])[] = [
	[`${packages.length} packages come from the registry, with a hash`, lockProblems(packages)],
	['install scripts are allowed or denied by name', scriptProblems(packages, allowScripts)],
	[`licences of the ${shipped.length} packages that are shipped`, licenceProblems(shipped)],
	[`${THIRD_PARTY} names them`, isTold ? [] : ['It does not: npm run update:supply, and read the diff']],
	['bundled lists are those whose source is known', listProblems(readLists(), bundledLists())],
	['known weaknesses', audit ?? []],
];
for (const [what, problems] of checks) {
	const isUnasked = what === 'known weaknesses' && audit === null;
	console.log(`${isUnasked ? '–' : problems.length === 0 ? '✓' : '✗'} ${what}`);
	for (const problem of problems) console.log(`    ${problem}`);
}
if (audit === null) {
	// Where a service is deployed from, the answer is needed; a developer may be offline.
	console.log(
		`    The registry could not be asked${process.env['CI'] === undefined ? '' : ', and CI is set'}`,
	);
}
const isFine = checks.every(([, problems]) => problems.length === 0);
process.exitCode = isFine && (audit !== null || process.env['CI'] === undefined) ? 0 : 1;

/** Problems of `npm audit`; null if the registry could not be asked. */
function askAudit(): readonly string[] | null {
	const { stdout } = spawnSync('npm', ['audit', '--json'], { encoding: 'utf8' });
	const findings = readFindings(stdout.trim() === '' ? '{}' : stdout);
	if (findings === null) return null;
	const problems = auditProblems(findings, readExplained(), new Date().toISOString().slice(0, 10));
	return problems.map(
		(problem) => `${problem} (mend it, or say in ${EXPLAINED_FILE} why it does not reach us)`,
	);
}
