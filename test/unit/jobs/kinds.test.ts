import { expect, test } from 'vitest';
import { JOB_KINDS, requireKind } from '../../../src/core/jobs/kinds.ts';
import { ServiceError } from '../../../src/errors.ts';

test.each(['noun', 'idPrefix', 'keyPrefix'] as const)('the kinds of jobs share no %s', (field) => {
	const values = Object.values(JOB_KINDS).map((kind) => kind[field]);
	expect(new Set(values).size).toBe(values.length);
});

test('a job of another kind is not found under this one', () => {
	const task = { kind: 'catchall' } as const;
	expect(requireKind(task, 'catchall')).toBe(task);
	expect(() => requireKind(task, 'verification')).toThrow(
		new ServiceError('job_not_found', 'There is no such job in this account'),
	);
	expect(() => requireKind(null, 'catchall', 'check')).toThrow(
		new ServiceError('task_not_found', 'There is no such check in this account'),
	);
});
