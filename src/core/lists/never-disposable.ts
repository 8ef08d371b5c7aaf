// Mailbox providers that some disposable list has named by mistake.
const PROVIDERS = ['royal.net', 'yandex.net'];
// Typing errors for a large provider, for which we suggest the right domain (typos.ts).
const SLIPS = ['gmial.com', 'hotmial.com', 'hotmai.com'];

/** Domains that no list may call disposable. */
export const NEVER_DISPOSABLE: ReadonlySet<string> = new Set([...PROVIDERS, ...SLIPS]);
