import { expect } from 'vitest';
import { ConfigError } from '../../../src/variables.ts';

/** Expects that reading fails with one line that names the variable, and holds nothing of a value. */
export function expectBadVariable(read: () => unknown, name: string): void {
	const error = errorOf(read);
	expect(error).toBeInstanceOf(ConfigError);
	expect(error.message).toContain(`${name}: `);
	expect(error.message).not.toMatch(/hunter2|0123456789abcdef|\n/i);
}

/** The error that an attempt throws. */
export function errorOf(attempt: () => unknown): Error {
	try {
		attempt();
	} catch (error) {
		if (error instanceof Error) return error;
		throw error;
	}
	throw new Error('nothing was refused');
}
