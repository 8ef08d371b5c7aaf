import { writeFileSync } from 'node:fs';
import { ENDPOINTS } from '../../../src/http/app.ts';
import { openApiDocument } from '../../../src/http/openapi.ts';
import { COPY } from './document.ts';

// The document names the address that a service is configured with; the copy belongs to none.
const ANY_SERVICE = 'https://mailsonar.example';

/** The OpenAPI document of this code, for a service at an address. */
export function describeApi(address = ANY_SERVICE): object {
	return openApiDocument(ENDPOINTS, address);
}

// A value that fits a line stands on one.
const LINE_MAX = 170;

/** The text of the copy. */
export function renderApi(document: object): string {
	// As it is served: the generator leaves fields that are undefined.
	return `${render(JSON.parse(JSON.stringify(document)), '')}\n`;
}

function render(value: unknown, indent: string): string {
	const line = JSON.stringify(value);
	if (typeof value !== 'object' || value === null || indent.length + line.length <= LINE_MAX) return line;
	const below = `${indent}\t`;
	const lines = Object.entries(value).map(([name, one]) => {
		const text = render(one, below);
		return `${below}${Array.isArray(value) ? '' : `${JSON.stringify(name)}: `}${text}`;
	});
	const [open, close] = Array.isArray(value) ? '[]' : '{}';
	return `${open}\n${lines.join(',\n')}\n${indent}${close}`;
}

// `npm run update -- openapi`. Its diff says what becomes of the API.
if (import.meta.main) writeFileSync(COPY, renderApi(describeApi()));
