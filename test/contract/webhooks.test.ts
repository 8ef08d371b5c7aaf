import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { afterEach, expect, inject, onTestFinished, test } from 'vitest';
import { job } from '../../src/http/schemas/job.ts';
import { SENT_BODIES } from '../../src/http/schemas/webhook.ts';
import type { Document } from '../support/openapi/document.ts';
import { faultsOf } from '../support/openapi/json-schema.ts';
import { Receiver } from '../support/receiver.ts';
import { call, makeAccount } from '../support/service.ts';
import { hiddenFields } from '../support/visitor.ts';
import { expectFailure } from './api.ts';
import { completed, getJob, jobOf, submit, submitted } from './jobs-api.ts';
import { newTestKey } from './operator.ts';
import { ALL_SCOPES, awaitMails, newKey, newPerson } from './people.ts';
import { addWebhook, allWebhooks, deliveriesOf, until, webhooks } from './webhooks-api.ts';

// What an account is told, at a real endpoint on loopback, which development allows.

const service = inject('service');
const PAGE = '/dashboard/api';
const SECRET = /whsec_[A-Za-z0-9+/]{43}=/;
const running: Receiver[] = [];

afterEach(async () => {
	await Promise.all(running.splice(0).map((receiver) => receiver.kill()));
});

async function listen(): Promise<Receiver> {
	const receiver = new Receiver();
	running.push(receiver);
	await receiver.start();
	return receiver;
}

/** An account with a webhook of all events, and its endpoint. */
async function told(credits = 20, events?: readonly string[]) {
	const { apiKey, accountId } = await makeAccount(service, credits);
	const receiver = await listen();
	const { webhookId, secret } = await addWebhook(apiKey, receiver.url, events);
	return { apiKey, accountId, receiver, webhookId, secret };
}

async function finishJob(apiKey: string): Promise<string> {
	const { jobId } = (await submitted(apiKey, ['ada@inbox.test', 'nobody@inbox.test'])).data;
	await completed(apiKey, jobId);
	return jobId;
}

test('the event job.completed comes at once, signed, with the job as GET gives it', async () => {
	const { apiKey, receiver, secret } = await told();
	const jobId = await finishJob(apiKey);
	await until(() => expect(receiver.received).toHaveLength(1));
	const [{ type, data, id }] = receiver.verified(secret) as [ReturnType<Receiver['verified']>[number]];
	expect([type, id]).toEqual(['job.completed', expect.stringMatching(/^evt_[0-9a-f]{24}$/)]);
	expect((await getJob(apiKey, jobId)).body).toMatchObject({ data: job.parse(data) });
	expect(receiver.received[0]?.headers).toMatchObject({
		'content-type': 'application/json',
		'user-agent': expect.stringMatching(/^Mailsonar/),
	});
	expect(() => receiver.verified(secret.replace('whsec_', 'whsec_AAAA'))).toThrow('No matching signature');
});

test.each(['live', 'test'])('a callback of a %s key is signed with the secret of the page', async (mode) => {
	const { visitor } = await newPerson();
	const apiKey = await newKey(visitor, { ...ALL_SCOPES, mode });
	const receiver = await listen();
	const url = `${receiver.url}done?list=7`;
	const sent = { emails: ['ada@inbox.test'], callbackUrl: url };
	const { body } = await submit(apiKey, sent, { 'idempotency-key': 'k' });
	const { jobId } = (body as { data: { jobId: string } }).data;
	await completed(apiKey, jobId);
	await until(() => expect(receiver.received).toHaveLength(1));
	const secretOf = async () => SECRET.exec((await visitor.get(PAGE)).text)?.[0] ?? '';
	const secret = await secretOf();
	const data = { jobId, status: 'completed', callbackUrl: url };
	expect(receiver.verified(secret)).toMatchObject([{ type: 'job.completed', id: jobId, data }]);
	const delivered = { type: 'job.completed', status: 'delivered', attempts: 1, lastStatusCode: 204 };
	await until(async () => expect((await jobOf(apiKey, jobId)).callbackDelivery).toMatchObject(delivered));
	await visitor.submit(PAGE, {}, `${PAGE}/renew`);
	expect(await secretOf()).not.toBe(secret);
	const task = await call(service.url, apiKey, 'POST', '/v1/catchall', { jobId, callbackUrl: url });
	expect(task.status, task.text).toBe(202);
	await until(() => expect(receiver.received).toHaveLength(2));
	// Both secrets sign.
	expect(receiver.verified(secret)[1]).toMatchObject({ type: 'catchall.completed' });
	expect(() => receiver.verified('whsec_AAAA')).toThrow();
	expectFailure(await submit(apiKey, { ...sent, callbackUrl: `${url}1` }, { 'idempotency-key': 'k' }), 409);
});

test('an endpoint that answers 410 is disabled, its owner gets a mail, and can enable it again', async () => {
	const { visitor, email } = await newPerson();
	const apiKey = await newKey(visitor);
	const receiver = await listen();
	const { webhookId } = await addWebhook(apiKey, receiver.url);
	receiver.status = 410;
	await webhooks(apiKey, 'POST', `/${webhookId}/test`);
	const data = { enabled: false, disabledBecause: 'gone' };
	const shown = () => webhooks(apiKey, 'GET', `/${webhookId}`);
	await until(async () => expect((await shown()).body).toMatchObject({ data }));
	const [mail] = await awaitMails(email, 2);
	expect(mail?.subject).toContain('no longer sends events');
	expectFailure(await webhooks(apiKey, 'POST', `/${webhookId}/test`), 409, 'webhook_disabled');
	const [sent] = await deliveriesOf(apiKey, webhookId);
	const replay = `/${webhookId}/deliveries/${sent?.eventId}/replay`;
	expectFailure(await webhooks(apiKey, 'POST', replay), 409, 'webhook_disabled');
	const page = await visitor.get(`/dashboard/webhooks/${webhookId}`);
	expect(page.text).toContain('410 Gone');
	const enabled = await webhooks(apiKey, 'PATCH', `/${webhookId}`, { enabled: true });
	expect(enabled.body).toMatchObject({ data: { enabled: true, disabledBecause: null } });
});

test('deliveries are listed in pages and sent again on request, also after a rotation of the secret', async () => {
	const { apiKey, receiver, webhookId, secret } = await told();
	expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
	await webhooks(apiKey, 'POST', `/${webhookId}/test`);
	await until(() => expect(receiver.received).toHaveLength(1));
	const rotated = await webhooks(apiKey, 'POST', `/${webhookId}/rotate-secret`);
	const { secret: next } = (rotated.body as { data: { secret: string } }).data;
	expect(next).not.toBe(secret);
	for (const path of ['', `/${webhookId}`])
		expect((await webhooks(apiKey, 'GET', path)).text).not.toMatch(/whsec_|salt/);
	const { eventId } = (await deliveriesOf(apiKey, webhookId))[0]!;
	const path = `/${webhookId}/deliveries/${eventId}/replay`;
	expect((await webhooks(apiKey, 'POST', path)).status).toBe(202);
	await until(() => expect(receiver.received).toHaveLength(2));
	// By which secrets it is signed: test/worker/account-webhooks.test.ts, test/unit/net/webhook-sender.test.ts.
	expect(receiver.verified(secret).map(({ id }) => id)).toEqual([eventId, eventId]);
	const none = await webhooks(apiKey, 'POST', `/${webhookId}/deliveries/evt_none/replay`);
	expectFailure(none, 404, 'delivery_not_found');
	await webhooks(apiKey, 'POST', `/${webhookId}/test`);
	const second = await webhooks(apiKey, 'GET', `/${webhookId}/deliveries?page=2&limit=1`);
	expect(second.body).toMatchObject({
		data: { deliveries: [{ eventId }], pagination: { total: 2, page: 2, pages: 2, hasNextPage: false } },
	});
});

test('an account has at most five', async () => {
	const { apiKey } = await makeAccount(service);
	for (let n = 0; n < 5; n += 1) await addWebhook(apiKey, `https://shop${n}.example/`);
	const sixth = await webhooks(apiKey, 'POST', '', { url: 'https://shop.example/' });
	expectFailure(sixth, 409, 'too_many_webhooks');
});

test('a test key has webhooks of its own, and every event that its words bring fits its schema', async () => {
	const { apiKey: testKey, liveKey } = await newTestKey();
	const receiver = await listen();
	const { secret } = await addWebhook(testKey, receiver.url);
	expect((await allWebhooks(liveKey)).webhooks).toEqual([]);
	const at = (word: string): string => `${word}@test.mailsonar.example`;
	const failing = (await submitted(testKey, [at('fails')])).data.jobId;
	const done = (await submitted(testKey, [at('deliverable'), at('catch_all')])).data.jobId;
	await until(() => expect(receiver.received).toHaveLength(2));
	const events = receiver.verified(secret);
	const heard = events.map(({ type, data }) => `${type} ${String(data['jobId'])}`);
	expect(heard.toSorted()).toEqual([`job.completed ${done}`, `job.failed ${failing}`]);
	const document = (await call(service.url, null, 'GET', '/openapi.json')).body as Document;
	expect(Object.keys(document.webhooks)).toEqual(Object.keys(SENT_BODIES));
	for (const { headers, body } of receiver.received) {
		const event = JSON.parse(body) as { type: string };
		const schema = document.webhooks[event.type]?.post.requestBody.content['application/json']?.schema ?? {};
		expect(faultsOf(schema, event, document.components.schemas), String(headers['webhook-id'])).toEqual([]);
	}
});

test('an endpoint whose host has no public address is never visited, and its deliveries say why', async () => {
	const { apiKey } = await makeAccount(service);
	// A mail server of the sandbox, with an address of a block that nobody on the Internet has.
	const { webhookId } = await addWebhook(apiKey, 'https://mx.inbox.test/');
	const gone = await addWebhook(apiKey, 'https://nobody-has-this-name.inbox.test/');
	for (const id of [webhookId, gone.webhookId]) await webhooks(apiKey, 'POST', `/${id}/test`);
	await until(async () => {
		expect((await deliveriesOf(apiKey, webhookId))[0]?.lastError).toContain('public addresses only');
		expect((await deliveriesOf(apiKey, gone.webhookId))[0]?.lastError).toContain('has no address');
	});
});

test('a webhook is changed, disabled and removed, by its own account alone', async () => {
	const { apiKey, receiver, webhookId } = await told();
	// Other calls of another account: test/worker/other-accounts.test.ts.
	const mallory = await makeAccount(service);
	const foreign = await webhooks(mallory.apiKey, 'PATCH', `/${webhookId}`, { enabled: false });
	expectFailure(foreign, 404, 'webhook_not_found');
	const changed = await webhooks(apiKey, 'PATCH', `/${webhookId}`, { events: ['job.failed', 'job.failed'] });
	expect(changed.body).toMatchObject({ data: { url: receiver.url, events: ['job.failed'], enabled: true } });
	expectFailure(await webhooks(apiKey, 'PATCH', `/${webhookId}`, { url: 'http://shop.example/' }), 400);
	const disabled = await webhooks(apiKey, 'PATCH', `/${webhookId}`, { enabled: false });
	expect(disabled.body).toMatchObject({ data: { enabled: false, disabledBecause: 'owner' } });
	const threshold = await webhooks(apiKey, 'PATCH', '', { creditsLowBelow: 5 });
	expect(threshold.body).toMatchObject({ data: { creditsLowBelow: 5 } });
	const removed = await webhooks(apiKey, 'DELETE', `/${webhookId}`);
	expect([removed.status, removed.text]).toEqual([204, '']);
	expectFailure(await webhooks(apiKey, 'DELETE', `/${webhookId}`), 404, 'webhook_not_found');
	expect((await allWebhooks(apiKey)).webhooks).toEqual([]);
});

test('on the pages a webhook is added with its secret shown once, tried, and its deliveries sent again', async () => {
	const { visitor } = await newPerson();
	const receiver = await listen();
	const add = (events: Readonly<Record<string, string>>) =>
		visitor.submit(PAGE, { url: receiver.url, ...events }, `${PAGE}/webhook#webhooks`);
	const none = await add({});
	expect([none.status, none.text]).toEqual([422, expect.stringContaining('Choose at least one event')]);
	const made = await add({ 'events_job.completed': 'yes' });
	const secret = SECRET.exec(made.text)?.[0] ?? '';
	const list = await visitor.get(PAGE);
	expect(list.text).not.toContain('whsec_');
	const [page = ''] = /\/dashboard\/webhooks\/whk_[0-9a-f]{24}/.exec(list.text) ?? [];
	// Two clicks on the button send one event.
	const twice = hiddenFields(await visitor.get(page), `${page}/test`);
	for (let n = 0; n < 2; n += 1) expect((await visitor.post(`${page}/test`, twice)).status).toBe(303);
	expect((await visitor.get(page)).text).toContain('Sending the test event …');
	await until(() => expect(receiver.verified(secret)).toMatchObject([{ type: 'webhook.test' }]));
	await until(async () => expect((await visitor.get(`${page}/live`)).text).toContain('"Delivered: 204"'));
	expect((await visitor.get(page)).text.match(/webhook\.<wbr ?\/?>test/g)).toHaveLength(1);
	await visitor.submit(page, {}, `${page}/replay`);
	await until(() => expect(receiver.received).toHaveLength(2));
	const rotated = await visitor.submit(page, {}, `${page}/rotate`);
	expect(SECRET.exec(rotated.text)?.[0]).not.toBe(secret);
	expect((await visitor.submit(`${page}/remove`, {})).status).toBe(303);
	expect((await visitor.get(page)).status).toBe(404);
});

test("the documentation's receiver in Node takes what is signed, and nothing else", async () => {
	const { apiKey } = await makeAccount(service);
	const place = await listen();
	const { url } = place;
	await place.kill();
	const { secret } = await addWebhook(apiKey, url);
	// Within the project, so that the sample finds its package.
	const folder = mkdtempSync(join('node_modules/.cache', 'webhook-sample-'));
	onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
	const file = join(folder, 'receiver.mjs');
	copyFileSync('src/dashboard/texts/webhook.mjs.txt', file);
	const env = { ...process.env, MAILSONAR_WEBHOOK_SECRET: secret, PORT: new URL(url).port };
	const sample = spawn(process.execPath, [file], { env, stdio: ['ignore', 'pipe', 'inherit'] });
	onTestFinished(async () => {
		sample.kill();
		if (sample.exitCode === null && sample.signalCode === null) await once(sample, 'exit');
	});
	let printed = '';
	sample.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
	const send = (headers: Record<string, string>): Promise<number> =>
		fetch(url, { method: 'POST', headers, body: '{"type":"x","data":{}}' }).then(({ status }) => status);
	await until(async () => expect(await send({})).toBe(400));
	const forged = new Webhook(`whsec_${Buffer.alloc(32).toString('base64')}`);
	const now = new Date();
	expect(
		await send({
			'webhook-id': 'evt_1',
			'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
			'webhook-signature': forged.sign('evt_1', now, '{"type":"x","data":{}}'),
		}),
	).toBe(400);
	const jobId = await finishJob(apiKey);
	await until(() => expect(printed).toBe(`job.completed ${jobId}\n`));
});
