import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { parseEnv } from 'node:util';

const FILE = '.dev.vars';
const HEADER = '# Local secrets, made by `npm start`. Never deployed, never committed.\n';

/** Adds random secrets to `.dev.vars` where they are missing, and returns its variables. It is never deployed. */
export function ensureDevVars(): Record<string, string> {
	const known = readDevVars();
	const wanted = {
		DEVELOPMENT: 'true',
		KEY_SIGNING_SECRET: `1:${randomBytes(32).toString('hex')}`,
		OPERATOR_TOKENS: `developer:${randomBytes(24).toString('hex')}`,
	};
	const missing = Object.entries(wanted).filter(([name]) => known[name] === undefined);
	if (missing.length > 0) {
		const text = existsSync(FILE) ? readFileSync(FILE, 'utf8').replace(/\n*$/, '\n') : HEADER;
		const lines = missing.map(([name, value]) => `${name}=${value}\n`);
		writeFileSync(FILE, text + lines.join(''), { mode: 0o600 });
	}
	return readDevVars();
}

/** The token of the first operator among the variables; empty if there is none. */
export function operatorToken(vars: Readonly<NodeJS.Dict<string>>): string {
	return /^[^:]*:([^\s,]*)/.exec(vars['OPERATOR_TOKENS'] ?? '')?.[1] ?? '';
}

/** The variables of `.dev.vars`; empty if there is no such file. */
export function readDevVars(): Record<string, string> {
	return existsSync(FILE) ? (parseEnv(readFileSync(FILE, 'utf8')) as Record<string, string>) : {};
}
