// Mailbox providers that some disposable list or other has named by mistake.
const PROVIDERS = ['royal.net', 'yandex.net'];
// Slips of the finger: who typed one means a large provider, and is told so (typos.ts).
const SLIPS = ['gmial.com', 'hotmial.com', 'hotmai.com'];

/** Domains that no list may call disposable. */
export const NEVER_DISPOSABLE: ReadonlySet<string> = new Set([...PROVIDERS, ...SLIPS]);
