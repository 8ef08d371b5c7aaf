import { readFileSync } from 'node:fs';
import { answerOf } from './fake-platform.ts';
import type { FakeState } from './fake-platform.ts';

// Imported before the command: its requests are answered by the version that the platform says, which is healthy.

globalThis.fetch = (url, init) => {
	const state = JSON.parse(readFileSync(process.env['FAKE_PLATFORM'] ?? '', 'utf8')) as FakeState;
	return Promise.resolve(answerOf(state, url instanceof Request ? url.url : url.toString(), init));
};
