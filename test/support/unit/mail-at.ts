import type { LookedUpMail } from '../../../src/engine/look-up-mail.ts';

/** The mail of a domain with one mail host, whose addresses were not looked up. */
export function mailAt(host: string): LookedUpMail {
	return { route: { kind: 'hosts', hosts: [host], implicit: false }, hosts: null };
}
