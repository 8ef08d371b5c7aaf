import { spawnSync } from 'node:child_process';
import { readLock } from './supply/lock.ts';
import { readBom, shippedBom } from './supply/bom.ts';

// `npm run -s sbom`: what the service ships of others, as CycloneDX 1.5, on stdout.

const { status, stdout, stderr } = spawnSync(
	'npm',
	['sbom', '--sbom-format=cyclonedx', '--sbom-type=application', '--package-lock-only'],
	{ encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
);
if (status !== 0) throw new Error(`npm sbom failed:\n${stderr}`);
console.log(JSON.stringify(shippedBom(readBom(stdout), readLock()), null, '\t'));
