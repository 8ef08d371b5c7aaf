import { Buffer } from 'node:buffer';
import type {
	Answer,
	DnsFailure,
	LookedUpType,
	MxRecord,
	RecordType,
	Resolver,
} from '../core/dns/resolver.ts';
import { ServiceError } from '../errors.ts';
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

/**
 * DNS over HTTPS (RFC 8484) in wire format by GET. The resolvers are asked in order, each only when the one before gave
 * no answer. If a name's own servers fail the answer is `failed`; if the resolvers fail, that is our outage and throws.
 * Where nothing shows which of the two it is, a control decides: a name whose servers hardly ever fail.
 * Answers are remembered by the isolate alone: the resolver's own cache is as near as that of the data centre.
 */
export class DohResolver implements Resolver {
	readonly #urls: readonly string[];
	readonly #memory: DnsMemory;
	readonly #clock: Clock;
	readonly #fetch: Fetcher;
	readonly #patienceMs: number;
	/** When a resolver last answered, and when none last answered the control, epoch ms. */
	#answeredAt = -Infinity;
	#unansweredAt = -Infinity;

	constructor(
		urls: readonly string[],
		memory: DnsMemory,
		clock: Clock,
		fetcher: Fetcher = invocationFetch,
		patienceMs = LOOK_UP_TIMEOUT_MS,
	) {
		this.#patienceMs = patienceMs;
		this.#fetch = fetcher;
		this.#urls = urls;
		this.#memory = memory;
		this.#clock = clock;
	}

	/** The same resolvers, asked in haste. */
	get hasty(): DohResolver {
		return new DohResolver(this.#urls, this.#memory, this.#clock, this.#fetch, HASTE_MS);
	}

	async mx(domain: string): Promise<Answer<MxRecord>> {
		return (await this.#lookUp(domain, 'MX')) as Answer<MxRecord>;
	}

	async look(name: string, type: LookedUpType): Promise<Answer<string>> {
		return (await this.#lookUp(name, type)) as Answer<string>;
	}

	async #lookUp(name: string, type: RecordType): Promise<Records> {
		if (!isEncodable(name)) return { kind: 'no_such_name' };
		const now = this.#clock.now();
		const key = `${type} ${name}`;
		const known = this.#memory.get(key, now);
		if (known !== undefined) return known;
		const outcomes = await this.#ask(name, type, this.#patienceMs);
		if ('answer' in outcomes) {
			const seconds = Math.min(outcomes.ttlSeconds, TTL_SECONDS_MAX);
			this.#memory.set(key, outcomes.answer, this.#clock.now() + seconds * 1000);
			return outcomes.answer;
		}
		// A failure, silence, or a message that can't be read: a zone's owner can have it so.
		const mayBeTheName = outcomes.some((kind) => kind !== 'unavailable' && kind !== 'nonsense');
		// No resolver is blamed for what was not waited for.
		const isInHaste = this.#patienceMs <= HASTE_MS;
		if (!mayBeTheName || (!isInHaste && (await this.#isSilent(now)))) throw outageOf(outcomes);
		const cause = FAILURES.find((one) => outcomes.includes(one)) ?? 'unreadable';
		if (cause !== 'timeout')
			this.#memory.set(key, { kind: 'failed', cause }, this.#clock.now() + FAILURE_KEPT_MS);
		return { kind: 'failed', cause };
	}

	/** The first answer, or why there is none. */
	async #ask(name: string, type: RecordType, patienceMs: number): Promise<Said | Outcome['kind'][]> {
		const begun = this.#clock.now();
		const outcomes: Outcome['kind'][] = [];
		for (const url of this.#urls) {
			const limitMs = Math.min(RESOLVER_TIMEOUT_MS, begun + patienceMs - this.#clock.now());
			if (limitMs <= 0) break;
			const outcome = await timed('dns', () => ask(this.#fetch, url, { name, type }, limitMs));
			if (outcome.kind === 'answer') {
				this.#answeredAt = Math.max(this.#answeredAt, this.#clock.now());
				return outcome;
			}
			outcomes.push(outcome.kind);
		}
		return outcomes;
	}

	/**
	 * Whether the resolvers answer nothing since then: no other look-up had an answer meanwhile, and the control has none.
	 * Each request asks for itself, since a Worker must not wait for the I/O of another request.
	 */
	async #isSilent(since: number): Promise<boolean> {
		if (this.#answeredAt > since) return false;
		const now = this.#clock.now();
		if (this.#unansweredAt > Math.max(this.#answeredAt, now - CONTROL_KEPT_MS)) return true;
		if ('answer' in (await this.#ask(CONTROL, 'MX', CONTROL_TIMEOUT_MS))) return false;
		// Another name has an answer meanwhile.
		if (this.#answeredAt > since) return false;
		this.#unansweredAt = this.#clock.now();
		return true;
	}
}

function outageOf(outcomes: readonly Outcome['kind'][]): ServiceError {
	if (outcomes.includes('nonsense') || outcomes.includes('unreadable'))
		return new ServiceError('upstream_nonsense', 'The DNS resolver answered something that is not DNS');
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
