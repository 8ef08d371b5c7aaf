import { ServiceError } from '../errors.ts';
import type { AppContext } from './context.ts';

/** The key of either header (spec §5.1), not looked at yet; or why there is none. If both are sent they must be equal. */
export function presentedKey(c: Pick<AppContext, 'req'>): string | ServiceError {
	const authorization = c.req.header('authorization')?.trim();
	const direct = c.req.header('x-api-key')?.trim();
	if (authorization === undefined) return direct === undefined || direct === '' ? missing() : direct;
	const bearer = bearerOf(authorization);
	if (typeof bearer !== 'string' || direct === undefined) return bearer;
	const text = 'Authorization and X-API-Key carry different keys: send one of them';
	return bearer === direct ? bearer : new ServiceError('api_keys_differ', text);
}

function missing(): ServiceError {
	const text = 'API key missing: send it as `Authorization: Bearer <API_KEY>` or `X-API-Key: <API_KEY>`';
	return new ServiceError('api_key_missing', text);
}

/** RFC 6750 §2.1. */
function bearerOf(authorization: string): string | ServiceError {
	if (/^(?:bearer)?$/i.test(authorization)) return missing();
	const [, key] = /^bearer +(\S+)$/i.exec(authorization) ?? [];
	if (key !== undefined) return key;
	const fault = /^\S+$/.test(authorization)
		? 'Authorization has no scheme: write `Bearer` and a space before the key'
		: 'Authorization must be the word `Bearer`, a space and the key';
	const text = `${fault}, as in \`Authorization: Bearer <API_KEY>\``;
	return new ServiceError('authorization_malformed', text);
}
