import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env as ofTests } from 'cloudflare:workers';
import { compose } from '../../src/compose.ts';
import { FORM_ID_OCTETS, issueFormToken, TOKEN_FIELD } from '../../src/core/identity/tokens.ts';
import { SCOPES } from '../../src/core/keys/scopes.ts';
import { createDashboard } from '../../src/dashboard/app.ts';
import { createApp, ENDPOINTS } from '../../src/http/app.ts';
import { openApiDocument } from '../../src/http/openapi.ts';
import { secureRandom } from '../../src/lib/encodings.ts';
import { withInvocation } from '../../src/lib/invocation.ts';
import { createKey } from '../../src/operations/accounts/keys.ts';
import { makeIdentity, newFormId, newPerson } from './identity.ts';

// People who are signed in to the whole Worker, and its routes, read from the application itself.

/** Where the Worker under test answers. */
export const ORIGIN = 'https://mailsonar.test';
// As in production.
const env = { ...ofTests, PUBLIC_URL: ORIGIN, DEVELOPMENT: 'false' };
const app = createApp(
	compose,
	() => Promise.resolve(createDashboard(compose)),
	() => Promise.reject(new Error('no tool is asked for')),
);
/** A form comes from our own page. */
export const OUR_PAGE = { origin: ORIGIN, 'sec-fetch-site': 'same-origin' };

/** A route of the pages, such as `POST /dashboard/keys/:keyId/revoke`. */
export interface Route {
	readonly method: 'GET' | 'POST';
	readonly path: string;
}

/** Every route of the pages. */
export function pageRoutes(): readonly Route[] {
	const { routes } = createDashboard(compose);
	const named = routes
		.filter(({ method }) => method !== 'ALL')
		.map(({ method, path }) => ({ method, path }) as Route);
	return [...new Map(named.map((route) => [`${route.method} ${route.path}`, route])).values()];
}

/** Every call that the document names, such as `GET /v1/jobs/{jobId}`. */
export const API_ROUTES = Object.entries(openApiDocument(ENDPOINTS, '/').paths ?? {}).flatMap(
	([path, item]) =>
		Object.entries(item as Record<string, { requestBody?: unknown }>)
			.filter(([method]) => method !== 'parameters')
			.map(([method, { requestBody }]) => ({
				method: method.toUpperCase(),
				path,
				hasBody: requestBody !== undefined,
			})),
);

/** A path with ids in the places of its parameters. */
export function filled(path: string, ids: Readonly<Record<string, string>>): string {
	return path
		.replaceAll(/[:{](\w+)\}?(?:\{[^}]*\}[^/]*)?/g, (place, name: string) => ids[name] ?? place)
		.replace('*', 'nothing');
}

/** The headers of a browser that loads a page. A program that sends none is answered with JSON where there is no page. */
export const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

/** A page or an answer, as it came, of an installation with these variables and bindings. */
export async function visitAt(of: Env, path: string, init: RequestInit = {}): Promise<Response> {
	const context = createExecutionContext();
	const request = new Request(new URL(path, ORIGIN), { redirect: 'manual', ...init });
	const response = await withInvocation(async () => app.fetch(request, of, context));
	await waitOnExecutionContext(context);
	return response;
}

/** The same of one as in production. */
export const visit = (path: string, init: RequestInit = {}): Promise<Response> => visitAt(env, path, init);

/** A person who is signed in, with an API key. */
export async function signedInPerson() {
	const { signedIn, token } = await newPerson(makeIdentity());
	const request = {
		label: 'Mine',
		mode: 'live',
		scopes: SCOPES,
		expiresAt: null,
		formId: newFormId(),
		sessionToken: token,
		client: 'x',
	} as const;
	const made = await createKey(compose(env), signedIn, request);
	if (made.kind !== 'created') throw new Error(made.kind);
	const cookie = `__Host-session=${token}`;
	/** A token for a form of this person's pages. */
	const formToken = (): string => issueFormToken(`session ${token}`, secureRandom(FORM_ID_OCTETS));
	/** Sends a form as a page of ours does, unless the headers say otherwise. */
	const send = (path: string, body: BodyInit, headers: Record<string, string> = OUR_PAGE) =>
		visit(path, { method: 'POST', headers: { cookie, ...headers }, body });
	return {
		...made,
		accountId: signedIn.user.accountId,
		formToken,
		page: (path: string) => visit(path, { headers: { ...BROWSER, cookie } }),
		send,
		post: (path: string, fields: Readonly<Record<string, string>>, headers?: Record<string, string>) =>
			send(path, new URLSearchParams(fields), headers),
		/** Sends the form with a file. */
		upload: (fields: Readonly<Record<string, string>>, file: File, headers?: Record<string, string>) => {
			const body = new FormData();
			for (const [name, value] of Object.entries(fields)) body.append(name, value);
			body.append('file', file);
			return send('/dashboard/lists', body, headers);
		},
		withToken: (fields: Readonly<Record<string, string>> = {}) => ({ [TOKEN_FIELD]: formToken(), ...fields }),
		api: (method: string, path: string, body?: unknown) =>
			visit(path, {
				method,
				headers: { authorization: `Bearer ${made.apiKey}`, 'content-type': 'application/json' },
				...(body === undefined ? {} : { body: JSON.stringify(body) }),
			}),
	};
}
