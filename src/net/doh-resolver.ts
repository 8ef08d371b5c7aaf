import { Buffer } from 'node:buffer';
import type { Answer, DnsFailure, MxRecord, RecordType, Resolver } from '../core/dns/resolver.ts';
import { errorOf, ServiceError } from '../errors.ts';
import type { Clock } from '../lib/time.ts';
import type { ExpiringMap } from '../lib/expiring-map.ts';
import { timed } from '../lib/invocation.ts';
import { encodeQuestion, isEncodable, readAnswer } from './dns-message.ts';
import type { Reading } from './dns-message.ts';
import { invocationFetch } from './invocation-fetch.ts';
import type { Fetcher } from './invocation-fetch.ts';
import { readResponse } from './public-web.ts';

type Records = Answer<string | MxRecord>;
/** The answers that the isolate remembers. */
export type DnsMemory = ExpiringMap<Records>;
/** `nonsense`: no DNS response. `unreadable`: labelled as one. */
type Outcome = Reading | { readonly kind: 'timeout' | 'unavailable' | 'nonsense' };
type Said = Extract<Outcome, { kind: 'answer' }>;

const RESOLVER_TIMEOUT_MS = 4_000;
// For all resolvers together, so that a look-up can't use up the time of the conversation.
const LOOK_UP_TIMEOUT_MS = 6_000;
const HASTE_MS = 1_000;
// Every resolver knows this name: if it has no answer either, the resolver is at fault, and not the name.
const CONTROL = 'gmail.com';
const CONTROL_TIMEOUT_MS = 4_000;
// However many broken names a customer sends, each resolver is asked about the control no oftener.
const CONTROL_KEPT_MS = 2_000;
const TTL_SECONDS_MAX = 3_600;
// RFC 2308 §7.1 allows five minutes. Names in a zone that is broken on purpose are not asked for by each call.
const FAILURE_KEPT_MS = 30_000;
// RFC 1035 §4.2.2: the length of a message has two octets.
const MESSAGE_OCTETS_MAX = 65_535;
// What one resolver said of the name counts before what another did not say.
const FAILURES: readonly DnsFailure[] = ['server_failure', 'timeout'];

export interface DohResolver extends Resolver {
	/** The same resolvers, asked in haste. */
	readonly hasty: Resolver;
}

/**
 * DNS over HTTPS (RFC 8484) in wire format by GET. The resolvers are asked in order, each only when the one before gave
 * no answer. If a name's own servers fail the answer is `failed`; if the resolvers fail, that is our outage and throws.
 * Where nothing shows which of the two it is, a control decides: a name whose servers hardly ever fail.
 * Answers are remembered by the isolate alone: the resolver's own cache is as near as that of the data centre.
 */
export function dohResolver(
	urls: readonly string[],
	memory: DnsMemory,
	clock: Clock,
	fetcher: Fetcher = invocationFetch,
): DohResolver {
	/** When a resolver last answered, and when none last answered the control, epoch ms. */
	let [answeredAt, unansweredAt] = [-Infinity, -Infinity];

	/** The first answer, or why there is none. */
	const askAll = async (
		name: string,
		type: RecordType,
		patienceMs: number,
	): Promise<Said | Outcome['kind'][]> => {
		const begun = clock.now();
		const outcomes: Outcome['kind'][] = [];
		for (const url of urls) {
			const limitMs = Math.min(RESOLVER_TIMEOUT_MS, begun + patienceMs - clock.now());
			if (limitMs <= 0) break;
			const outcome = await timed('dns', () => ask(fetcher, url, { name, type }, limitMs));
			if (outcome.kind === 'answer') {
				answeredAt = Math.max(answeredAt, clock.now());
				return outcome;
			}
			outcomes.push(outcome.kind);
		}
		return outcomes;
	};

	/**
	 * Whether the resolvers answer nothing since then: no other look-up had an answer meanwhile, and the control has none.
	 * Each request asks for itself, since a Worker must not wait for the I/O of another request.
	 */
	const isSilent = async (since: number): Promise<boolean> => {
		if (answeredAt > since) return false;
		if (unansweredAt > Math.max(answeredAt, clock.now() - CONTROL_KEPT_MS)) return true;
		if ('answer' in (await askAll(CONTROL, 'MX', CONTROL_TIMEOUT_MS))) return false;
		// Another name has an answer meanwhile.
		if (answeredAt > since) return false;
		unansweredAt = clock.now();
		return true;
	};

	const resolverWithin = (patienceMs: number): Resolver => {
		const lookUp = async (name: string, type: RecordType): Promise<Records> => {
			if (!isEncodable(name)) return { kind: 'no_such_name' };
			const now = clock.now();
			const key = `${type} ${name}`;
			const known = memory.get(key, now);
			if (known !== undefined) return known;
			const outcomes = await askAll(name, type, patienceMs);
			if ('answer' in outcomes) {
				const seconds = Math.min(outcomes.ttlSeconds, TTL_SECONDS_MAX);
				memory.set(key, outcomes.answer, clock.now() + seconds * 1000);
				return outcomes.answer;
			}
			// A failure, silence, or a message that can't be read: a zone's owner can have it so.
			const mayBeTheName = outcomes.some((kind) => kind !== 'unavailable' && kind !== 'nonsense');
			// No resolver is blamed for what was not waited for.
			const isInHaste = patienceMs === HASTE_MS;
			if (!mayBeTheName || (!isInHaste && (await isSilent(now)))) throw outageOf(outcomes);
			const cause = FAILURES.find((one) => outcomes.includes(one)) ?? 'unreadable';
			const failure = { kind: 'failed', cause } as const;
			if (cause !== 'timeout') memory.set(key, failure, clock.now() + FAILURE_KEPT_MS);
			return failure;
		};
		return {
			mx: async (domain) => (await lookUp(domain, 'MX')) as Answer<MxRecord>,
			look: async (name, type) => (await lookUp(name, type)) as Answer<string>,
		};
	};
	return { ...resolverWithin(LOOK_UP_TIMEOUT_MS), hasty: resolverWithin(HASTE_MS) };
}

function outageOf(outcomes: readonly Outcome['kind'][]): ServiceError {
	if (outcomes.includes('nonsense') || outcomes.includes('unreadable')) return errorOf('upstream_nonsense');
	return new ServiceError('upstream_unavailable', 'The DNS resolver gives no answers at the moment');
}

async function ask(
	fetcher: Fetcher,
	url: string,
	{ name, type }: { readonly name: string; readonly type: RecordType },
	limitMs: number,
): Promise<Outcome> {
	const question = Buffer.from(encodeQuestion(name, type)).toString('base64url');
	const address = `${url}${url.includes('?') ? '&' : '?'}dns=${question}`;
	const timeout = AbortSignal.timeout(limitMs);
	try {
		const response = await fetcher(address, {
			headers: { accept: 'application/dns-message' },
			redirect: 'manual',
			signal: timeout,
		});
		const { status, headers } = response;
		if (status !== 200 || headers.get('content-type')?.startsWith('application/dns-message') !== true) {
			await response.body?.cancel();
			return { kind: status >= 500 || status === 429 ? 'unavailable' : 'nonsense' };
		}
		const { octets, isWhole } = await readResponse(response, MESSAGE_OCTETS_MAX);
		return isWhole ? readAnswer(octets, name, type) : { kind: 'unreadable' };
	} catch {
		return { kind: timeout.aborted ? 'timeout' : 'unavailable' };
	}
}
