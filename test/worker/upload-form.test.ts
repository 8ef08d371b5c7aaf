import { Hono } from 'hono';
import { describe, expect, test } from 'vitest';
import { FORM_ID_OCTETS, issueFormToken, TOKEN_FIELD } from '../../src/core/identity/tokens.ts';
import { THROTTLES, throttleKey } from '../../src/core/identity/throttles.ts';
import type { ThrottledAction } from '../../src/core/identity/throttles.ts';
import { FILE_OCTETS_MAX } from '../../src/core/upload/file-kind.ts';
import { PASTED_CHARS_MAX } from '../../src/core/upload/read-list-file.ts';
import type { DashboardEnv } from '../../src/dashboard/view.ts';
import { showError } from '../../src/dashboard/on-error.tsx';
import { draftPage } from '../../src/dashboard/pages/draft.tsx';
import { addLists } from '../../src/dashboard/pages/lists.tsx';
import type { Services } from '../../src/services.ts';
import { uploadBlobsOf } from '../../src/storage/uploads.ts';
import { MemoryBucket } from '../support/unit/memory-bucket.ts';
import { aloneAtWork } from '../support/unit/list-files.ts';

// The form with a file: what is taken of it, in which order, and how often.

const user = {
	id: 'usr_1',
	email: 'ada@inbox.test',
	loginName: 'ada@inbox.test',
	accountId: 'acc_1',
	name: '',
	createdAt: 0,
};
const session = { id: 'ses_1', tokenHash: 'h', userId: 'usr_1', device: '', createdAt: 0, lastSeenAt: 0 };
const TOKEN = issueFormToken('session token', new Uint8Array(FORM_ID_OCTETS));
const BOUNDARY = 'x-boundary';
const LIST = 'ada@inbox.test\n';

/** The pages of somebody who is signed in, and who did something so often in the last hour. */
function pagesAfter(done: Partial<Record<ThrottledAction, number>> = {}) {
	const bucket = new MemoryBucket();
	const uploadBlobs = uploadBlobsOf(bucket.r2);
	const account = {
		listJobs: async () => ({ jobs: [], total: 0 }),
		show: async () => ({ balance: { availableCredits: 10 } }),
	};
	const before = new Map(
		Object.entries(done).map(([action, count]) => [
			throttleKey(action as ThrottledAction, 'account', user.accountId),
			count,
		]),
	);
	const services = {
		config: {},
		clock: { now: () => 0 },
		newId: () => 'upl_1',
		secureRandom: (octets: number) => new Uint8Array(octets),
		accounts: () => account,
		attempts: {
			count: async (name: string, { limit }: { limit: number }) => ({
				admitted: (before.get(name) ?? 0) < limit,
				endsAt: 60_000,
			}),
		},
		uploadBlobs,
		fileWork: aloneAtWork,
	} as unknown as Services;
	const app = new Hono<DashboardEnv>();
	app.onError(showError);
	app.use('*', async (c, next) => {
		c.set('services', services);
		c.set('signedIn', { user, session, suspendedAt: null });
		c.set('sessionToken', 'token');
		c.set('visitor', null);
		await next();
	});
	addLists(app);
	draftPage.addTo(app);
	const post = async (body: BodyInit, type?: string): Promise<Response> =>
		app.request('/dashboard/lists', {
			method: 'POST',
			body,
			...(type === undefined ? {} : { headers: { 'content-type': type } }),
		});
	return { app, post, objects: bucket.objects, staged: () => uploadBlobs.find(user.accountId, 'upl_1') };
}

function formOf(content: string | Uint8Array = LIST, name = 'list.csv'): FormData {
	const form = new FormData();
	form.set(TOKEN_FIELD, TOKEN);
	form.set('file', new File([content], name));
	return form;
}

const octetsOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const part = (name: string, content: string, more = ''): string =>
	`--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${content}\r\n`;
const TOKEN_PART = part(TOKEN_FIELD, TOKEN);
const FILE_PART = part('file', LIST, '; filename="list.csv"\r\nContent-Type: text/csv');
const END = `--${BOUNDARY}--\r\n`;
const MULTIPART = `multipart/form-data; boundary=${BOUNDARY}`;

describe('a file', () => {
	test.each(['list.csv', 'Käthe’s Liste.csv', 'Список.csv', '名簿.csv', 'a;b=c.csv', 'l i s t'])(
		'called %s arrives as it was sent, and keeps its name',
		async (name) => {
			const { post, objects, staged } = pagesAfter();
			expect((await post(formOf(LIST, name))).status).toBe(303);
			expect(objects.get('uploads/acc_1/upl_1/file')?.bytes).toEqual(octetsOf(LIST));
			expect((await staged())?.fileName).toBe(name);
		},
	);

	test('of 20 MB is taken, and an octet more is refused with what to do', async () => {
		const line = octetsOf(`ada@inbox.test,${'x'.repeat(1_008)}\n`);
		const file = new Uint8Array(FILE_OCTETS_MAX + 1);
		for (let at = 0; at + line.length <= FILE_OCTETS_MAX; at += line.length) file.set(line, at);
		const within = pagesAfter();
		expect((await within.post(formOf(file.subarray(0, FILE_OCTETS_MAX)))).status).toBe(303);
		expect((await within.staged())?.octets).toBe(FILE_OCTETS_MAX);
		for (const more of [1, 100_000]) {
			const over = pagesAfter();
			const answer = await over.post(formOf(new Uint8Array(FILE_OCTETS_MAX + more)));
			expect([answer.status, over.objects.size]).toEqual([422, 0]);
			expect(await answer.text()).toContain('larger than 20 MB. Split it');
		}
	});

	test.each([
		['none', `${TOKEN_PART}${END}`],
		['one without a name and without content', `${TOKEN_PART}${part('file', '', '; filename=""')}${END}`],
		['an empty one', `${TOKEN_PART}${part('file', '', '; filename="a.csv"')}${END}`],
		['a text in its place', `${TOKEN_PART}${part('file', LIST)}${END}`],
	])('is asked for where there is %s', async (_, body) => {
		const { post, objects } = pagesAfter();
		const answer = await post(body, MULTIPART);
		expect([answer.status, objects.size]).toEqual([422, 0]);
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
		const { post, objects } = pagesAfter();
		const answer = await post(body, MULTIPART);
		expect([answer.status, objects.size]).toEqual([status, 0]);
	});

	test('an upload that the person breaks off is a 400, and no fault of ours', async () => {
		const { post, objects } = pagesAfter();
		const broken = new ReadableStream({
			start: (controller) => controller.enqueue(octetsOf(`${TOKEN_PART}${FILE_PART}`)),
			pull: (controller) => controller.error(new Error('Network connection lost.')),
		});
		expect([(await post(broken, MULTIPART)).status, objects.size]).toEqual([400, 0]);
	});

	test('a form with a token and more fields than ours has is not read', async () => {
		const { post, objects } = pagesAfter();
		const few = `${TOKEN_PART}${part('a', 'b').repeat(6)}${FILE_PART}${END}`;
		expect((await post(few, MULTIPART)).status).toBe(303);
		objects.clear();
		for (const [body, status] of [
			[`${TOKEN_PART}${part('a', 'b').repeat(7)}${FILE_PART}${END}`, 400],
			[TOKEN_PART + tinyParts.slice(0, 15_000_000), 400],
			[TOKEN_PART + tinyParts, 422],
		] as const) {
			const answer = await post(body, MULTIPART);
			expect([answer.status, objects.size]).toEqual([status, 0]);
		}
	});

	test.each([
		['no boundary', 'multipart/form-data'],
		['another boundary', 'multipart/form-data; boundary=y'],
		['another type', 'application/x-www-form-urlencoded'],
	])('%s is a 400', async (_, type) => {
		const { post } = pagesAfter();
		expect((await post(`${TOKEN_PART}${FILE_PART}${END}`, type)).status).toBe(400);
	});
});

test('a file that was not started is deleted with one button', async () => {
	const { app, post, objects } = pagesAfter();
	await post(formOf());
	const body = new URLSearchParams({ [TOKEN_FIELD]: TOKEN });
	const answer = await app.request('/dashboard/lists/uploads/upl_1/discard', { method: 'POST', body });
	expect([answer.headers.get('location'), objects.size]).toEqual(['/dashboard/lists', 0]);
	expect(decodeURIComponent(answer.headers.get('set-cookie') ?? '')).toContain('The file was deleted');
});

describe('an account may do so much an hour, and no more', () => {
	test('send files', async () => {
		const { limit } = THROTTLES.stage_upload.account;
		const last = pagesAfter({ stage_upload: limit - 1 });
		expect([(await last.post(formOf())).status, last.objects.size]).toEqual([303, 2]);
		const full = pagesAfter({ stage_upload: limit });
		const refused = await full.post(formOf());
		expect([refused.status, full.objects.size]).toEqual([429, 0]);
		expect(refused.headers.get('retry-after')).toBe('60');
		expect(await refused.text()).toContain('Too many attempts. Try again in');
	});

	test('look into them, and start them', async () => {
		const { limit } = THROTTLES.read_upload.account;
		const preview = '/dashboard/lists/uploads/upl_1';
		const last = pagesAfter({ read_upload: limit - 1 });
		await last.post(formOf());
		const shown = await last.app.request(preview);
		expect([shown.status, (await shown.text()).includes('Verify 1 address')]).toEqual([200, true]);
		const full = pagesAfter({ read_upload: limit });
		await full.post(formOf());
		const body = new URLSearchParams({ [TOKEN_FIELD]: TOKEN, column: '0', header: 'no' });
		for (const init of [{}, { method: 'POST', body }]) {
			const refused = await full.app.request(preview, init);
			expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60']);
		}
		expect((await full.staged())?.jobId).toBeNull();
	});
});

describe('a script that shows the progress of an upload', () => {
	const asked = { accept: 'application/json' };
	test('is told where to go on', async () => {
		const { app } = pagesAfter();
		const answer = await app.request('/dashboard/lists', { method: 'POST', body: formOf(), headers: asked });
		expect([answer.status, await answer.json()]).toEqual([
			200,
			{ location: '/dashboard/lists/uploads/upl_1' },
		]);
	});

	test.each([
		['of a file that is no list', {}, formOf('City\nUlm\n'), 422, 'No column of this file'],
		[
			'of one file too many',
			{ stage_upload: THROTTLES.stage_upload.account.limit },
			formOf(),
			429,
			'Too many',
		],
	])('is told what is wrong %s', async (_, done, body, status, words) => {
		const { app, objects } = pagesAfter(done);
		const answer = await app.request('/dashboard/lists', { method: 'POST', body, headers: asked });
		const { error } = await answer.json<{ readonly error: string }>();
		expect([answer.status, objects.size]).toEqual([status, 0]);
		expect(error).toContain(words);
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
		const { post, objects, staged } = pagesAfter();
		expect((await post(pasted('Jane Doe <jane@inbox.test>; ada@inbox.test'))).status).toBe(303);
		expect((await staged())?.fileName).toBe('Pasted addresses, 1 Jan 00:00');
		expect(new TextDecoder().decode(objects.get('uploads/acc_1/upl_1/file')?.bytes)).toBe(
			'Email,Name\njane@inbox.test,Jane Doe\nada@inbox.test,\n',
		);
	});

	test('without an address is shown again with what is wrong, made harmless', async () => {
		const { post, objects } = pagesAfter();
		const answer = await post(pasted('</textarea><b>hello'));
		const page = await answer.text();
		expect([answer.status, objects.size]).toEqual([422, 0]);
		expect(page).toContain('There is no email address in this text');
		expect(page).toContain('&lt;/textarea&gt;&lt;b&gt;hello');
	});

	test.each([
		[0, 303],
		[1, 422],
	])('of 5 MB and %i characters more gets %i', async (more, status) => {
		const { post } = pagesAfter();
		const text = 'ada@inbox.test\n'.padEnd(PASTED_CHARS_MAX + more, '\n');
		expect((await post(pasted(text))).status).toBe(status);
	});
});
