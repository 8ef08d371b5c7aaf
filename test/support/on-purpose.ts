import { beforeEach, vi } from 'vitest';

/** Keeps out of the output what the tests of a file have fail on purpose, which is logged. */
export function failsOnPurpose(): void {
	beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => {}));
}
