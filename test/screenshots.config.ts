import { defineConfig } from 'vitest/config';
import { site } from '../vitest.config.ts';

// `npm run screenshots`, `npm run update -- pictures`: no tests, but pages need the tests' compiler.
export default defineConfig({
	plugins: [site],
	test: {
		include: ['test/screenshots.ts', 'test/pictures.tsx'],
		testTimeout: 600_000,
		reporters: ['default'],
	},
});
