import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

// What is deployed beside the code.

const WRANGLER = readFileSync(path.join(import.meta.dirname, '../../wrangler.toml'), 'utf8');

test('what the Worker fetches, it fetches as anybody would: strangers’ addresses lead into no zone of ours', () => {
	const [, flags = ''] = /^compatibility_flags = \[([^\]]*)\]$/m.exec(WRANGLER) ?? [];
	expect(flags.split(',').map((flag) => flag.trim())).toContain('"global_fetch_strictly_public"');
});
