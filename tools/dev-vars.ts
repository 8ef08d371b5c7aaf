import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

const FILE = '.dev.vars';

/** Creates `.dev.vars` with random secrets if it is absent, and returns its variables. It is never deployed. */
export function ensureDevVars(): Record<string, string> {
	if (!existsSync(FILE)) {
		const lines = [
			'# Local secrets, made by `npm start`. Never deployed, never committed.',
			'DEVELOPMENT=true',
			`KEY_SIGNING_SECRET=1:${randomBytes(32).toString('hex')}`,
			`OPERATOR_TOKEN=${randomBytes(24).toString('hex')}`,
		];
		writeFileSync(FILE, `${lines.join('\n')}\n`, { mode: 0o600 });
	}
	return readDevVars();
}

/** The variables of `.dev.vars`; empty if there is no such file. */
export function readDevVars(): Record<string, string> {
	if (!existsSync(FILE)) return {};
	const pairs = readFileSync(FILE, 'utf8')
		.split('\n')
		.map((line) => /^\s*([A-Z_]+)\s*=\s*"?(.*?)"?\s*$/.exec(line))
		.filter((match) => match !== null)
		.map(([, name = '', value = '']) => [name, value] as const);
	return Object.fromEntries(pairs);
}
