import { createRoute, z } from '@hono/zod-openapi';
import type { OpenAPIHono } from '@hono/zod-openapi';
import {
	changeBrowserKey,
	createBrowserKey,
	listBrowserKeys,
	revokeBrowserKey,
} from '../../operations/accounts/browser-keys.ts';
import type { OwnBrowserKey } from '../../operations/accounts/browser-keys.ts';
import { enter } from '../admission.ts';
import { answer, answerNothing } from '../answer.ts';
import type { AppContext, AppEnv } from '../context.ts';
import { serve } from '../endpoint.ts';
import type { KnownPaths } from '../endpoint.ts';
import { META } from '../examples.ts';
import type { Tag } from '../openapi.ts';
import { readJson } from '../read-json.ts';
import { BODY_ERRORS, emptyResponse, failures, jsonResponse } from '../responses.ts';
import { success } from '../schemas.ts';
import { newPublicKey, publicKey, publicKeyChange, publicKeyList } from './schemas.ts';

const PATH = '/v1/public-keys';
const BODY_OCTETS_MAX = 16_384;

const EXAMPLE = {
	keyId: 'key_1f0c',
	publicKey: 'ms_pub_1f0c',
	name: 'Sign-up form',
	origins: ['https://shop.example'],
	dailyLimit: 1_000,
	turnstile: false,
	createdAt: '2026-07-01T10:00:00.000Z',
};
const tags = ['Account' satisfies Tag];
const security = [{ bearer: [] }, { apiKey: [] }];
const params = z.object({
	keyId: z.string().describe('The id of the key').openapi({ example: EXAMPLE.keyId }),
});
const bodyOf = <S extends z.ZodType>(schema: S) => ({
	required: true,
	content: { 'application/json': { schema } },
});
const oneOf = (summary: string) =>
	({ key: { summary, value: { success: true, data: EXAMPLE, meta: META } } }) as const;

const createRouteOf = createRoute({
	operationId: 'createPublicKey',
	tags,
	method: 'post',
	path: PATH,
	summary: 'Make a key for your pages',
	description: 'It opens `POST /v1/public/verify` alone, from its own origins, as often a day as you say.',
	security,
	request: { body: bodyOf(newPublicKey) },
	responses: {
		201: jsonResponse('The key', success(publicKey, {}), oneOf('A key for one site')),
		...failures(...BODY_ERRORS, 'too_many_keys'),
	},
});

const listRoute = createRoute({
	operationId: 'listPublicKeys',
	tags,
	method: 'get',
	path: PATH,
	summary: 'All keys for your pages',
	description: 'Without those that are revoked. Secret keys are shown in the dashboard alone.',
	security,
	responses: {
		200: jsonResponse('The keys', success(publicKeyList, {}), {
			list: { summary: 'One key', value: { success: true, data: { keys: [EXAMPLE] }, meta: META } },
		}),
		...failures(),
	},
});

const changeRoute = createRoute({
	operationId: 'changePublicKey',
	tags,
	method: 'patch',
	path: `${PATH}/{keyId}`,
	summary: 'Change the origins or the ceiling of a key for your pages',
	description: 'What is left out stays. New origins hold everywhere within a minute.',
	security,
	request: { params, body: bodyOf(publicKeyChange) },
	responses: {
		200: jsonResponse('The key', success(publicKey, {}), oneOf('A key after the change')),
		...failures(...BODY_ERRORS, 'public_key_not_found'),
	},
});

const revokeRoute = createRoute({
	operationId: 'revokePublicKey',
	tags,
	method: 'delete',
	path: `${PATH}/{keyId}`,
	summary: 'Revoke a key for your pages',
	description: 'Its next call is refused. Forms with our widget go on without the check.',
	security,
	request: { params },
	responses: { 204: emptyResponse('It is revoked'), ...failures('public_key_not_found') },
});

/** /v1/public-keys and what is below. */
export function addBrowserKeys(api: OpenAPIHono<AppEnv>, paths: KnownPaths): void {
	serve(api, paths, listRoute, ['verify', 'read'], async (c) => {
		await enter(c, 'default');
		const keys = await listBrowserKeys(c.var.services, c.var.credential);
		return answer(c, listRoute, { data: { keys: keys.map(render) } });
	});
	serve(api, paths, createRouteOf, ['verify'], async (c) => {
		const request = await read(c, newPublicKey);
		const made = await createBrowserKey(c.var.services, c.var.credential, request);
		return answer(c, createRouteOf, { data: render(made) });
	});
	serve(api, paths, changeRoute, ['verify'], async (c) => {
		const change = { ...(await read(c, publicKeyChange)), keyId: keyIdOf(c) };
		const changed = await changeBrowserKey(c.var.services, c.var.credential, change);
		return answer(c, changeRoute, { data: render(changed) });
	});
	serve(api, paths, revokeRoute, ['verify'], async (c) => {
		await enter(c, 'default');
		await revokeBrowserKey(c.var.services, c.var.credential, { keyId: keyIdOf(c) });
		return answerNothing(revokeRoute, c);
	});
}

async function read<S extends z.ZodType>(c: AppContext, schema: S): Promise<z.output<S>> {
	await enter(c, 'default');
	const body = await readJson(c, schema, BODY_OCTETS_MAX);
	if (!body.ok) throw body.error;
	return body.value;
}

function keyIdOf(c: AppContext): string {
	return c.req.param('keyId') ?? '';
}

function render({ id, label, createdAt, browser }: OwnBrowserKey): z.input<typeof publicKey> {
	return {
		keyId: id,
		publicKey: browser.publicKey,
		name: label,
		origins: [...browser.origins],
		dailyLimit: browser.dailyLimit,
		turnstile: browser.turnstile !== null,
		createdAt: new Date(createdAt).toISOString(),
	};
}
