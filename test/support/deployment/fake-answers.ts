import { readFileSync } from 'node:fs';
import { answering } from './fake-platform.ts';
import type { FakeState } from './fake-platform.ts';
import { healthy } from './world.ts';

// Imported before the command: its requests are answered by the version that the platform says, which is healthy.

globalThis.fetch = (url, init) => {
	const state = JSON.parse(readFileSync(process.env['FAKE_PLATFORM'] ?? '', 'utf8')) as FakeState;
	const override = new Headers(init?.headers).get('cloudflare-workers-version-overrides');
	const version = answering(state, /="(.*)"$/.exec(override ?? '')?.[1] ?? null) ?? '';
	return Promise.resolve(healthy(version, new URL(url as string).pathname));
};
