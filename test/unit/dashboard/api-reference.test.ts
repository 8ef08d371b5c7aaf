import { expect, test } from 'vitest';
import { readApi } from '../../../src/dashboard/api-reference.ts';
import { examplesOf } from '../../../src/dashboard/code-examples.ts';
import { createApp } from '../../../src/http/app.ts';
import { openApiDocument } from '../../../src/http/openapi.ts';

const noServices = (): never => {
	throw new Error('a document is made without a request');
};
const document = openApiDocument(createApp(noServices, noServices, noServices), '/');
const calls = readApi(document);

test('every call of the API is in the reference, with its answers and an example', () => {
	const published = Object.entries(document.paths ?? {}).flatMap(([path, methods]) =>
		Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
	);
	expect(calls.map(({ method, path }) => `${method} ${path}`)).toEqual(published);
	for (const call of calls) {
		expect(
			call.answers.map(({ status }) => status),
			call.path,
		).toContain('401');
		expect(call.example.path, call.path).not.toContain('{');
		expect(call.example.body === undefined, call.path).toBe(call.body.length === 0);
	}
});

test('nested fields are named with dots, and lists of objects with brackets', () => {
	const verify = calls.find(({ id }) => id === 'verifyAddress');
	expect(verify?.data.map(({ name }) => name)).toContain('details.attributes.catch_all');
	expect(verify?.data.find(({ name }) => name === 'did_you_mean')?.type).toBe('string or null');
	const results = calls.find(({ id }) => id === 'getJobResults');
	expect(results?.data.map(({ name }) => name)).toContain('results[].email');
	expect(results?.parameters.map(({ name, place }) => `${place} ${name}`)).toEqual([
		'path jobId',
		'query page',
		'query limit',
		'query status',
		'query explain',
	]);
});

test('an example reads `message` alone of an error: every error has it', () => {
	for (const { language, code } of examplesOf('https://api.test', { method: 'GET', path: '/v1/x' })) {
		// curl prints the whole answer.
		expect(/message/i.test(code), language).toBe(language !== 'curl');
		expect(code, language).not.toMatch(/body\W+error|429/i);
	}
});

test('a body in an example is quoted for the shell', () => {
	const [curl] = examplesOf('https://api.test', { method: 'POST', path: '/v1/x', body: { name: "O'Hara" } });
	expect(curl?.code).toContain(String.raw`-d '{"name":"O'\''Hara"}'`);
});
