import type { Config } from '../config.ts';

/**
 * The Strict-Transport-Security of all answers (RFC 6797); null where PUBLIC_URL is not https, as on a developer's
 * machine, where browsers would refuse http for a year.
 */
export function strictTransport({ PUBLIC_URL }: Pick<Config, 'PUBLIC_URL'>): string | null {
	return PUBLIC_URL !== undefined && /^https:/i.test(PUBLIC_URL) ? 'max-age=31536000' : null;
}
