import { expect, test } from 'vitest';
import { displayNameOf, operatorWords } from '../../../src/core/mail-operators/operators.ts';

test.each([
	['google', 'Google'],
	['microsoft365', 'Microsoft 365'],
	['webde', 'WEB.DE'],
	['mailbox_org', 'mailbox.org'],
	['perception_point', 'Perception Point'],
])('people read %s as %s', (word, name) => {
	expect(displayNameOf(word)).toBe(name);
});

test('no name that people read has the underscores of a word', () => {
	const words = [...operatorWords('gateways'), ...operatorWords('others')];
	expect(words.length).toBeGreaterThan(100);
	expect(words.map(displayNameOf).filter((name) => /_|^\s*$/.test(name))).toEqual([]);
});
