import { defineConfig } from 'vitest/config';

// `npm run screenshots`: no test, but pages need the tests' compiler.
export default defineConfig({
	test: {
		include: ['test/screenshots.ts'],
		testTimeout: 600_000,
		reporters: ['default'],
	},
});
