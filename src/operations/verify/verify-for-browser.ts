import type { Address } from '../../core/address/parse-address.ts';
import type { BrowserKey } from '../../core/keys/browser-key.ts';
import { readPublicKey } from '../../core/keys/api-key.ts';
import type { KeyRoute } from '../../core/keys/api-key.ts';
import { formAnswerOf, MALFORMED, NOT_CHECKED } from '../../core/verification/form-answer.ts';
import type { FormAnswer } from '../../core/verification/form-answer.ts';
import { ServiceError } from '../../errors.ts';
import { unseal } from '../../lib/seal.ts';
import { ExpiringMap } from '../../lib/expiring-map.ts';
import type { Services } from '../../services.ts';
import type { BrowserCallSettled, KeyRefusal } from './port.ts';

const KEYS_MAX = 1_000;
const KEPT_MS = 60_000;

/** A key for browsers and its settings, or why its account refuses it. */
export interface KnownBrowserKey {
	readonly route: KeyRoute;
	readonly settings: BrowserKey | { readonly because: KeyRefusal };
}

/**
 * Settings of keys for browsers that this isolate has read within the last minute. However often a stolen key is sent,
 * its account is asked for them once a minute. The account itself decides on each charge, by its own settings.
 */
export class KnownBrowserKeys {
	readonly #known = new ExpiringMap<KnownBrowserKey>(KEYS_MAX);

	/** Null for a text that we did not sign. */
	async find(
		{ accounts, clock, signingSecrets }: Pick<Services, 'accounts' | 'clock' | 'signingSecrets'>,
		text: string,
	): Promise<KnownBrowserKey | null> {
		const now = clock.now();
		const known = this.#known.get(text, now);
		if (known !== undefined) return known;
		const route = readPublicKey(signingSecrets, text);
		if (route === null) return null;
		const { accountId, keyId, secretHash } = route;
		const settings = await accounts(accountId).findBrowserKey({ keyId, secretHash, now });
		const found = { route, settings };
		this.#known.set(text, found, now + KEPT_MS);
		return found;
	}
}

export type BrowserServices = Pick<
	Services,
	'accounts' | 'challengeWith' | 'clock' | 'examine' | 'newId' | 'signingSecrets'
>;

interface BrowserRequest {
	readonly origin: string;
	readonly settings: BrowserKey;
	/** Null: the text was no address. */
	readonly address: Address | null;
	/** Turnstile's token; empty: none was sent. */
	readonly token: string;
}

/**
 * The quick check for a page's visitor. It knows nothing of the account's own messages: an answer from them would tell
 * visitors who the account's customers are. Counted and, where it proves something, charged before it is given.
 *
 * Throws `ServiceError` where Turnstile refuses the token.
 */
export async function verifyForBrowser(
	services: BrowserServices,
	route: KeyRoute,
	request: BrowserRequest,
): Promise<FormAnswer | { readonly refused: Exclude<BrowserCallSettled, { readonly kind: 'counted' }> }> {
	const { origin, settings, address, token } = request;
	const { accountId, keyId, secretHash } = route;
	if (!(await isPerson(services, route, settings, token))) return NOT_CHECKED;
	const examined = address === null ? null : await services.examine(address, accountId, { quick: true });
	const settled = await services.accounts(accountId).settleBrowserCall({
		keyId,
		secretHash,
		origin,
		id: services.newId('vfy'),
		outcome: examined?.result.status ?? null,
		now: services.clock.now(),
	});
	if (settled.kind !== 'counted') return { refused: settled };
	if (!settled.isPaid) return NOT_CHECKED;
	return examined === null ? MALFORMED : formAnswerOf(examined.result);
}

/** False: Turnstile can't say. Throws `ServiceError` `challenge_failed`. */
async function isPerson(
	{ challengeWith, signingSecrets }: BrowserServices,
	{ version }: KeyRoute,
	{ turnstile }: BrowserKey,
	token: string,
): Promise<boolean> {
	if (turnstile === null) return true;
	const signing = signingSecrets.find((secret) => secret.version === version);
	if (signing === undefined) return false;
	let isPassed: boolean;
	try {
		isPassed = await challengeWith(await unseal(signing.secret, turnstile)).isPassed(token);
	} catch {
		// Turnstile is away, or the owner's secret is wrong: the visitor can do nothing about either.
		return false;
	}
	if (isPassed) return true;
	throw new ServiceError('challenge_failed', 'Turnstile refused the token, or there was none');
}
