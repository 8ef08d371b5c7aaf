import { describe, expect, test } from 'vitest';
import { JOB_KINDS, isJobNoun, requireKind } from '../../../src/core/jobs/kinds.ts';
import { ServiceError } from '../../../src/errors.ts';

describe('the kinds of jobs', () => {
	test.each(['noun', 'idPrefix', 'keyPrefix'] as const)('share no %s', (field) => {
		const values = Object.values(JOB_KINDS).map((kind) => kind[field]);
		expect(new Set(values).size).toBe(values.length);
	});

	test('take Idempotency-Keys that no caller can write for another kind', () => {
		for (const { keyPrefix } of Object.values(JOB_KINDS)) expect(keyPrefix).toMatch(/^(?:[a-z]+ )?$/);
	});

	test('tell their lines of the ledger from all others', () => {
		expect(['job', 'task', 'grant', 'verification', 'toString'].map(isJobNoun)).toEqual([
			true,
			true,
			false,
			false,
			false,
		]);
	});
});

describe('a job of another kind', () => {
	test('is not found under this one', () => {
		const task = { kind: 'catchall' } as const;
		expect(requireKind(task, 'catchall')).toBe(task);
		expect(() => requireKind(task, 'verification')).toThrow(
			new ServiceError('job_not_found', 'There is no such job in this account'),
		);
		expect(() => requireKind(null, 'catchall', 'check')).toThrow(
			new ServiceError('task_not_found', 'There is no such check in this account'),
		);
	});
});
