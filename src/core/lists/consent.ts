/** The name below a domain whose TXT records say whether its mail servers may be asked. */
export const CONSENT_LABEL = '_verify';

// A record is one short line. A longer one is no record of ours.
const LENGTH_MAX = 1_024;

// A domain can slow lists, but not hold one up for days.
const PER_MINUTE_MIN = 6;

/** The wish of a domain's owner. */
export interface Consent {
	/** False: the domain's mail servers are left alone. */
	readonly mayAsk: boolean;
	/** Recipients a minute; null: no wish. */
	readonly perMinute: number | null;
}

export const NO_WISH: Consent = { mayAsk: true, perMinute: null };

/**
 * Reads the TXT records of `_verify.example.com`: `v=ev1; ask=no` asks us to leave the domain's mail servers alone, and
 * `v=ev1; rate=10` to ask about ten addresses a minute. The strictest of several records holds. Tags are in any case and
 * order after the version, and unknown ones are ignored, as in DMARC (RFC 7489 §6.3). Each record is a text of strangers.
 */
export function readConsent(records: readonly string[]): Consent {
	const tags = records.flatMap((record) => {
		const [version, ...more] = record.length > LENGTH_MAX ? [] : record.split(';').map(readTag);
		return version?.name === 'v' && version.value === 'ev1' ? more : [];
	});
	const rates = tags.filter(({ name, value }) => name === 'rate' && /^\d{1,6}$/.test(value));
	const rate = Math.min(...rates.map(({ value }) => Number(value)));
	return {
		mayAsk: rate > 0 && !tags.some(({ name, value }) => name === 'ask' && value === 'no'),
		perMinute: rate === Infinity ? null : Math.max(PER_MINUTE_MIN, rate),
	};
}

function readTag(text: string): { readonly name: string; readonly value: string } {
	const at = text.indexOf('=');
	const name = at === -1 ? text : text.slice(0, at);
	const value = at === -1 ? '' : text.slice(at + 1);
	return { name: name.trim().toLowerCase(), value: value.trim().toLowerCase() };
}
