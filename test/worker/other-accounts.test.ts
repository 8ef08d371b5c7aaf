import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { compose } from '../../src/compose.ts';
import { D1Purchases } from '../../src/storage/payments.ts';
import { API_ROUTES, filled, pageRoutes, signedInPerson } from '../support/signed-in.ts';
import { eventually } from '../support/patience.ts';
import { paidPurchase } from '../support/shop.ts';

// What belongs to one account is nobody else's, by whatever route it is asked for. The routes come from the application
// itself, so that a new one can't be forgotten.

type Person = Awaited<ReturnType<typeof signedInPerson>>;
type Ids = Readonly<Record<string, string>>;

interface Answer {
	readonly status: number;
	readonly text: string;
	readonly location: string | null;
}

const API = API_ROUTES.filter(({ path }) => path.includes('{'));
const PAGES = pageRoutes()
	.filter(({ path }) => path.includes(':') && !/:(?:name|file)\b/.test(path))
	.map(({ method, path }) => ({ method, path: path.replace(':index', '0') }));

/** One of each thing that has an id, in a person's account. */
async function possessionsOf(person: Person): Promise<Ids> {
	const idIn = async (response: Response): Promise<Record<string, string>> => {
		expect(response.ok, await response.clone().text()).toBe(true);
		return (await response.json<{ data: Record<string, string> }>()).data;
	};
	const { jobId = '' } = await idIn(
		await person.api('POST', '/v1/verify-batch', { emails: ['ada@google-catch-all.test'] }),
	);
	const hasEnded = async (path: string) =>
		eventually(async () => expect((await idIn(await person.api('GET', path)))['status']).toBe('completed'));
	await hasEnded(`/v1/jobs/${jobId}`);
	const { taskId = '' } = await idIn(await person.api('POST', '/v1/catchall', { jobId }));
	await hasEnded(`/v1/catchall/${taskId}`);
	const hook = { url: 'https://shop.example/hook' };
	const { webhookId = '' } = await idIn(await person.api('POST', '/v1/webhooks', hook));
	const { eventId = '' } = await idIn(await person.api('POST', `/v1/webhooks/${webhookId}/test`));
	const purchase = paidPurchase(person.accountId, 2);
	const { id: purchaseId } = await new D1Purchases(env.DB).insert(purchase);
	const sent = await person.upload(person.withToken(), new File(['ada@inbox.test\n'], 'list.csv'));
	const lastIn = ({ headers }: Response): string => headers.get('location')?.split('/').at(-1) ?? '';
	const uploadId = lastIn(sent);
	const verifying = person.withToken({ email: 'ada@inbox.test' });
	const verificationId = lastIn(await person.post('/dashboard/verify', verifying));
	const { keyId } = person;
	return { jobId, taskId, webhookId, eventId, uploadId, purchaseId, verificationId, keyId };
}

/** Ids of the same form that nobody has. */
function unknownOf(ids: Ids): Ids {
	return Object.fromEntries(
		Object.entries(ids).map(([name, id]) => [name, id.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a'))]),
	);
}

/** What a stranger is told, without what differs from answer to answer anyway. */
async function told(response: Response, ids: Ids): Promise<Answer> {
	const plain = (text: string): string =>
		Object.values(ids)
			.reduce((rest, id) => rest.replaceAll(id, '…'), text)
			.replaceAll(/req_\w+/g, '…')
			.replaceAll(/name="csrf" value="[^"]*"/g, '…');
	const location = response.headers.get('location');
	return {
		status: response.status,
		text: plain(await response.text()),
		location: location === null ? null : plain(location),
	};
}

// What is gone after all, as an upload that was started, leads back to the page before.
const isLedBack = (path: string): boolean => path.includes(':uploadId');
const FIELDS = {
	label: 'Mine',
	url: 'https://shop.example/other',
	column: '0',
	hasHeader: 'false',
	name: 'Taken',
};

describe('to another account', async () => {
	const [owner, stranger] = [await signedInPerson(), await signedInPerson()];
	const theirs = await possessionsOf(owner);
	const nobodys = unknownOf(theirs);

	test('there are things with ids, and routes to each of them', () => {
		expect(Object.entries(theirs).filter(([, id]) => id === '')).toEqual([]);
		const named = [...API, ...PAGES].flatMap(({ path }) =>
			[...path.matchAll(/[:{](\w+)/g)].map(([, name]) => name),
		);
		expect(new Set(named)).toEqual(new Set(Object.keys(theirs)));
	});

	test.each(API)(
		'the API says of a thing that it does not exist: $method $path',
		async ({ method, path }) => {
			const body = method === 'PATCH' ? { enabled: false } : undefined;
			const ask = async (ids: Ids) => told(await stranger.api(method, filled(path, ids), body), ids);
			const answer = await ask(theirs);
			expect(answer.status).toBe(404);
			expect(answer).toEqual(await ask(nobodys));
		},
	);

	test('the API makes no task of the job of another', async () => {
		const ask = async (ids: Ids) =>
			told(await stranger.api('POST', '/v1/catchall', { jobId: ids['jobId'] }), ids);
		expect((await ask(theirs)).status).toBe(404);
		expect(await ask(theirs)).toEqual(await ask(nobodys));
	});

	test.each(PAGES)('the pages say so too: $method $path', async ({ method, path }) => {
		const ask = async (ids: Ids) => {
			const place = filled(path, ids);
			const answered =
				method === 'GET'
					? await stranger.page(place)
					: await stranger.post(place, stranger.withToken(FIELDS));
			return told(answered, ids);
		};
		const answer = await ask(theirs);
		expect(answer.status, answer.text).toBe(isLedBack(path) ? 303 : 404);
		expect(answer).toEqual(await ask(nobodys));
	});

	test('nothing was changed or taken by any of it', async () => {
		const reading = PAGES.filter(({ method }) => method === 'GET').map(({ path }) => filled(path, theirs));
		for (const path of reading) expect([200, 303], path).toContain((await owner.page(path)).status);
		expect((await owner.page(`/dashboard/lists/uploads/${theirs['uploadId']}`)).status).toBe(200);
		const { accounts } = compose(env);
		const { keys } = await accounts(owner.accountId).show();
		expect(keys.map(({ revoked }) => revoked)).toEqual([false]);
		const hook = await owner.api('GET', `/v1/webhooks/${theirs['webhookId']}`);
		expect(await hook.json()).toMatchObject({ data: { url: 'https://shop.example/hook', enabled: true } });
	});
});
