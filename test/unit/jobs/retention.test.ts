import { expect, test } from 'vitest';
import { keptInWords, retentionInWords } from '../../../src/core/jobs/retention.ts';

test.each([
	[1, '1 second'],
	[59, '59 seconds'],
	[60, '1 minute'],
	[90, '90 seconds'],
	[3_599, '3599 seconds'],
	[3_600, '1 hour'],
	[5_400, '90 minutes'],
	[86_400, '24 hours'],
	[172_800, '48 hours'],
	[259_199, '259199 seconds'],
	[259_200, '3 days'],
	[262_800, '73 hours'],
	[30 * 86_400, '30 days'],
])('results that are kept for %i seconds are kept for %s', (seconds, words) => {
	expect(retentionInWords(seconds * 1000)).toBe(words);
	expect(keptInWords({ completedAt: 7_001, resultsExpiresAt: 7_001 + seconds * 1000 })).toBe(words);
});
