import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, test } from 'vitest';
import { TOKEN_FIELD } from '../../src/core/identity/tokens.ts';
import { THROTTLES, throttleKey } from '../../src/core/identity/throttles.ts';
import { FILE_OCTETS_MAX } from '../../src/core/upload/file-kind.ts';
import { PASTED_CHARS_MAX } from '../../src/core/upload/upload.ts';
import { uploadBlobsOf } from '../../src/storage/uploads.ts';
import { BROWSER, OUR_PAGE, signedInPerson } from '../support/signed-in.ts';
import { fileOf } from '../support/unit/list-files.ts';

// The form with a file: what is taken of it, in which order, and how often.

const person = await signedInPerson();
const { accountId } = person;
const TOKEN = person.formToken();
const BOUNDARY = 'x-boundary';
const LIST = 'ada@inbox.test\n';
const LISTS = '/dashboard/lists';
const uploadBlobs = uploadBlobsOf(env.BLOBS);

afterEach(async () => {
	await uploadBlobs.removeAllOf(accountId);
	await env.DB.exec('DELETE FROM throttles');
});

const post = (body: BodyInit, headers: Record<string, string> = BROWSER): Promise<Response> =>
	person.send(LISTS, body, { ...OUR_PAGE, ...headers });

/** The upload that waits, and its file. */
async function staged() {
	const [upload] = await uploadBlobs.listOf(accountId, 1);
	const file = await env.BLOBS.get(`uploads/${accountId}/${upload?.uploadId}/file`);
	return { ...upload, text: await file?.text() };
}

/** The status of an answer, and how many objects are kept of uploads. */
async function outcomeOf({ status }: Response): Promise<readonly number[]> {
	return [status, (await env.BLOBS.list({ prefix: `uploads/${accountId}/` })).objects.length];
}

/** This was done as often as it may be in an hour, of which a minute is left. */
const used = (action: 'stage_upload' | 'read_upload') =>
	env.DB.prepare('INSERT OR REPLACE INTO throttles (key, count, ends_at) VALUES (?, ?, ?)')
		.bind(throttleKey(action, 'account', accountId), THROTTLES[action].account.limit, Date.now() + 60_000)
		.run();
const A_MINUTE = expect.stringMatching(/^(?:59|60)$/);

function formOf(content: string | Uint8Array = LIST, name = 'list.csv'): FormData {
	const form = new FormData();
	form.set(TOKEN_FIELD, TOKEN);
	form.set('file', new File([content], name));
	return form;
}

const part = (name: string, content: string, more = ''): string =>
	`--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${content}\r\n`;
const TOKEN_PART = part(TOKEN_FIELD, TOKEN);
const FILE_PART = part('file', LIST, '; filename="list.csv"\r\nContent-Type: text/csv');
const END = `--${BOUNDARY}--\r\n`;
const MULTIPART = { ...BROWSER, 'content-type': `multipart/form-data; boundary=${BOUNDARY}` };

describe('a file', () => {
	test.each(['list.csv', 'Käthe’s Liste.csv', 'Список.csv', '名簿.csv', 'a;b=c.csv', 'l i s t'])(
		'called %s arrives as it was sent, and keeps its name',
		async (name) => {
			expect((await post(formOf(LIST, name))).status).toBe(303);
			expect(await staged()).toMatchObject({ fileName: name, text: LIST });
		},
	);

	test('of 20 MB is taken, and an octet more is refused with what to do', async () => {
		const line = fileOf(`ada@inbox.test,${'x'.repeat(1_008)}\n`);
		const file = new Uint8Array(FILE_OCTETS_MAX + 1);
		for (let at = 0; at + line.length <= FILE_OCTETS_MAX; at += line.length) file.set(line, at);
		for (const more of [1, 100_000]) {
			const answer = await post(formOf(new Uint8Array(FILE_OCTETS_MAX + more)));
			expect(await outcomeOf(answer)).toEqual([422, 0]);
			expect(await answer.text()).toContain('larger than 20 MB. Split it');
		}
		expect((await post(formOf(file.subarray(0, FILE_OCTETS_MAX)))).status).toBe(303);
		expect(await staged()).toMatchObject({ octets: FILE_OCTETS_MAX });
	});

	test.each([
		['none', `${TOKEN_PART}${END}`],
		['one without a name and without content', `${TOKEN_PART}${part('file', '', '; filename=""')}${END}`],
		['an empty one', `${TOKEN_PART}${part('file', '', '; filename="a.csv"')}${END}`],
		['a text in its place', `${TOKEN_PART}${part('file', LIST)}${END}`],
	])('is asked for where there is %s', async (_, body) => {
		const answer = await post(body, MULTIPART);
		expect(await outcomeOf(answer)).toEqual([422, 0]);
		expect(await answer.text()).toContain('Choose a file with at least one address');
	});
});

describe('the token comes first, and nothing is taken without it', () => {
	const tinyParts = part('a', '').repeat(370_000);
	test.each([
		['no token', `${FILE_PART}${END}`, 403],
		['the token behind the file', `${FILE_PART}${TOKEN_PART}${END}`, 403],
		['another field first', `${part('a', 'b')}${TOKEN_PART}${FILE_PART}${END}`, 403],
		['a wrong token', `${part(TOKEN_FIELD, 'x')}${FILE_PART}${END}`, 403],
		['a field without end first', part('a', 'x'.repeat(19_000_000)), 400],
		['a header without end', `--${BOUNDARY}\r\n${'x'.repeat(70_000)}`, 400],
		['nothing', '', 403],
		['19 MB of tiny fields', tinyParts, 403],
	])('%s is refused', async (_, body, status) => {
		expect(await outcomeOf(await post(body, MULTIPART))).toEqual([status, 0]);
	});

	test('an upload that the person breaks off is a 400, and no fault of ours', async () => {
		const broken = new ReadableStream({
			start: (controller) => controller.enqueue(fileOf(`${TOKEN_PART}${FILE_PART}`)),
			pull: (controller) => controller.error(new Error('Network connection lost.')),
		});
		expect(await outcomeOf(await post(broken, MULTIPART))).toEqual([400, 0]);
	});

	test('a form with a token and more fields than ours has is not read', async () => {
		for (const [body, status] of [
			[`${TOKEN_PART}${part('a', 'b').repeat(7)}${FILE_PART}${END}`, 400],
			[TOKEN_PART + tinyParts.slice(0, 15_000_000), 400],
			[TOKEN_PART + tinyParts, 422],
		] as const)
			expect(await outcomeOf(await post(body, MULTIPART))).toEqual([status, 0]);
		const few = `${TOKEN_PART}${part('a', 'b').repeat(6)}${FILE_PART}${END}`;
		expect((await post(few, MULTIPART)).status).toBe(303);
	});

	test.each([
		['no boundary', 'multipart/form-data'],
		['another boundary', 'multipart/form-data; boundary=y'],
		['another type', 'application/x-www-form-urlencoded'],
	])('%s is a 400', async (_, type) => {
		expect((await post(`${TOKEN_PART}${FILE_PART}${END}`, { 'content-type': type })).status).toBe(400);
	});
});

test('a file that was not started is deleted with one button', async () => {
	const place = (await post(formOf())).headers.get('location') ?? '';
	const answer = await person.post(`${place}/discard`, person.withToken());
	expect([answer.headers.get('location'), (await staged()).uploadId]).toEqual([LISTS, undefined]);
	expect(decodeURIComponent(answer.headers.get('set-cookie') ?? '')).toContain('The file was deleted');
});

// How often: people.test.ts.
describe('an account may do so much an hour, and no more', () => {
	test('send files', async () => {
		await used('stage_upload');
		const refused = await post(formOf());
		expect(await outcomeOf(refused)).toEqual([429, 0]);
		expect(refused.headers.get('retry-after')).toEqual(A_MINUTE);
		expect(await refused.text()).toContain('Too many attempts. Try again in');
	});

	test('look into them, and start them', async () => {
		const preview = (await post(formOf())).headers.get('location') ?? '';
		const shown = await person.page(preview);
		expect([shown.status, (await shown.text()).includes('Verify 1 address')]).toEqual([200, true]);
		await used('read_upload');
		const start = person.withToken({ column: '0', header: 'no' });
		for (const refused of [await person.page(preview), await person.post(preview, start)])
			expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, A_MINUTE]);
		expect(await staged()).toMatchObject({ jobId: null });
	});
});

describe('a script that shows the progress of an upload', () => {
	const asked = { accept: 'application/json' };
	test('is told where to go on', async () => {
		const answer = await post(formOf(), asked);
		const { uploadId } = await staged();
		const told = { location: `${LISTS}/uploads/${uploadId}` };
		expect([answer.status, await answer.json()]).toEqual([200, told]);
	});

	test.each([
		['of a file that is no list', false, 'City\nUlm\n', 422, 'No column of this file'],
		['of one file too many', true, LIST, 429, 'Too many'],
	])('is told what is wrong %s', async (_, isFull, list, status, words) => {
		if (isFull) await used('stage_upload');
		const answer = await post(formOf(list), asked);
		expect(await outcomeOf(answer)).toEqual([status, 0]);
		expect((await answer.json<{ readonly error: string }>()).error).toContain(words);
	});
});

describe('pasted text', () => {
	const pasted = (text: string): FormData => {
		const form = new FormData();
		form.set(TOKEN_FIELD, TOKEN);
		form.set('pasted', text);
		return form;
	};
	test('is a list as a file is, called after its time', async () => {
		expect((await post(pasted('Jane Doe <jane@inbox.test>; ada@inbox.test'))).status).toBe(303);
		expect(await staged()).toMatchObject({
			fileName: expect.stringMatching(/^Pasted addresses, \d+ \w+ \d\d:\d\d$/),
			text: 'Email,Name\njane@inbox.test,Jane Doe\nada@inbox.test,\n',
		});
	});

	test('without an address is shown again with what is wrong, made harmless', async () => {
		const answer = await post(pasted('</textarea><b>hello'));
		expect(await outcomeOf(answer)).toEqual([422, 0]);
		const page = await answer.text();
		expect(page).toContain('There is no email address in this text');
		expect(page).toContain('&lt;/textarea&gt;&lt;b&gt;hello');
	});

	test.each([
		[0, 303],
		[1, 422],
	])('of 5 MB and %i characters more gets %i', async (more, status) => {
		const text = 'ada@inbox.test\n'.padEnd(PASTED_CHARS_MAX + more, '\n');
		expect((await post(pasted(text))).status).toBe(status);
	});
});
