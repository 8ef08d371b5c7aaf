import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { WEBHOOK_SAMPLE } from '../../../src/dashboard/code-examples.ts';

test('docs/webhooks.md shows the receiver that is run by a contract test', () => {
	const text = readFileSync(path.join(import.meta.dirname, '../../../docs/webhooks.md'), 'utf8');
	const [, code] = /```js\n(.*?)```/s.exec(text) ?? [];
	expect(code).toBe(WEBHOOK_SAMPLE);
});
