import type { z } from 'zod';
import { bareAddress, describeFault, parseAddress } from '../core/address/parse-address.ts';
import { inCredits, PRICE, priceFor, PRICE_OF_DOMAINS, priceOfDomains } from '../core/credits/price.ts';
import { isDisposable } from '../core/lists/domain-kinds.ts';
import { ServiceError } from '../errors.ts';
import type { Paid } from '../operations/verify/answer-call.ts';
import { DOMAINS_ID_PREFIX, DOMAINS_MAX } from '../operations/verify/port.ts';
import { describeDomains, verifyAddress } from '../operations/verify/verify.ts';
import { thousands } from '../lib/text.ts';
import { enter, keyedCall, wasAdmittedLately } from './admission.ts';
import type { AppContext } from './context.ts';
import { counted, endpoint, json } from './endpoint.ts';
import { domainReports, domainsRequest } from './schemas/domain.ts';
import { chargedMeta } from './schemas/fields.ts';
import { CATCH_ALL, DELIVERABLE, UNKNOWN, verification, verifyRequest } from './schemas/verification.ts';

const charged = { creditsUsed: PRICE.single, creditsRemaining: 99 };

export const verifyOne = endpoint('POST /v1/verify', ['verify'], {
	id: 'verifyAddress',
	says: 'Verify one address',
	more: `Costs ${inCredits(PRICE.single)}; an \`unknown\` is refunded. On a catch-all domain the deeper check runs in the same call.`,
	window: 'itself',
	isKeyed: true,
	body: verifyRequest,
	gives: json(200, 'The verification', verification, {
		meta: chargedMeta,
		examples: {
			'The mail server accepts the address': { data: DELIVERABLE, meta: charged },
			'A catch-all domain, where the deeper check decided': { data: CATCH_ALL, meta: charged },
			'No definite answer, so it costs nothing': {
				data: UNKNOWN,
				meta: { creditsUsed: 0, creditsRemaining: 100 },
			},
		},
	}),
	refuses: ['malformed_email', 'insufficient_credits', 'upstream_nonsense'],
	run: async ({ c, services, credential, requestId, body, lasting }) => {
		const { address, readAs, call, ...how } = await counted(c, () => readRequest(c, body));
		// Names are looked up while the account is asked, if it paid a moment ago; the mail hosts wait for its answer.
		const isAhead = wasAdmittedLately(c) && !isDisposable(address.domain);
		const mail = isAhead ? services.lookUpMail(address, how) : null;
		// Where the request is refused, the result of the look-up is ignored.
		mail?.catch(() => {});
		const outcomeOf = services.digestsOf(credential.accountId, address);
		const credits = priceFor(credential.accountId, PRICE.single);
		const entered = await enter(c, 'default', { credits, outcomeOf, call });
		const request = { ...entered, address, requestId, mail, call, ...how };
		// A client that hangs up cancels its request: the work and its settlement go on all the same.
		const { answer, replayed } = await lasting(verifyAddress(services, credential, request));
		return paidFor(answer, replayed, readAs === null ? answer.result : { ...answer.result, read_as: readAs });
	},
});

function readRequest(c: AppContext, sent: z.output<typeof verifyRequest>) {
	const { email, mode = 'full', timeoutMs = null, explain = false } = sent;
	const bare = bareAddress(email);
	const parsed = parseAddress(bare);
	if (!parsed.ok) {
		const text = `Malformed email: ${describeFault(parsed.reason, bare)}`;
		throw new ServiceError('malformed_email', text, { details: { param: 'email' } });
	}
	const quick = mode === 'quick';
	const options = {
		...(quick ? { mode } : {}),
		...(timeoutMs === null ? {} : { timeoutMs }),
		...(explain ? { explain } : {}),
	};
	const call = keyedCall(c, 'verify', Object.keys(options).length === 0 ? [email] : [email, options]);
	const { address } = parsed;
	// The answer names the address where the caller sent more than that.
	const readAs = bare === email.trim() ? null : address.email;
	return { address, readAs, call, quick, timeoutMs, explain };
}

export const lookUpDomains = endpoint('POST /v1/domains', ['verify'], {
	id: 'describeDomains',
	says: 'Look up domains',
	more: `Who takes their mail, and what can be told. Up to ${thousands(DOMAINS_MAX)} domains, by DNS, lists and what we remember. No mail server is asked. ${PRICE_OF_DOMAINS}, refunded if DNS failed for all of them. A domain whose name servers do not answer within 15 seconds has null.`,
	window: 'itself',
	isKeyed: true,
	body: domainsRequest,
	gives: json(200, 'The reports', domainReports, { meta: chargedMeta }),
	refuses: ['insufficient_credits', 'upstream_nonsense'],
	run: async ({ c, services, credential, requestId, body: { domains: names }, lasting }) => {
		const call = await counted(c, () => keyedCall(c, 'domains', { domains: names }));
		const credits = priceFor(credential.accountId, priceOfDomains(names.length));
		const entered = await enter(c, 'default', { credits, idPrefix: DOMAINS_ID_PREFIX, call });
		// A client that hangs up cancels its request: the work and its settlement go on all the same.
		const { answer, replayed } = await lasting(
			describeDomains(services, credential, { ...entered, names, requestId, call }),
		);
		return paidFor(answer, replayed, { results: answer.results });
	},
});

/** An answer that was paid for: now, or by an earlier call under the same Idempotency-Key. */
function paidFor<D>(
	{ requestId, charged: creditsUsed, remaining }: Paid<object>,
	replayed: boolean,
	data: D,
) {
	return { requestId, replayed, data, meta: { creditsUsed, creditsRemaining: remaining } };
}
