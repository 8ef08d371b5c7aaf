import { Hono } from 'hono';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { FORM_ID_OCTETS, issueFormToken, TOKEN_FIELD } from '../../../src/core/identity/tokens.ts';
import type { DashboardEnv } from '../../../src/dashboard/view.ts';
import { choices, form, hidden, select, text, tick } from '../../../src/dashboard/form.tsx';
import { showError } from '../../../src/dashboard/on-error.tsx';
import { Place } from '../../../src/dashboard/place.tsx';
import { ServiceError } from '../../../src/errors.ts';
import type { SignedIn } from '../../../src/operations/people/port.ts';
import type { Services } from '../../../src/services.ts';

// What every page and every form of the dashboard gets from the pattern.

const KEPT = { address: 'x<y', kind: 'b', until: '2020-01-31', of_one: 'yes', mails: 'yes', row: 'r1' };

/** A place with a form of every field, which keeps what its forms did in `done`. */
function world(admitted: (at: number) => boolean = () => true) {
	const done: unknown[] = [];
	let attempts = 0;
	const sample = new Place('/things/:id', {
		load: async ({ param, page }) => Promise.resolve({ id: param('id'), page }),
		view: ({ id, page }, { Form, refused, Live }) => (
			<main data-refused={refused?.form ?? ''}>
				{id} {page} <Form of="change" values={{ address: 'stored', kind: 'b', of: ['two'] }} />
				<Form of="bare" />
				<Form of="counted" />
				<Live of={{ id, page }} />
			</main>
		),
		live: { isMoving: () => true, says: ({ id }) => id, view: ({ page }) => <b>{page}</b> },
		forms: {
			change: form({
				at: '',
				button: 'Save',
				fields: {
					address: text('Address', { schema: z.string().max(9, 'Too long') }),
					kind: select('Kind', [
						['a', 'A'],
						['b', 'B'],
					]),
					until: text('Until', { type: 'date' }),
					of: choices('Of', { one: 'One', two: 'Two' }, 'Choose one'),
					mails: tick('Mails'),
					row: hidden(),
				},
				remedies: { too_many_webhooks: 'Remove one' },
				run: async ({ c }, values) => {
					if (values.address === 'param')
						throw new ServiceError('invalid_parameter', 'Invalid parameter: address is bad', {
							details: { param: 'address' },
						});
					if (values.address === 'full') throw new ServiceError('too_many_webhooks', 'Full');
					if (values.address === 'other') throw new ServiceError('webhook_disabled', 'Disabled');
					if (values.address === 'refused') return { errors: { until: 'Too late' } };
					done.push({ ...values, id: c.var.formId });
					return undefined;
				},
				says: 'Saved',
			}),
			bare: form({ button: 'Do', run: async () => Promise.resolve(), to: '/elsewhere' }),
			counted: form({
				button: 'Count',
				fields: { address: text('Address') },
				calm: 'change_webhook',
				run: async () => Promise.resolve(),
			}),
			remove: form({
				button: 'Remove',
				names: 'the name',
				asks: async ({ param }) =>
					Promise.resolve({
						title: `Remove ${param('id')}`,
						text: <p>It ends.</p>,
						name: ' The  thing\u202E',
					}),
				run: async () => Promise.resolve(),
			}),
		},
	});
	const app = new Hono<DashboardEnv>();
	app.onError(showError);
	const services = {
		config: {},
		clock: { now: () => 0 },
		secureRandom: (octets: number) => new Uint8Array(octets),
		attempts: {
			count: async () => Promise.resolve({ admitted: admitted((attempts += 1)), endsAt: 60_000 }),
		},
	} as unknown as Services;
	app.use('*', async (c, next) => {
		c.set('services', services);
		c.set('requestId', 'req_1');
		c.set('sessionToken', 's');
		c.set('signedIn', {
			user: { email: 'a@b.test', name: '', accountId: 'acc' },
			suspendedAt: null,
		} as SignedIn);
		await next();
	});
	sample.addTo(app);
	const token = issueFormToken('session s', new Uint8Array(FORM_ID_OCTETS));
	const post = async (path: string, fields: string | Readonly<Record<string, string>>) => {
		const headers = { 'content-type': 'application/x-www-form-urlencoded' };
		const sent = typeof fields === 'string' ? fields : { [TOKEN_FIELD]: token, ...fields };
		const body = new URLSearchParams(sent).toString();
		const answer = await app.request(path, { method: 'POST', headers, body });
		return {
			status: answer.status,
			text: await answer.text(),
			to: answer.headers.get('location'),
			cookie: answer.headers.get('set-cookie') ?? '',
		};
	};
	const get = async (path: string) => (await app.request(path)).text();
	return { done, post, get, token };
}

describe('a form', () => {
	test('gives its fields as values, says what it did, and has the same id when it is sent twice', async () => {
		const { post, done } = world();
		for (let n = 0; n < 2; n += 1) {
			const { status, to, cookie } = await post('/things/a%2Fb', { ...KEPT, other: 'x' });
			expect([status, to]).toEqual([303, '/things/a%2Fb']);
			expect(cookie).toContain('__Host-flash=');
		}
		const values = { address: 'x<y', kind: 'b', until: '2020-01-31', of: ['one'], mails: true, row: 'r1' };
		expect(done).toEqual(
			Array.from({ length: 2 }, () => ({ ...values, id: expect.stringMatching(/^\w{24}$/) })),
		);
		expect(done[0]).toEqual(done[1]);
	});

	test('takes the last of repeated fields', async () => {
		const { post, done, token } = world();
		const rest = new URLSearchParams({ ...KEPT, [TOKEN_FIELD]: token }).toString();
		await post('/things/1', `address=first&${rest}&address=last`);
		expect(done).toMatchObject([{ address: 'last' }]);
	});

	test.each([
		['a field', { ...KEPT, address: '<much too long>' }, 'Too long'],
		['a choice', { ...KEPT, of_one: undefined }, 'Choose one'],
		['an unknown choice', { ...KEPT, kind: 'z' }, 'Choose one of these'],
		['its parameter', { ...KEPT, address: 'param' }, 'The Address is bad'],
		['too many', { ...KEPT, address: 'full' }, 'Full. Remove one'],
		['its own judgement', { ...KEPT, address: 'refused' }, 'Too late'],
	])(
		'that is refused for %s keeps what was typed, with the error beside its field',
		async (_, sent, error) => {
			const { post, done } = world();
			const fields = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined));
			const { status, text: page } = await post('/things/1', fields as Record<string, string>);
			expect(status).toBe(422);
			expect(page).toContain('data-refused="change"');
			expect(page).toMatch(new RegExp(`class="wrong"[^>]*>.*${error}`));
			expect(page).toContain('value="2020-01-31"');
			expect(page).toContain(`value="${sent.address.replace('<', '&lt;').replace('>', '&gt;')}"`);
			expect(page).toMatch(/name="mails"[^>]*checked/);
			expect(page).not.toMatch(/name="of_two"[^>]*checked/);
			expect(/name="of_one"[^>]*checked/.test(page)).toBe(sent.of_one !== undefined);
			expect(/value="b" selected/.test(page)).toBe(sent.kind === 'b');
			expect(done).toEqual([]);
		},
	);

	test('shows stored values where nothing was typed', async () => {
		const page = await world().get('/things/1?page=3');
		expect(page).toContain('value="stored"');
		expect(page).toMatch(/value="b" selected/);
		expect(page).toMatch(/name="of_two"[^>]*checked/);
		expect(page).toContain('data-live="/things/1/live?page=3"');
		expect(page).toContain('<noscript><meta http-equiv="refresh" content="10" /></noscript>');
	});

	test.each([
		['no token', () => 'address=x'],
		['a wrong one', () => `${TOKEN_FIELD}=x&address=x`],
		[
			'a wrong one behind the right one',
			(token: string) => `${TOKEN_FIELD}=${token}&${TOKEN_FIELD}=x&address=x`,
		],
	])('with %s is refused before its fields are looked at', async (_, body) => {
		const { post, token, done } = world();
		expect((await post('/things/1', body(token))).status).toBe(403);
		expect(done).toEqual([]);
	});

	test('that was sent too often is a 429, and keeps what was typed', async () => {
		const { post } = world(() => false);
		const { status, text: page } = await post('/things/1/counted', { address: 'typed' });
		expect(status).toBe(429);
		expect(page).toMatch(/value="typed"[\s\S]*Too many attempts/);
	});

	test('passes on what is no fault of its fields', async () => {
		const { status, text: page } = await world().post('/things/1', { ...KEPT, address: 'other' });
		expect([status, page]).toEqual([400, expect.stringContaining('Disabled')]);
	});

	test('with a question asks on a page of its own, and again there', async () => {
		const { get, post } = world();
		const asked = await get('/things/1/remove');
		for (const words of ['Remove 1', 'It ends.', 'Type the name to confirm:  The  thing', 'href="/things/1"'])
			expect(asked).toContain(words);
		const again = await post('/things/1/remove', { confirm: 'y' });
		expect([again.status, again.text]).toEqual([
			422,
			expect.stringMatching(/Remove 1[\s\S]*value="y"[\s\S]*That is not the name/),
		]);
		// The name as a page shows it: any white space is one space, and what is invisible is not typed.
		expect((await post('/things/1/remove', { confirm: 'The thing ' })).status).toBe(303);
	});

	test('leads on, and its own path leads to its place', async () => {
		const { get, post } = world();
		expect((await post('/things/1/bare', {})).to).toBe('/elsewhere');
		for (const at of ['counted', 'bare'])
			expect(await get(`/things/1/${at}`), at).toContain('data-refused=""');
	});
});

test('the part of a page that moves is served alone, and takes no message of the next page', async () => {
	const part = await world().get('/things/1/live?page=2');
	expect(part).toMatch(/^<div data-live="\/things\/1\/live\?page=2" data-says="1"><b>2<\/b>/);
});
