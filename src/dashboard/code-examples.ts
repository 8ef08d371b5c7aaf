import type { CodeExample } from './parts/code.tsx';

// Replaces the key in examples, because a key is shown only once.
const KEY = 'YOUR_API_KEY';

export interface ExampleCall {
	readonly method: string;
	/** With its leading slash: `/v1/verify`. */
	readonly path: string;
	readonly body?: unknown;
	/** Headers in addition to the key. */
	readonly headers?: Readonly<Record<string, string>>;
	/** The answer is not JSON. */
	readonly isText?: boolean;
}

/** The same call in curl, Node and Python, ready to paste. `baseUrl` has no trailing slash. */
export function examplesOf(baseUrl: string, call: ExampleCall): readonly CodeExample[] {
	return [
		{ language: 'curl', code: curl(baseUrl, call) },
		{ language: 'Node', code: node(baseUrl, call) },
		{ language: 'Python', code: python(baseUrl, call) },
	];
}

function headersOf({ body, headers }: ExampleCall, key: string): readonly (readonly [string, string])[] {
	return [
		['Authorization', `Bearer ${key}`],
		...(body === undefined ? [] : [['Content-Type', 'application/json'] as const]),
		...Object.entries(headers ?? {}),
	];
}

function curl(baseUrl: string, call: ExampleCall): string {
	const lines = [
		`curl -s ${call.method === 'GET' ? '' : `-X ${call.method} `}'${baseUrl}${call.path}'`,
		...headersOf(call, KEY).map(([name, value]) => `  -H '${name}: ${value}'`),
		...(call.body === undefined
			? []
			: [`  -d '${JSON.stringify(call.body).replaceAll("'", String.raw`'\''`)}'`]),
	];
	return lines.join(' \\\n');
}

function node(baseUrl: string, call: ExampleCall): string {
	const headers = headersOf(call, KEY).map(([name, value]) => `    ${quoteName(name)}: ${quote(value)},`);
	const body =
		call.body === undefined ? [] : [`  body: JSON.stringify(${indent(literal(call.body), '  ')}),`];
	return [
		`const response = await fetch(${quote(baseUrl + call.path)}, {`,
		...(call.method === 'GET' ? [] : [`  method: ${quote(call.method)},`]),
		'  headers: {',
		...headers,
		'  },',
		...body,
		'});',
		call.isText === true
			? 'console.log(await response.text());'
			: 'const { data, error } = await response.json();',
		...(call.isText === true ? [] : ['console.log(error ?? data);']),
	].join('\n');
}

function python(baseUrl: string, call: ExampleCall): string {
	const headers = headersOf(call, KEY)
		.filter(([name]) => name !== 'Content-Type')
		.map(([name, value]) => `${quote(name)}: ${quote(value)}`);
	return [
		'import requests',
		'',
		`response = requests.${call.method.toLowerCase()}(`,
		`    ${quote(baseUrl + call.path)},`,
		`    headers={${headers.join(', ')}},`,
		...(call.body === undefined ? [] : [`    json=${indent(literal(call.body), '    ')},`]),
		'    timeout=35,',
		')',
		call.isText === true ? 'print(response.text)' : 'print(response.json())',
	].join('\n');
}

/** Without true, false or null, JSON is a valid literal in both languages; our examples have none of these. */
function literal(value: unknown): string {
	return JSON.stringify(value, null, 2);
}

function indent(text: string, by: string): string {
	return text.replaceAll('\n', `\n${by}`);
}

function quote(text: string): string {
	return JSON.stringify(text);
}

function quoteName(name: string): string {
	return /^[A-Za-z]+$/.test(name) ? name : quote(name);
}
