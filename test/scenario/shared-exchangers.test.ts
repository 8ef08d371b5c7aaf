import { vi } from 'vitest';

// The same promises, word for word, where every mail host is asked through an exchanger's warm connections.
vi.stubEnv('SHARED_EXCHANGERS', '*');

await import('./situations.test.ts');
await import('./gateways.test.ts');
