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
	/** The body of an answer, where it is not JSON with the value in `data`. */
	readonly answer?: 'text' | 'json';
}

/** The languages of the examples, in the order of their tabs. */
export const LANGUAGES = ['curl', 'Node', 'Python', 'PHP', 'Go'] as const;
export type Language = (typeof LANGUAGES)[number];

interface LanguageExample extends CodeExample {
	readonly language: Language;
}

/**
 * The same call in each language, ready to paste. Each looks at the status first, and reads `message`, which every error
 * has. `baseUrl` has no trailing slash.
 */
export function examplesOf(baseUrl: string, call: ExampleCall): readonly LanguageExample[] {
	return [
		{ language: 'curl', code: curl(baseUrl, call) },
		{ language: 'Node', code: node(baseUrl, call) },
		{ language: 'Python', code: python(baseUrl, call) },
		{ language: 'PHP', code: php(baseUrl, call) },
		{ language: 'Go', code: go(baseUrl, call) },
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
		`curl -sS --fail-with-body ${call.method === 'GET' ? '' : `-X ${call.method} `}'${baseUrl}${call.path}'`,
		...headersOf(call, KEY).map(([name, value]) => `  -H '${name}: ${value}'`),
		...(call.body === undefined
			? []
			: [`  -d '${JSON.stringify(call.body).replaceAll("'", String.raw`'\''`)}'`]),
	];
	return `# Exits with 22 at an error, and prints the answer.\n${lines.join(' \\\n')}`;
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

// Streams need no extension of PHP.
function php(baseUrl: string, call: ExampleCall): string {
	const headers = headersOf(call, KEY).map(([name, value]) => `        ${single(`${name}: ${value}`)},`);
	return [
		'<?php',
		`$text = file_get_contents(${single(baseUrl + call.path)}, false, stream_context_create(['http' => [`,
		`    'method' => ${single(call.method)},`,
		"    'header' => [",
		...headers,
		'    ],',
		...(call.body === undefined ? [] : [`    'content' => ${single(JSON.stringify(call.body))},`]),
		"    'ignore_errors' => true,",
		"    'timeout' => 35,",
		']]));',
		"$status = (int) explode(' ', $http_response_header[0])[1];",
		"if ($status >= 400) throw new RuntimeException(json_decode($text, true)['message']);",
		call.answer === 'text'
			? 'echo $text;'
			: `print_r(json_decode($text, true)${call.answer === 'json' ? '' : "['data']"});`,
	].join('\n');
}

function go(baseUrl: string, call: ExampleCall): string {
	const body = call.body === undefined ? 'nil' : `strings.NewReader(${raw(JSON.stringify(call.body))})`;
	const packages = ['encoding/json', 'fmt', 'io', 'log', 'net/http'];
	return [
		'package main',
		'',
		'import (',
		...[...packages, ...(call.body === undefined ? [] : ['strings'])].map((name) => `\t${quote(name)}`),
		')',
		'',
		'func main() {',
		`\trequest, err := http.NewRequest(${quote(call.method)}, ${quote(baseUrl + call.path)}, ${body})`,
		'\tif err != nil {',
		'\t\tlog.Fatal(err)',
		'\t}',
		...headersOf(call, KEY).map(([name, value]) => `\trequest.Header.Set(${quote(name)}, ${quote(value)})`),
		'\tresponse, err := http.DefaultClient.Do(request)',
		'\tif err != nil {',
		'\t\tlog.Fatal(err)',
		'\t}',
		'\tdefer response.Body.Close()',
		'\ttext, err := io.ReadAll(response.Body)',
		'\tif err != nil {',
		'\t\tlog.Fatal(err)',
		'\t}',
		'\tif response.StatusCode >= 400 {',
		'\t\tvar body struct{ Message string }',
		'\t\tjson.Unmarshal(text, &body)',
		'\t\tlog.Fatal(body.Message)',
		'\t}',
		'\tfmt.Println(string(text))',
		'}',
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

/** A text in single quotes, as PHP has them. */
function single(text: string): string {
	return `'${text.replaceAll(/[\\']/g, (sign) => `\\${sign}`)}'`;
}

/** A raw text of Go, which a backtick would end. */
function raw(text: string): string {
	return text.includes('`') ? quote(text) : `\`${text}\``;
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

const LINES = [
	'// npm install standardwebhooks',
	"import { createServer } from 'node:http';",
	"import { Webhook } from 'standardwebhooks';",
	'',
	'const webhook = new Webhook(process.env.MAILSONAR_WEBHOOK_SECRET);',
	'const seen = new Set(); // Yours: a table with a unique key.',
	'',
	'createServer(async (request, response) => {',
	"  let body = ''; // As it was sent: what is parsed and written again may differ.",
	"  for await (const chunk of request.setEncoding('utf8')) body += chunk;",
	'  let event;',
	'  try {',
	'    event = webhook.verify(body, request.headers);',
	'  } catch {',
	'    return response.writeHead(400).end(); // Not from us, changed on its way, or older than five minutes.',
	'  }',
	'  // The same event may come twice, with the same id.',
	"  const id = request.headers['webhook-id'];",
	'  if (!seen.has(id)) {',
	'    seen.add(id);',
	"    console.log(event.type, event.data.jobId ?? event.data.taskId ?? '');",
	'  }',
	'  response.writeHead(204).end(); // Within ten seconds: note it, answer, then work.',
	'}).listen(process.env.PORT ?? 3000);',
	'',
];

/** A receiver of events in Node, as the documentation shows it. A contract test runs it unchanged. */
export const WEBHOOK_SAMPLE = LINES.join('\n');
