/** The name below a domain whose TXT records say whether its mail servers may be asked. */
export const CONSENT_LABEL = '_verify';

// A record is one short line. A longer one is no record of ours.
const LENGTH_MAX = 1_024;

/**
 * Whether the TXT records of `_verify.example.com` ask us to leave the domain's mail servers alone: one of them is
 * `v=ev1; ask=no`. Tags are in any case and order after the version, and unknown ones are ignored, as in DMARC
 * (RFC 7489 §6.3). Each record is a text of strangers.
 */
export function refusesQuestions(records: readonly string[]): boolean {
	return records.some((record) => {
		if (record.length > LENGTH_MAX) return false;
		const [version, ...tags] = record.split(';').map(readTag);
		return (
			version?.name === 'v' &&
			version.value === 'ev1' &&
			tags.some(({ name, value }) => name === 'ask' && value === 'no')
		);
	});
}

function readTag(text: string): { readonly name: string; readonly value: string } {
	const at = text.indexOf('=');
	const name = at === -1 ? text : text.slice(0, at);
	const value = at === -1 ? '' : text.slice(at + 1);
	return { name: name.trim().toLowerCase(), value: value.trim().toLowerCase() };
}
