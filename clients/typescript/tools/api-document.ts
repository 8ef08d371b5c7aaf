import { readFileSync } from 'node:fs';
import path from 'node:path';

const COPY = path.join(import.meta.dirname, '../../../docs/openapi.json');

/** The OpenAPI document, from its committed copy, which a test holds to the code. */
export function apiDocument(): object {
	return JSON.parse(readFileSync(COPY, 'utf8')) as object;
}
