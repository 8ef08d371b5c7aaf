// Real records have a dozen tags; a longer text is an attack on its reader.
const RECORD_LENGTH_MAX = 8_192;

/**
 * The tags of a `v=…; tag=value` record (RFC 6376 §3.2), names in lower case, or null where the record does not begin
 * with this version. If a tag is repeated, the first one counts.
 */
export function readTags(text: string, version: string): ReadonlyMap<string, string> | null {
	if (text.length > RECORD_LENGTH_MAX) return null;
	const tags = new Map<string, string>();
	for (const part of text.split(';')) {
		const equals = part.indexOf('=');
		const name = part.slice(0, Math.max(0, equals)).trim().toLowerCase();
		if (
			tags.size === 0 &&
			(name !== 'v' ||
				part
					.slice(equals + 1)
					.trim()
					.toLowerCase() !== version.toLowerCase())
		)
			return null;
		if (name !== '' && !tags.has(name)) tags.set(name, part.slice(equals + 1).trim());
	}
	return tags;
}
