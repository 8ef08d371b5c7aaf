import { expect, test } from 'vitest';
import { listFacts } from '../../../src/engine/refusal.ts';
import {
	decidedBy,
	renderResult,
	withAddress,
	withoutAddress,
} from '../../../src/core/verification/render.ts';
import { addressOf } from '../../support/unit/mail-servers.ts';

const resultOf = (email: string) => {
	const address = addressOf(email);
	const result = renderResult(address, listFacts(address), decidedBy('smtp', 'accepted_email'), 0);
	return { address, result };
};

test.each(['marker@x.test', 'marker@gmial.com', '"mar@ker"@gmial.com', 'Marker+tag@X.TEST'])(
	'a result about %s is stored without it, and is whole again for the same address',
	(email) => {
		const { address, result } = resultOf(email);
		const kept = withoutAddress(result);
		expect(JSON.stringify(kept).toLowerCase()).not.toMatch(/mar@?ker/);
		expect(withAddress(kept, address)).toEqual(result);
		// A result that an earlier version stored whole.
		expect(withAddress(result, address)).toEqual(result);
	},
);

test('a suggestion is kept with its domain alone', () => {
	const { result } = resultOf('marker@gmial.com');
	expect(result.did_you_mean).toBe('marker@gmail.com');
	expect(withoutAddress(result).did_you_mean).toBe('@gmail.com');
});
