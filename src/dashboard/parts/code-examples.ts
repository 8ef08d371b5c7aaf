// Replaces the key in examples, because a key is shown only once.
const KEY = 'YOUR_API_KEY';

export interface ExampleCall {
	readonly method: string;
	/** With its leading slash: `/v1/verify`. */
	readonly path: string;
	readonly body?: unknown;
	/** Headers in addition to the key. */
	readonly headers?: Readonly<Record<string, string>>;
	/** The body of an answer, where it is not JSON with the value in `data`. */
	readonly answer?: 'text' | 'json';
}

const WRITERS = { curl, TypeScript: typescript, Python: python } as const;
export type Language = keyof typeof WRITERS;
/** The languages of the examples, in the order of their tabs. */
export const LANGUAGES = Object.keys(WRITERS) as readonly Language[];

/**
 * The same call in each language, ready to paste. Each looks at the status first, and reads `message`, which every error
 * has. `baseUrl` has no trailing slash.
 */
export function examplesOf(baseUrl: string, call: ExampleCall) {
	return LANGUAGES.map((language) => ({ language, code: WRITERS[language](baseUrl, call) }));
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
		`curl -sS --fail-with-body ${call.method === 'GET' ? '' : `-X ${call.method} `}'${baseUrl}${call.path}'`,
		...headersOf(call, KEY).map(([name, value]) => `  -H '${name}: ${value}'`),
		...(call.body === undefined
			? []
			: [`  -d '${JSON.stringify(call.body).replaceAll("'", String.raw`'\''`)}'`]),
	];
	return `# Exits with 22 at an error, and prints the answer.\n${lines.join(' \\\n')}`;
}

function typescript(baseUrl: string, call: ExampleCall): string {
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
		'if (!response.ok) throw new Error((await response.json()).message);',
		call.answer === 'text'
			? 'console.log(await response.text());'
			: `console.log(${call.answer === 'json' ? 'await response.json()' : '(await response.json()).data'});`,
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
		...(call.body === undefined ? [] : [`    json=${indent(pythonLiteral(call.body), '    ')},`]),
		'    timeout=35,',
		')',
		'if not response.ok:',
		'    raise SystemExit(response.json()["message"])',
		call.answer === 'text'
			? 'print(response.text)'
			: `print(response.json()${call.answer === 'json' ? '' : '["data"]'})`,
	].join('\n');
}

function literal(value: unknown): string {
	return JSON.stringify(value, null, 2);
}

/** JSON is a literal of Python but for three words. A line of its own never is one of our texts. */
function pythonLiteral(value: unknown): string {
	const words: Readonly<Record<string, string>> = { true: 'True', false: 'False', null: 'None' };
	return literal(value).replace(
		/(?<=(?:^|: |^ +))(?:true|false|null)(?=,?$)/gm,
		(word) => words[word] ?? word,
	);
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
