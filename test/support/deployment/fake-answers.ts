import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { answerOf } from './fake-platform.ts';
import type { FakeState } from './fake-platform.ts';

// Imported before the command: its requests are answered by the version that the platform says, which is healthy.

globalThis.fetch = (url, init) => {
	const state = JSON.parse(readFileSync(process.env['FAKE_PLATFORM'] ?? '', 'utf8')) as FakeState;
	return Promise.resolve(answerOf(state, url instanceof Request ? url.url : url.toString(), init));
};

// Wrangler takes a second to load, and each command asks it for one thing, which the test has asked it.
const wrangler = `export const experimental_readRawConfig = () => (${readFileSync(process.env['RAW_CONFIG'] ?? '', 'utf8')});`;
registerHooks({
	resolve: (specifier, context, next) =>
		specifier === 'wrangler'
			? { url: `data:text/javascript,${encodeURIComponent(wrangler)}`, shortCircuit: true }
			: next(specifier, context),
});
